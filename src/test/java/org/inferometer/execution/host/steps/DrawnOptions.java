package org.inferometer.execution.host.steps;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionKind;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.units.Seed;

/// Options of a scheduler drawn at random, each at its default as often as not, none that it refuses.
final class DrawnOptions {
    /// Small loads notice small numbers.
    private static final int SMALL = 12;

    private DrawnOptions() {}

    static Selection of(SchedulerDescription<?> description, Seed seed) {
        RandomGenerator random = seed.part("options").generator();
        while (true) {
            Map<String, String> options = new LinkedHashMap<>();
            for (OptionDescription option : description.options()) {
                if (random.nextBoolean()) {
                    options.put(option.name(), value(option.kind(), random));
                }
            }
            Selection drawn = new Selection(description.name(), options);
            try {
                description.create(drawn);
                description.layout(drawn, 1);
                return drawn;
            } catch (OptionException e) {
                // Options may contradict one another; the next draw may not.
                continue;
            }
        }
    }

    private static String value(OptionKind kind, RandomGenerator random) {
        return switch (kind) {
            case OptionKind.Whole(long min, long max) ->
                Long.toString(min + random.nextLong(Math.min(max - min, SMALL) + 1));
            case OptionKind.Decimal(double min, double max) ->
                Double.toString(min + random.nextDouble() * (Math.min(max, min + 1) - min));
            case OptionKind.Flag() -> Boolean.toString(random.nextBoolean());
            case OptionKind.Choice(List<String> words) -> words.get(random.nextInt(words.size()));
            case OptionKind.Text() -> "word";
        };
    }
}
