package org.inferometer.suite.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric;

/// One figure of all tests of a session: tests by loads.
///
/// @param loads in the order in which tests have them
/// @param rows one for each test with a figure
public record SuiteMatrix(List<SuiteLoad> loads, List<Row> rows) {
    /// No figures.
    public static final SuiteMatrix NONE = new SuiteMatrix(List.of(), List.of());

    /// A figure that can be shown.
    public enum Figure {
        MEDIAN_TTFT("Median TTFT", "ms", Metrics.TTFT.p50()), MEDIAN_TPOT("Median TPOT", "ms", Metrics.TPOT.p50()),
        MEDIAN_ITL("Median ITL", "ms", Metrics.ITL.p50()), MEDIAN_E2EL("Median E2E latency", "ms", Metrics.E2E.p50()),
        OUTPUT_THROUGHPUT("Output throughput", "tok/s", Metrics.OUTPUT_THROUGHPUT);

        private final String label;
        private final String unit;
        private final Metric ours;

        Figure(String label, String unit, Metric ours) {
            this.label = label;
            this.unit = unit;
            this.ours = ours;
        }

        /// "Median TTFT".
        public String label() {
            return label;
        }

        /// "ms" or "tok/s".
        public String unit() {
            return unit;
        }

        /// Its name in the framework's files: "SERVER_MEDIAN_TTFT".
        String metric() {
            return this == OUTPUT_THROUGHPUT ? name() : "SERVER_" + name();
        }

        /// Which direction is better.
        public boolean higherIsBetter() {
            return ours.better() == Metric.Better.HIGHER;
        }
    }

    /// The figures of a test.
    ///
    /// @param runs fewest complete runs behind a figure
    /// @param values by load; a load that the test does not have is absent
    public record Row(String test, int runs, Map<SuiteLoad, Double> values) {}

    /// The figures of tests in all loads.
    ///
    /// @param records of each test, by its id, in the order of the session
    public static Map<Figure, SuiteMatrix> of(Map<String, List<ExperimentRecord>> records) {
        Map<String, List<LoadFigures>> loads = new LinkedHashMap<>();
        records.forEach((test, each) -> loads.put(test, LoadFigures.of(each)));
        Map<Figure, SuiteMatrix> matrices = new LinkedHashMap<>();
        for (Figure figure : Figure.values()) {
            matrices.put(figure, of(loads, figure));
        }
        return matrices;
    }

    private static SuiteMatrix of(Map<String, List<LoadFigures>> tests, Figure figure) {
        Set<SuiteLoad> loads = new LinkedHashSet<>();
        List<Row> rows = new ArrayList<>();
        tests.forEach((test, figures) -> {
            Map<String, Map<SuiteLoad, Double>> bySubject = new LinkedHashMap<>();
            for (LoadFigures load : figures) {
                load.value(figure.ours).ifPresent(value -> bySubject
                        .computeIfAbsent(load.subject(), subject -> new LinkedHashMap<>()).put(load.load(), value));
            }
            int runs = figures.stream().mapToInt(LoadFigures::runs).min().orElse(0);
            bySubject.forEach((subject, values) -> {
                loads.addAll(values.keySet());
                rows.add(new Row(subject.isEmpty() ? test : test + " · " + subject, runs, values));
            });
        });
        return new SuiteMatrix(List.copyOf(loads), List.copyOf(rows));
    }
}
