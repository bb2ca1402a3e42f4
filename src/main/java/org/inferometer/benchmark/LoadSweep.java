package org.inferometer.benchmark;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// The same workloads under rising load. Written `concurrency=1,2,4,8` or `rate=0.5,1,2`.
///
/// @param loads ascending
public record LoadSweep(List<ArrivalProcess> loads) {
    private static final int MOST = 200;
    private static final double GRID_RATIO = 1.1;
    private static final MathContext THREE_DIGITS = new MathContext(3);
    private static final Pattern RANGE = Pattern.compile("(concurrency|rate)\\s*=\\s*(\\d{1,6}(?:\\.\\d{1,6})?)\\s*\\.\\.\\s*(\\d{1,6}(?:\\.\\d{1,6})?)");

    /// Reads the written form.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static LoadSweep parse(String text) {
        int equals = text.indexOf('=');
        String what = equals < 0 ? text.strip() : text.substring(0, equals).strip();
        boolean concurrency = what.equals("concurrency");
        if (equals < 0 || !concurrency && !what.equals("rate")) {
            throw new IllegalArgumentException("\"" + text + "\" is no sweep; write concurrency=1,2,4,8 or rate=0.5,1,2.");
        }
        List<ArrivalProcess> loads = new ArrayList<>();
        for (String value : text.substring(equals + 1).split(",", -1)) {
            ArrivalProcess load = ArrivalProcess.parse((concurrency ? "closed:concurrency=" : "poisson:rate=") + value.strip());
            if (!loads.isEmpty() && !(size(load) > size(loads.getLast()))) {
                throw new IllegalArgumentException("\"" + text + "\" does not ascend at " + value.strip() + ".");
            }
            loads.add(load);
        }
        if (loads.size() > MOST) {
            throw new IllegalArgumentException("A sweep of " + loads.size() + " loads is too long; give at most " + MOST + ".");
        }
        return new LoadSweep(List.copyOf(loads));
    }

    /// A grid of loads for a search, each about a tenth above the one before. Written `concurrency=1..64` or `rate=0.5..20`.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static LoadSweep grid(String text) {
        Matcher range = RANGE.matcher(text.strip());
        if (!range.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no range to search; write concurrency=1..64 or rate=0.5..20.");
        }
        boolean concurrency = range.group(1).equals("concurrency");
        double least = Double.parseDouble(range.group(2));
        double most = Double.parseDouble(range.group(3));
        if (!(least > 0 && most > least && most <= 1e5) || concurrency && (least != Math.rint(least) || most != Math.rint(most))) {
            throw new IllegalArgumentException("\"" + text + "\" is no range to search: it must ascend from above 0 up to at most 100000"
                    + (concurrency ? ", in whole numbers." : "."));
        }
        TreeSet<Double> values = new TreeSet<>(List.of(most));
        for (double value = least; value < most; value *= GRID_RATIO) {
            values.add(concurrency ? Math.rint(value) : new BigDecimal(value).round(THREE_DIGITS).doubleValue());
        }
        String list = values.stream().map(value -> concurrency ? Long.toString(value.longValue()) : value.toString()).collect(Collectors.joining(","));
        return parse(range.group(1) + "=" + list);
    }

    /// Every workload under every load, named after both: "short-c4", "chat-r0.5".
    public List<WorkloadSpec> over(List<WorkloadSpec> workloads) {
        List<WorkloadSpec> swept = new ArrayList<>();
        for (WorkloadSpec workload : workloads) {
            loads.forEach(load -> swept.add(workload.withArrivals(load).named(workload.name() + "-" + suffix(load))));
        }
        return swept;
    }

    /// Requests in flight or requests a second.
    static double size(ArrivalProcess load) {
        return switch (load) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> concurrency;
            case ArrivalProcess.Poisson(double rate) -> rate;
        };
    }

    private static String suffix(ArrivalProcess load) {
        return switch (load) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> "c" + concurrency;
            case ArrivalProcess.Poisson(double rate) -> "r" + (rate == Math.rint(rate) ? Long.toString((long) rate) : Double.toString(rate));
        };
    }
}
