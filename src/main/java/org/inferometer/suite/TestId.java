package org.inferometer.suite;

import java.nio.file.Path;

/// The identity of a test configuration: `{type}/{category}/{stem}.yaml`.
///
/// @param type "disagg" or "wideep"
/// @param category "perf", "accuracy" or "stress"
/// @param stem the file's name without its ending
public record TestId(String type, String category, String stem) {
    /// Of a file in the folders of its type and category.
    static TestId of(Path file) {
        Path whole = file.toAbsolutePath().normalize();
        return new TestId(name(whole, 2), name(whole, 1),
                String.valueOf(whole.getFileName()).replaceFirst("\\.ya?ml$", ""));
    }

    private static String name(Path file, int up) {
        int at = file.getNameCount() - 1 - up;
        return at < 0 ? "" : file.getName(at).toString();
    }

    /// "disagg_perf_deepseek-r1-fp4_1k1k_ctx1_gen4_tep8_bs32_eplb0_mtp0_ccb-NIXL".
    @Override
    public String toString() {
        return type + "_" + category + "_" + stem;
    }
}
