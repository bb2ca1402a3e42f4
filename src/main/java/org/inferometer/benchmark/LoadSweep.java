package org.inferometer.benchmark;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// The same workloads under rising load. Written `concurrency=1,2,4,8` or `rate=0.5,1,2`.
///
/// @param loads ascending
public record LoadSweep(List<ArrivalProcess> loads) {
    private static final int MOST = 64;

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
