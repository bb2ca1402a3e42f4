package org.inferometer.suite.launch;

/// A field whose value does not come from the configuration alone.
///
/// @param field its path: "slurm.partition"
/// @param before as the file has it; empty if it has none
/// @param after what is used
/// @param origin the variable, or the table, that it comes from
public record FieldOrigin(String field, String before, String after, String origin) {}
