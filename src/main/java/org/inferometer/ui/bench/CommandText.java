package org.inferometer.ui.bench;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.benchmark.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// Writes an experiment as the command that runs it.
public final class CommandText {
    private CommandText() {}

    /// `./inferometer run --engine tiny-fp8 ...`, quoted for a POSIX shell.
    public static String of(ExperimentSpec spec) {
        List<String> words = new ArrayList<>(List.of("./inferometer", "run"));
        spec.engines().forEach(engine -> add(words, "--engine", engine));
        spec.schedulers().stream().map(Selection::toString).forEach(scheduler -> add(words, "--scheduler", scheduler));
        for (WorkloadSpec load : spec.workloads()) {
            add(words, "--workload", load.name());
        }
        spec.workloads().stream().findFirst().ifPresent(load -> {
            if (load.name().equals(WorkloadViewModel.CUSTOM)) {
                add(words, "--prompt-tokens", load.promptTokens().toString());
                add(words, "--output-tokens", load.outputTokens().toString());
            }
            add(words, "--requests", Integer.toString(load.requests()));
            switch (load.arrivals()) {
                case ArrivalProcess.ClosedLoop(int concurrency) -> add(words, "--concurrency", Integer.toString(concurrency));
                case ArrivalProcess.Poisson(double rate) -> add(words, "--rate", NumberFields.plain(rate));
            }
        });
        add(words, "--backend", spec.backend().toString());
        add(words, "--runs", Integer.toString(spec.runs()));
        add(words, "--warmup", Integer.toString(spec.warmUpRequests()));
        add(words, "--seed", Long.toString(spec.seed()));
        add(words, "--sample-every", spec.sampleEveryMillis() + "ms");
        return String.join(" ", words);
    }

    private static void add(List<String> words, String option, String value) {
        words.add(option);
        words.add(value.matches("[A-Za-z0-9_.,:=/-]+") ? value : "'" + value.replace("'", "'\\''") + "'");
    }
}
