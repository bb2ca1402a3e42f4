package org.inferometer.ui.results;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Distinct labels for the results of a list: name, date as in the list, engines and schedulers. Equal ones have the second too,
/// and then the folder. Pure.
public final class ResultLabels {
    private static final List<Function<ResultRow, String>> SHORT =
            List.of(ResultLabels::minute, ResultLabels::second, row -> joined(second(row), folder(row)));
    private static final List<Function<ResultRow, String>> WHOLE = List.of(row -> described(minute(row), row),
            row -> described(second(row), row), row -> joined(described(second(row), row), folder(row)));

    private final Map<Path, String> whole;
    private final Map<Path, String> narrow;

    /// @param choices the results of the list
    public ResultLabels(List<ResultRow> choices) {
        whole = distinct(choices, WHOLE);
        narrow = distinct(choices, SHORT);
    }

    /// @param forms the shortest first
    private static Map<Path, String> distinct(List<ResultRow> choices, List<Function<ResultRow, String>> forms) {
        Map<Path, String> words = new HashMap<>();
        for (Function<ResultRow, String> form : forms) {
            Map<String, Long> count = choices.stream().collect(Collectors.groupingBy(form, Collectors.counting()));
            choices.stream()
                    .filter(row -> !words.containsKey(row.folder()) && count.getOrDefault(form.apply(row), 0L) == 1)
                    .forEach(row -> words.put(row.folder(), form.apply(row)));
        }
        return words;
    }

    /// "quick · 2026-11-20 09:15 · tiny-int4 · naive, continuous".
    public String of(ResultRow row) {
        return whole.getOrDefault(row.folder(), described(minute(row), row));
    }

    /// "quick · 2026-11-20 09:15", for boxes that would cut the rest.
    public String shortOf(ResultRow row) {
        return narrow.getOrDefault(row.folder(), minute(row));
    }

    private static String minute(ResultRow row) {
        return joined(row.name(), ResultTable.minute(row.added()));
    }

    private static String second(ResultRow row) {
        return joined(row.name(), ResultTable.stamp(row.added()));
    }

    private static String described(String start, ResultRow row) {
        return joined(start, row.engines(), row.schedulers());
    }

    private static String folder(ResultRow row) {
        return String.valueOf(row.folder().getFileName());
    }

    private static String joined(String... words) {
        return Stream.of(words).filter(word -> !word.isEmpty()).collect(Collectors.joining(" · "));
    }
}
