package org.inferometer.experiment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// Rising strengths of load. Written `concurrency=1,2,4,8` or `rate=0.5,1,2`; a grid for a search `concurrency=1..64`.
///
/// @param values ascending: requests in flight, or requests a second
public record LoadSweep(Measure measure, List<Double> values) {
    private static final int MOST = 200;
    private static final double GRID_RATIO = 1.1;
    private static final double LARGEST = 100_000;
    private static final String RANGE = "..";
    private static final MathContext THREE_DIGITS = new MathContext(3);

    /// The measure of load.
    public enum Measure {
        /// Requests in flight.
        CONCURRENCY,
        /// Requests a second.
        RATE;

        /// The name in written sweeps: "concurrency".
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// Arrivals of a strength.
        public ArrivalProcess arrivals(double value) {
            return switch (this) {
                case CONCURRENCY -> new ArrivalProcess.ClosedLoop((int) value);
                case RATE -> new ArrivalProcess.Poisson(value);
            };
        }

        /// The strength of arrivals; empty where they are of another kind.
        public OptionalDouble of(ArrivalProcess arrivals) {
            return switch (arrivals) {
                case ArrivalProcess.ClosedLoop(int concurrency) when this == CONCURRENCY ->
                    OptionalDouble.of(concurrency);
                case ArrivalProcess.Poisson(double rate) when this == RATE -> OptionalDouble.of(rate);
                case ArrivalProcess.ClosedLoop other -> OptionalDouble.empty();
                case ArrivalProcess.OpenLoop other -> OptionalDouble.empty();
            };
        }

        /// The value of a strength that was written.
        private double parse(String text) {
            return of(ArrivalProcess
                    .parse((this == CONCURRENCY ? "closed:concurrency=" : "poisson:rate=") + FieldType.expanded(text)))
                    .orElseThrow();
        }
    }

    /// Reads `concurrency=1,2,4`.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static LoadSweep parse(String text) {
        return values(measure(text), text.substring(text.indexOf('=') + 1));
    }

    /// Reads `concurrency=1..64`, a grid in which each load is about a tenth above the one before.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static LoadSweep grid(String text) {
        return range(measure(text), text.substring(text.indexOf('=') + 1));
    }

    /// Reads strengths of a measure: `1, 2, 4` or a range `1..64`.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static LoadSweep parse(Measure measure, String text) {
        return text.contains(RANGE) ? range(measure, text) : values(measure, text);
    }

    private static Measure measure(String text) {
        int equals = text.indexOf('=');
        String word = (equals < 0 ? text : text.substring(0, equals)).strip();
        List<String> words = Arrays.stream(Measure.values()).map(Measure::id).toList();
        if (equals < 0 || !words.contains(word)) {
            throw new IllegalArgumentException(NearMisses.sentence("load", word, words)
                    + " Write concurrency=1,2,4,8 or rate=0.5,1,2; for a search concurrency=1..64.");
        }
        return Measure.values()[words.indexOf(word)];
    }

    private static LoadSweep values(Measure measure, String text) {
        if (text.chars().filter(letter -> letter == ',').count() >= MOST) {
            throw new IllegalArgumentException("More than " + MOST + " loads for a sweep. Give fewer.");
        }
        List<Double> values = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            double load = measure.parse(part.strip());
            if (!values.isEmpty() && !(load > values.getLast())) {
                throw new IllegalArgumentException("\"" + OneLine.of(text) + "\" does not rise at " + part.strip()
                        + ". Write rising loads, as in 1,2,4.");
            }
            values.add(load);
        }
        return new LoadSweep(measure, List.copyOf(values));
    }

    private static LoadSweep range(Measure measure, String text) {
        String[] ends = text.split("\\.\\.", 3);
        if (ends.length != 2) {
            throw new IllegalArgumentException("\"" + OneLine.of(text)
                    + "\" is not a range of loads. Write the lowest and the highest, as in 1..64.");
        }
        double least = measure.parse(ends[0].strip());
        double most = measure.parse(ends[1].strip());
        if (!(most > least && most <= LARGEST)) {
            throw new IllegalArgumentException("\"" + OneLine.of(text)
                    + "\" is not a range of loads: it must rise to at most " + FieldType.plain(LARGEST) + ".");
        }
        TreeSet<Double> values = new TreeSet<>(List.of(most));
        for (double value = least; value < most; value *= GRID_RATIO) {
            values.add(switch (measure) {
                case CONCURRENCY -> Math.rint(value);
                case RATE -> new BigDecimal(value).round(THREE_DIGITS).doubleValue();
            });
        }
        return new LoadSweep(measure, List.copyOf(values));
    }

    /// Every workload under every load, named after both: "short-c4", "chat-r0.5". Under a rate, constant and bursty
    /// arrivals stay so; all others become independent ones.
    public List<WorkloadSpec> over(List<WorkloadSpec> workloads) {
        List<WorkloadSpec> swept = new ArrayList<>();
        for (WorkloadSpec workload : workloads) {
            values.forEach(value -> swept.add((measure == Measure.CONCURRENCY ? workload.withSlots((int) (double) value)
                    : workload.withArrivals(arrivals(workload.arrivals(), value)))
                    .withName(workload.name() + suffix(value))));
        }
        return swept;
    }

    private ArrivalProcess arrivals(ArrivalProcess usual, double value) {
        return switch (usual) {
            case ArrivalProcess.Constant constant when measure == Measure.RATE -> new ArrivalProcess.Constant(value);
            case ArrivalProcess.Gamma gamma when measure == Measure.RATE ->
                new ArrivalProcess.Gamma(value, gamma.burstiness());
            case ArrivalProcess.ClosedLoop closed -> measure.arrivals(value);
            case ArrivalProcess.OpenLoop open -> measure.arrivals(value);
        };
    }

    /// The ending of the name of a workload with these arrivals; empty where they are none of this measure.
    String suffix(ArrivalProcess arrivals) {
        return measure.of(arrivals).stream().mapToObj(this::suffix).findFirst().orElse("");
    }

    private String suffix(double value) {
        return (measure == Measure.CONCURRENCY ? "-c" : "-r") + FieldType.plain(value);
    }

    /// The range that [#grid] reads back, as in `1..64`; empty where the loads are no such grid.
    public Optional<String> range() {
        String range = FieldType.plain(values.getFirst()) + RANGE + FieldType.plain(values.getLast());
        try {
            return values.size() > 2 && range(measure, range).equals(this) ? Optional.of(range) : Optional.empty();
        } catch (IllegalArgumentException e) {
            // Not every load can be the end of a range.
            return Optional.empty();
        }
    }

    /// The loads with commas between: `1,2,4`.
    public String list() {
        return values.stream().map(FieldType::plain).collect(Collectors.joining(","));
    }
}
