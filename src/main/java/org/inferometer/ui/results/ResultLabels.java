package org.inferometer.ui.results;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Distinct labels for the results of a list: name, date as in the list, engines and schedulers; the folder too when these are equal. Pure.
public final class ResultLabels {
    private final Map<Path, String> words = new HashMap<>();

    /// @param choices the results of the list
    public ResultLabels(List<ResultRow> choices) {
        Map<String, Long> count =
                choices.stream().collect(Collectors.groupingBy(ResultLabels::plain, Collectors.counting()));
        choices.forEach(row -> words.put(row.folder(),
                count.getOrDefault(plain(row), 0L) > 1 ? plain(row) + " · " + row.folder().getFileName() : plain(row)));
    }

    /// "quick · 2026-11-20 09:15:07 · tiny-int4 · naive, continuous".
    public String of(ResultRow row) {
        return words.getOrDefault(row.folder(), plain(row));
    }

    private static String plain(ResultRow row) {
        return Stream.of(row.name(), ResultTable.stamp(row.added()), row.engines(), row.schedulers())
                .filter(word -> !word.isEmpty()).collect(Collectors.joining(" · "));
    }
}
