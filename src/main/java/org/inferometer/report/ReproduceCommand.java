package org.inferometer.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.benchmark.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// Writes an experiment as the command line that runs it again.
public final class ReproduceCommand {
    private ReproduceCommand() {}

    /// `./inferometer run --engine tiny-fp8 ...`, quoted for a POSIX shell; where options cannot say it all, `--again` with the record.
    ///
    /// @param id of the experiment's record
    public static String of(ExperimentSpec spec, String id) {
        if (!sayable(spec.workloads())) {
            return "./inferometer run --again " + quoted(id);
        }
        List<String> words = new ArrayList<>(List.of("./inferometer", "run"));
        spec.engines().forEach(engine -> add(words, "--engine", engine));
        spec.schedulers().stream().map(Selection::toString).forEach(scheduler -> add(words, "--scheduler", scheduler));
        spec.workloads().forEach(workload -> add(words, "--workload", workload.name()));
        WorkloadSpec load = spec.workloads().getFirst();
        add(words, "--requests", Integer.toString(load.requests()));
        switch (load.arrivals()) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> add(words, "--concurrency", Integer.toString(concurrency));
            case ArrivalProcess.Poisson(double rate) -> add(words, "--rate", plain(rate));
        }
        add(words, "--backend", spec.backend().toString());
        add(words, "--runs", Integer.toString(spec.runs()));
        add(words, "--warmup", Integer.toString(spec.warmUpRequests()));
        add(words, "--seed", Long.toString(spec.seed()));
        add(words, "--sample-every", spec.sampleEveryMillis() + "ms");
        addUnlessDefault(words, "--kv-memory", spec.kvBytes());
        addUnlessDefault(words, "--max-batch-size", spec.limits().maxBatchRows());
        addUnlessDefault(words, "--max-num-tokens", spec.limits().maxStepPositions());
        addUnlessDefault(words, "--max-length", spec.limits().maxSequencePositions());
        return String.join(" ", words);
    }

    /// Whether every workload is a preset but for requests and arrivals, and these are the same for all.
    private static boolean sayable(List<WorkloadSpec> workloads) {
        if (workloads.isEmpty()) {
            return false;
        }
        WorkloadSpec first = workloads.getFirst();
        List<WorkloadSpec> presets = new WorkloadPresets().all();
        return workloads.stream().allMatch(workload -> workload.requests() == first.requests()
                && workload.arrivals().equals(first.arrivals())
                && presets.stream().anyMatch(preset -> preset.withRequests(first.requests()).withArrivals(first.arrivals()).equals(workload)));
    }

    private static void addUnlessDefault(List<String> words, String option, long value) {
        if (value != 0) {
            add(words, option, Long.toString(value));
        }
    }

    private static void add(List<String> words, String option, String value) {
        words.add(option);
        words.add(quoted(value));
    }

    private static String quoted(String value) {
        return value.matches("[A-Za-z0-9_.,:=/-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
