package org.inferometer.report.document;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.experiment.ExperimentSpec;
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
        List<String> presets = presets(spec.workloads());
        List<String> arriving = spec.workloads().isEmpty() ? List.of() : arriving(spec.workloads().getFirst());
        if (presets.isEmpty() || arriving.isEmpty() || spec.search()) {
            return "./inferometer run --again " + quoted(id);
        }
        List<String> words = new ArrayList<>(List.of("./inferometer", "run"));
        driven(words, spec);
        if (spec.baseline() != null) {
            add(words, "--baseline", spec.baseline());
        }
        presets.forEach(preset -> add(words, "--workload", preset));
        add(words, "--requests",
                counts(spec.workloads()).stream().map(String::valueOf).collect(Collectors.joining(",")));
        words.addAll(arriving);
        if (spec.backends().size() == 1) {
            add(words, "--backend", spec.backends().getFirst().toString());
        }
        if (!spec.goal().objective().isEmpty()) {
            add(words, "--slo", spec.goal().objective().toString());
        }
        if (spec.goal().pricePerHour() > 0) {
            add(words, "--price", plain(spec.goal().pricePerHour()));
        }
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

    private static void driven(List<String> words, ExperimentSpec spec) {
        spec.targets().forEach(target -> add(words, "--target", target.toString()));
        spec.engines().forEach(engine -> add(words, "--engine", engine));
        spec.schedulers().forEach(scheduler -> add(words, "--scheduler", scheduler.toString()));
    }

    /// The option that says how requests arrive; empty where none does.
    private static List<String> arriving(WorkloadSpec load) {
        return switch (load.arrivals()) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> List.of("--concurrency", Integer.toString(concurrency));
            case ArrivalProcess.Poisson(double rate) -> List.of("--rate", plain(rate));
            case ArrivalProcess.Trace trace -> List.of();
            case ArrivalProcess.OpenLoop other -> List.of("--arrivals", other.toString());
        };
    }

    /// The presets that these workloads are, each with the same numbers of requests and the same arrivals; none where they are not.
    private static List<String> presets(List<WorkloadSpec> workloads) {
        List<Integer> counts = counts(workloads);
        List<WorkloadSpec> all = new WorkloadPresets().all();
        List<String> names = new ArrayList<>();
        List<WorkloadSpec> said = new ArrayList<>();
        for (WorkloadSpec workload : workloads) {
            all.stream().filter(preset -> counted(preset, workload, counts.size()).equals(workload))
                    .map(WorkloadSpec::name).findFirst().filter(name -> !names.contains(name)).ifPresent(names::add);
        }
        for (String name : names) {
            WorkloadSpec preset = new WorkloadPresets().find(name);
            counts.forEach(count -> said.add(counted(preset, workloads.getFirst().withRequests(count), counts.size())));
        }
        return said.equals(workloads) ? names : List.of();
    }

    /// A preset as the command line makes it: with one number of requests it keeps its name.
    private static WorkloadSpec counted(WorkloadSpec preset, WorkloadSpec like, int counts) {
        String name = counts > 1 ? preset.name() + "-" + like.requests() : preset.name();
        return preset.withName(name).withArrivals(like.arrivals()).withRequests(like.requests());
    }

    private static List<Integer> counts(List<WorkloadSpec> workloads) {
        return workloads.stream().map(WorkloadSpec::requests).distinct().toList();
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

    /// One word of a command line for a POSIX shell: in single quotes, unless nothing in it could be read as anything else.
    public static String quoted(String value) {
        return value.matches("[A-Za-z0-9_.,:=/-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
