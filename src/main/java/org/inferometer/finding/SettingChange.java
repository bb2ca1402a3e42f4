package org.inferometer.finding;

/// A setting that differs between two cells.
///
/// @param setting its label inside a sentence: "prompt tokens"
/// @param before its value of the base, "default" or "none" where it has none
/// @param after its value of the candidate
public record SettingChange(String setting, String before, String after) {}
