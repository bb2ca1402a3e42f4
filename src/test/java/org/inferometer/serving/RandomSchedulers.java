package org.inferometer.serving;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionKind;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.Seed;

/// Every scheduler of the registry, the toys beside them, and options drawn at random for each.
final class RandomSchedulers {
    static final SchedulerRegistry REGISTRY =
            new SchedulerRegistry(Stream.concat(SchedulerRegistry.standard().descriptions().stream(),
                    Stream.of(TransferScheduler.DESCRIPTION, PrefixReuseScheduler.DESCRIPTION)).toList());

    /// Small numbers meet the edges of small loads.
    private static final int SMALL = 24;

    private static final int DRAWS = 100;

    private RandomSchedulers() {}

    static Scheduler create(Selection selection) throws OptionException {
        return REGISTRY.create(selection);
    }

    /// Options that the scheduler accepts; each stays at its default as often as not.
    static Selection draw(SchedulerDescription<?> description, Seed seed) {
        for (int i = 0; i < DRAWS; i++) {
            RandomGenerator random = seed.part(description.name()).part(i).generator();
            Map<String, String> options = new LinkedHashMap<>();
            for (OptionDescription option : description.options()) {
                if (random.nextBoolean()) {
                    options.put(option.name(), value(option.kind(), random));
                }
            }
            Selection drawn = new Selection(description.name(), options);
            if (isAccepted(description, drawn)) {
                return drawn;
            }
        }
        return Selection.of(description.name());
    }

    private static boolean isAccepted(SchedulerDescription<?> description, Selection drawn) {
        try {
            description.create(drawn);
            description.layout(drawn, 1);
            return true;
        } catch (OptionException e) {
            return false;
        }
    }

    private static String value(OptionKind kind, RandomGenerator random) {
        return switch (kind) {
            case OptionKind.Whole(long min, long max) ->
                Long.toString(min + random.nextLong(Math.min(max - min, SMALL) + 1));
            case OptionKind.Decimal(double min, double max) ->
                Double.toString(decimal(min, Math.min(max, min + 1), random));
            case OptionKind.Flag() -> Boolean.toString(random.nextBoolean());
            case OptionKind.Choice(List<String> words) -> words.get(random.nextInt(words.size()));
            case OptionKind.Text() -> "word";
        };
    }

    /// Mostly near the lower end: timeouts of microseconds are what these loads notice.
    private static double decimal(double min, double max, RandomGenerator random) {
        return random.nextBoolean() ? min + (max - min) * random.nextDouble()
                : min + (max - min) * 1e-5 * random.nextDouble();
    }
}
