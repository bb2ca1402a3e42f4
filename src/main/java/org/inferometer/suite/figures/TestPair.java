package org.inferometer.suite.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.suite.figures.SuiteMatrix.Figure;

/// One figure of two tests under one load. It is a mean over runs without an interval.
///
/// @param base name of a test
/// @param candidate name of the other
/// @param runs fewest runs behind a figure of either
public record TestPair(String base, String candidate, SuiteLoad load, Figure figure, double baseValue,
        double candidateValue, int runs) {
    private static final Pattern TRANSCEIVER = Pattern.compile("ccb-([A-Za-z0-9]+)");
    private static final String STANDARD = "DEFAULT";

    /// Change from the base, percent of the base.
    public double differencePercent() {
        return (candidateValue - baseValue) / baseValue * 100;
    }

    /// By how much the candidate is worse, percent of the base; negative if it is better.
    public double lossPercent() {
        return figure.higherIsBetter() ? -differencePercent() : differencePercent();
    }

    /// Tests of one session whose names differ in the cache transceiver alone (`ccb-UCX`). The base is `ccb-DEFAULT`, else the first.
    public static List<TestPair> ofTransceivers(Map<String, List<ExperimentRecord>> tests) {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        tests.keySet().forEach(test -> transceiver(test).ifPresent(word -> groups
                .computeIfAbsent(TRANSCEIVER.matcher(test).replaceFirst("ccb"), key -> new ArrayList<>()).add(test)));
        List<TestPair> pairs = new ArrayList<>();
        for (List<String> group : groups.values()) {
            String base = group.stream().filter(test -> transceiver(test).equals(Optional.of(STANDARD))).findFirst()
                    .orElse(group.getFirst());
            group.stream().filter(test -> !test.equals(base)).forEach(test -> pairs
                    .addAll(of(base, tests.getOrDefault(base, List.of()), test, tests.getOrDefault(test, List.of()))));
        }
        return pairs;
    }

    private static Optional<String> transceiver(String test) {
        Matcher found = TRANSCEIVER.matcher(test);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /// Tests of the same name in two sessions.
    public static List<TestPair> ofSessions(Map<String, List<ExperimentRecord>> base,
            Map<String, List<ExperimentRecord>> candidate) {
        List<TestPair> pairs = new ArrayList<>();
        base.forEach((test, records) -> pairs.addAll(of(test, records, test, candidate.getOrDefault(test, List.of()))));
        return pairs;
    }

    private static List<TestPair> of(String base, List<ExperimentRecord> baseRecords, String candidate,
            List<ExperimentRecord> candidateRecords) {
        Map<Figure, SuiteMatrix> ours = SuiteMatrix.of(Map.of(base, baseRecords));
        Map<Figure, SuiteMatrix> theirs = SuiteMatrix.of(Map.of(candidate, candidateRecords));
        List<TestPair> pairs = new ArrayList<>();
        for (Figure figure : Figure.values()) {
            for (SuiteMatrix.Row left : ours.getOrDefault(figure, SuiteMatrix.NONE).rows()) {
                // Engines and servers of an experiment are partners by their names.
                String subject = left.test().substring(base.length());
                theirs.getOrDefault(figure, SuiteMatrix.NONE).rows().stream()
                        .filter(right -> right.test().equals(candidate + subject))
                        .forEach(right -> pairs.addAll(of(figure, left, right)));
            }
        }
        return pairs;
    }

    private static List<TestPair> of(Figure figure, SuiteMatrix.Row base, SuiteMatrix.Row candidate) {
        List<TestPair> pairs = new ArrayList<>();
        base.values().forEach((load, value) -> {
            Double other = candidate.values().get(load);
            if (other != null && value > 0) {
                pairs.add(new TestPair(base.test(), candidate.test(), load, figure, value, other,
                        Math.min(base.runs(), candidate.runs())));
            }
        });
        return pairs;
    }

    /// As the framework's table of backends has it.
    ///
    /// @param marginPercent largest loss that passes
    public List<String> csv(double marginPercent) {
        return List.of(name(base), name(candidate), figure.metric(), number(baseValue), number(candidateValue),
                number(differencePercent()), number(Math.max(0, lossPercent())), status(marginPercent));
    }

    private String name(String test) {
        return test + "_" + load.pairSuffix();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    /// "pass", or "regression" if the loss is above the margin.
    public String status(double marginPercent) {
        return lossPercent() > marginPercent ? "regression" : "pass";
    }
}
