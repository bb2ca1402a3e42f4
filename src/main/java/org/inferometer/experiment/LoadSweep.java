package org.inferometer.experiment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// The same workloads under rising load. Written `concurrency=1,2,4,8` or `rate=0.5,1,2`.
///
/// @param values ascending: requests in flight, or requests a second
public record LoadSweep(Measure measure, List<Double> values) {
    private static final int MOST = 200;
    private static final double GRID_RATIO = 1.1;
    private static final MathContext THREE_DIGITS = new MathContext(3);
    private static final Pattern RANGE = Pattern
            .compile("(concurrency|rate)\\s*=\\s*(\\d{1,6}(?:\\.\\d{1,6})?)\\s*\\.\\.\\s*(\\d{1,6}(?:\\.\\d{1,6})?)");

    /// What rises.
    public enum Measure {
        /// Requests in flight.
        CONCURRENCY,
        /// Requests a second.
        RATE
    }

    /// Reads the written form.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static LoadSweep parse(String text) {
        int equals = text.indexOf('=');
        String what = equals < 0 ? text.strip() : text.substring(0, equals).strip();
        boolean concurrency = what.equals("concurrency");
        if (equals < 0 || !concurrency && !what.equals("rate")) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no sweep; write concurrency=1,2,4,8 or rate=0.5,1,2.");
        }
        List<Double> values = new ArrayList<>();
        for (String value : text.substring(equals + 1).split(",", -1)) {
            double load = switch (ArrivalProcess
                    .parse((concurrency ? "closed:concurrency=" : "poisson:rate=") + value.strip())) {
                case ArrivalProcess.ClosedLoop(int inFlight) -> inFlight;
                case ArrivalProcess.Poisson(double rate) -> rate;
                case ArrivalProcess.OpenLoop other -> throw new IllegalStateException("No load reads as " + other);
            };
            if (!values.isEmpty() && !(load > values.getLast())) {
                throw new IllegalArgumentException("\"" + text + "\" does not ascend at " + value.strip() + ".");
            }
            values.add(load);
        }
        if (values.size() > MOST) {
            throw new IllegalArgumentException(
                    "A sweep of " + values.size() + " loads is too long; give at most " + MOST + ".");
        }
        return new LoadSweep(concurrency ? Measure.CONCURRENCY : Measure.RATE, List.copyOf(values));
    }

    /// A grid of loads for a search, each about a tenth above the one before. Written `concurrency=1..64` or `rate=0.5..20`.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static LoadSweep grid(String text) {
        Matcher range = RANGE.matcher(text.strip());
        if (!range.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no range to search; write concurrency=1..64 or rate=0.5..20.");
        }
        boolean concurrency = range.group(1).equals("concurrency");
        double least = Double.parseDouble(range.group(2));
        double most = Double.parseDouble(range.group(3));
        if (!(least > 0 && most > least && most <= 1e5)
                || concurrency && (least != Math.rint(least) || most != Math.rint(most))) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no range to search: it must ascend from above 0 up to at most 100000"
                            + (concurrency ? ", in whole numbers." : "."));
        }
        TreeSet<Double> values = new TreeSet<>(List.of(most));
        for (double value = least; value < most; value *= GRID_RATIO) {
            values.add(concurrency ? Math.rint(value) : new BigDecimal(value).round(THREE_DIGITS).doubleValue());
        }
        return new LoadSweep(concurrency ? Measure.CONCURRENCY : Measure.RATE, List.copyOf(values));
    }

    /// Every workload under every load, named after both: "short-c4", "chat-r0.5". Under a rate, constant and bursty arrivals stay so; all
    /// others become independent ones.
    public List<WorkloadSpec> over(List<WorkloadSpec> workloads) {
        List<WorkloadSpec> swept = new ArrayList<>();
        for (WorkloadSpec workload : workloads) {
            values.forEach(value -> swept.add(workload.withArrivals(arrivals(workload.arrivals(), value))
                    .withName(workload.name() + suffix(value))));
        }
        return swept;
    }

    private ArrivalProcess arrivals(ArrivalProcess usual, double value) {
        if (measure == Measure.CONCURRENCY) {
            return new ArrivalProcess.ClosedLoop((int) value);
        }
        return switch (usual) {
            case ArrivalProcess.Constant constant -> new ArrivalProcess.Constant(value);
            case ArrivalProcess.Gamma gamma -> new ArrivalProcess.Gamma(value, gamma.burstiness());
            case ArrivalProcess.ClosedLoop closed -> new ArrivalProcess.Poisson(value);
            case ArrivalProcess.OpenLoop open -> new ArrivalProcess.Poisson(value);
        };
    }

    private String suffix(double value) {
        String number = value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
        return (measure == Measure.CONCURRENCY ? "-c" : "-r") + number;
    }
}
