package org.inferometer.report;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.inferometer.wording.HeadedText;

/// One finding of an experiment, and the charts that show it.
///
/// @param words of an answer the sentence that stands out, and what stands below it
/// @param shows what its chart shows: "TTFT P50"; empty if none does
/// @param charts ids, the best first; one that ends with `*` stands for all that begin so. Empty if no chart shows it
public record Finding(HeadedText words, String shows, List<String> charts) {
    /// A finding in one piece.
    public Finding(String text, String shows, List<String> charts) {
        this(new HeadedText(text, ""), shows, charts);
    }

    /// Of which no chart tells.
    public static Finding of(String text) {
        return new Finding(text, "", List.of());
    }

    /// The same in other words.
    public Finding withText(UnaryOperator<String> change) {
        return new Finding(words.withText(change), shows, charts);
    }

    /// All of its words.
    public String text() {
        return words.toString();
    }

    /// The same behind other words, which stand out with it.
    public Finding behind(String first) {
        return first.isEmpty() ? this : new Finding(
                new HeadedText(first + (text().isEmpty() ? "" : " ") + words.head(), words.rest()), shows, charts);
    }

    /// The chart that shows it among those that exist; empty without one.
    ///
    /// @param id of a chart
    public <C> Optional<C> chartAmong(List<C> existing, Function<C, String> id) {
        return charts.stream().flatMap(wanted -> existing.stream().filter(chart -> matches(wanted, id.apply(chart))))
                .findFirst();
    }

    private static boolean matches(String wanted, String id) {
        return wanted.endsWith("*") ? id.startsWith(wanted.substring(0, wanted.length() - 1)) : id.equals(wanted);
    }
}
