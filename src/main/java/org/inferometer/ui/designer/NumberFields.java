package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.LengthDistribution;

/// Reads the numbers people type into the designer: `1.5k`, `250ms`, `1..20`.
final class NumberFields {
    private static final int MOST_COUNTS = 12;

    private NumberFields() {}

    /// A whole count within a range.
    static FieldViewModel<Integer> count(String key, int first, int min, int max) {
        return new FieldViewModel<>(key, Integer.toString(first),
                typed -> (int) ranged(QuantityText.parseCount(typed), min, max), value -> text(key + ".echo", value));
    }

    /// Whole counts, one or several with commas between, each once.
    static FieldViewModel<List<Integer>> counts(String key, int first, int max) {
        return new FieldViewModel<>(key, Integer.toString(first), typed -> countList(typed, max),
                values -> values.size() == 1 ? text(key + ".echo", values.getFirst()) : text(key + ".echo-several",
                        values.size(), values.stream().map(String::valueOf).collect(Collectors.joining(", "))));
    }

    private static List<Integer> countList(String typed, int max) {
        List<Integer> counts = new ArrayList<>();
        for (String word : typed.split(",", -1)) {
            int count = (int) ranged(QuantityText.parseCount(word), 1, max);
            if (counts.contains(count)) {
                throw new IllegalArgumentException(text("field.twice", count));
            }
            counts.add(count);
        }
        if (counts.size() > MOST_COUNTS) {
            throw new IllegalArgumentException(text("field.too-many", MOST_COUNTS));
        }
        return List.copyOf(counts);
    }

    /// A seed: any whole number.
    static FieldViewModel<Long> seed(String key, long first) {
        return new FieldViewModel<>(key, Long.toString(first), NumberFields::wholeNumber, value -> "");
    }

    /// A duration in milliseconds.
    static FieldViewModel<Integer> millis(String key, int first, int min, int max) {
        return new FieldViewModel<>(key, first + " ms",
                typed -> (int) ranged(QuantityText.parseNanos(typed) / 1_000_000, min, max),
                value -> text(key + ".echo", value));
    }

    /// A token length or a distribution of lengths.
    static FieldViewModel<LengthDistribution> lengths(String key, LengthDistribution first) {
        return new FieldViewModel<>(key, first.toString(), LengthDistribution::parse, NumberFields::lengthWords);
    }

    /// A decimal number with an optional k or M.
    static double decimal(String typed, double min, double max) {
        String word = typed.strip().toLowerCase(Locale.ROOT);
        double factor = word.endsWith("k") ? 1e3 : word.endsWith("m") ? 1e6 : 1;
        String digits = factor == 1 ? word : word.substring(0, word.length() - 1);
        if (!digits.strip().matches("-?\\d{1,15}(\\.\\d{1,12})?")) {
            throw new IllegalArgumentException(text("field.no-number", typed));
        }
        double value = Double.parseDouble(digits.strip()) * factor;
        if (value < min || value > max) {
            throw new IllegalArgumentException(text("field.range", plain(min), plain(max)));
        }
        return value;
    }

    static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? String.format(Locale.ROOT, "%.0f", value)
                : Double.toString(value);
    }

    private static long wholeNumber(String typed) {
        try {
            return Long.parseLong(typed.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text("field.no-whole-number", typed), e);
        }
    }

    private static long ranged(long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(text("field.range", min, max));
        }
        return value;
    }

    private static String lengthWords(LengthDistribution lengths) {
        return switch (lengths) {
            case LengthDistribution.Fixed(int tokens) -> text("lengths.fixed", tokens);
            case LengthDistribution.Uniform(int min, int max) -> text("lengths.uniform", min, max);
            case LengthDistribution.Lognormal(double median, double ignored, int min, int max) ->
                text("lengths.lognormal", plain(median), min, max);
        };
    }
}
