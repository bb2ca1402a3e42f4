package org.inferometer.ui.results;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Distinct labels for the results of a list: name, date as in the list, engines and schedulers. Equal ones have the second too,
/// and then the folder. Pure.
public final class ResultLabels {
    private static final List<Function<ResultRow, String>> SHORTEST_FIRST = List.of(ResultLabels::toTheMinute,
            ResultLabels::toTheSecond, row -> toTheSecond(row) + " · " + row.folder().getFileName());

    private final Map<Path, String> words = new HashMap<>();

    /// @param choices the results of the list
    public ResultLabels(List<ResultRow> choices) {
        for (Function<ResultRow, String> form : SHORTEST_FIRST) {
            Map<String, Long> count = choices.stream().collect(Collectors.groupingBy(form, Collectors.counting()));
            choices.stream()
                    .filter(row -> !words.containsKey(row.folder()) && count.getOrDefault(form.apply(row), 0L) == 1)
                    .forEach(row -> words.put(row.folder(), form.apply(row)));
        }
    }

    /// "quick · 2026-11-20 09:15 · tiny-int4 · naive, continuous".
    public String of(ResultRow row) {
        return words.getOrDefault(row.folder(), toTheMinute(row));
    }

    private static String toTheMinute(ResultRow row) {
        return label(row, ResultTable::minute);
    }

    private static String toTheSecond(ResultRow row) {
        return label(row, ResultTable::stamp);
    }

    private static String label(ResultRow row, Function<Instant, String> date) {
        return Stream.of(row.name(), date.apply(row.added()), row.engines(), row.schedulers())
                .filter(word -> !word.isEmpty()).collect(Collectors.joining(" · "));
    }
}
