package org.inferometer.finding;

import java.util.List;

/// What differs between the two sides of a pair, and what does not.
///
/// @param settings that differ
/// @param differences why the sides are not comparable
/// @param same what both sides share, in the order in which it is shown
public record PairContrast(List<SettingChange> settings, List<SideDifference> differences, List<Common> same) {
    /// A setting that differs between two cells.
    ///
    /// @param setting its label inside a sentence: "prompt tokens"
    /// @param before its value of the base, "default" or "none" where it has none
    /// @param after its value of the candidate
    public record SettingChange(String setting, String before, String after) {}

    /// What two sides can share.
    public enum Common {
        MODEL, WORKLOAD, SEEDS, DEVICE, SCHEDULER, BACKEND, LIMITS, TARGET, DEFINITIONS
    }
}
