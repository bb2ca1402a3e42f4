package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.units.QuantityText;

/// Reads how much load people type into the designer: `8`, several as `1, 2, 4, 8`, or `1..64` for a grid whose loads rise by a tenth.
final class LoadFields {
    private static final int MOST_IN_FLIGHT = 100_000;
    private static final double LEAST_RATE = 0.001;
    private static final double MOST_RATE = 1_000_000;
    private static final int MOST_LOADS = 200;
    private static final int SHOWN_LOADS = 6;
    private static final String RANGE = "..";

    private LoadFields() {}

    /// Requests in flight.
    static FieldViewModel<LoadSweep> concurrency(String key, int first) {
        return new FieldViewModel<>(key, Integer.toString(first), typed -> read(Measure.CONCURRENCY, typed),
                sweep -> echo(key, sweep));
    }

    /// Arrivals a second.
    static FieldViewModel<LoadSweep> rate(String key, double first) {
        return new FieldViewModel<>(key, NumberFields.plain(first), typed -> read(Measure.RATE, typed),
                sweep -> echo(key, sweep));
    }

    /// The loads as people would type them.
    static String written(LoadSweep sweep) {
        List<Double> values = sweep.values();
        String range = NumberFields.plain(values.getFirst()) + RANGE + NumberFields.plain(values.getLast());
        boolean grid = values.size() > 2 && isGrid(sweep, range);
        return grid ? range : values.stream().map(NumberFields::plain).collect(Collectors.joining(", "));
    }

    private static boolean isGrid(LoadSweep sweep, String range) {
        try {
            return read(sweep.measure(), range).equals(sweep);
        } catch (IllegalArgumentException e) {
            // Not every load can be the end of a range: it has few decimals and a bound.
            return false;
        }
    }

    private static LoadSweep read(Measure measure, String typed) {
        if (typed.contains(RANGE)) {
            return LoadSweep.grid(word(measure) + "=" + typed.strip());
        }
        List<Double> values = new ArrayList<>();
        for (String word : typed.split(",", -1)) {
            double value = switch (measure) {
                case CONCURRENCY -> inFlight(word);
                case RATE -> NumberFields.decimal(word, LEAST_RATE, MOST_RATE);
            };
            if (!values.isEmpty() && value <= values.getLast()) {
                throw new IllegalArgumentException(text("field.not-ascending", word.strip()));
            }
            values.add(value);
        }
        if (values.size() > MOST_LOADS) {
            throw new IllegalArgumentException(text("field.too-many", MOST_LOADS));
        }
        return new LoadSweep(measure, List.copyOf(values));
    }

    private static long inFlight(String word) {
        long value = QuantityText.parseCount(word);
        if (value < 1 || value > MOST_IN_FLIGHT) {
            throw new IllegalArgumentException(text("field.range", 1, MOST_IN_FLIGHT));
        }
        return value;
    }

    private static String word(Measure measure) {
        return switch (measure) {
            case CONCURRENCY -> "concurrency";
            case RATE -> "rate";
        };
    }

    private static String echo(String key, LoadSweep sweep) {
        List<String> values = sweep.values().stream().map(NumberFields::plain).toList();
        if (values.size() == 1) {
            return text(key + ".echo", values.getFirst());
        }
        String shown = values.size() <= SHOWN_LOADS ? String.join(", ", values)
                : String.join(", ", values.subList(0, SHOWN_LOADS - 2)) + ", … " + values.getLast();
        return text(key + ".echo-several", values.size(), shown);
    }
}
