package org.inferometer.suite.serving;

import java.util.List;
import java.util.Set;

/// How a test's figures are read from its log. Empty fields have the defaults of its type.
///
/// @param pattern groups are the metrics, and last the concurrency
/// @param names of the metrics, in the order of the groups
public record MetricsFields(String logFile, String pattern, List<String> names, Section section) {
    private static final Set<String> KEYS = Set.of("log_file", "extractor_pattern", "metric_names");

    static MetricsFields read(Section section) {
        section.noteUnknown(KEYS);
        return new MetricsFields(section.text("log_file"), section.text("extractor_pattern"),
                section.words("metric_names"), section);
    }
}
