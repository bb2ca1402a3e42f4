package org.inferometer.suite.serving;

import java.util.List;
import java.util.Set;

/// What a test is about.
///
/// @param precision "fp4", "fp8"
/// @param modelFolder name of the checkpoint's folder
/// @param supportedGpus as written; the framework's default where the file has none
/// @param benchmarkType as written: "1k1k"
public record Metadata(String modelName, String precision, String modelFolder, List<String> supportedGpus,
        String benchmarkType, String scriptFile, String datasetFile) {
    /// The framework's default.
    static final List<String> STANDARD_GPUS = List.of("GB200", "GB300", "H100", "B200", "B300");
    private static final Set<String> KEYS = Set.of("model_name", "precision", "model_dir_name", "supported_gpus",
            "script_file", "benchmark_type", "config_index", "dataset_file", "metrics", "accuracy");

    static Metadata read(Section section) {
        section.noteUnknown(KEYS);
        List<String> gpus = section.words("supported_gpus");
        return new Metadata(section.text("model_name"), section.text("precision"), section.text("model_dir_name"),
                gpus.isEmpty() ? STANDARD_GPUS : gpus, section.text("benchmark_type"), section.text("script_file"),
                section.text("dataset_file"));
    }
}
