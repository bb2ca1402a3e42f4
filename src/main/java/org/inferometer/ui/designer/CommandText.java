package org.inferometer.ui.designer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.report.document.ReproduceCommand;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// Writes an experiment of the designer as the command that runs it.
public final class CommandText {
    private static final String NO_RECORD = "none";
    private static final String PRESET = "./inferometer run quick";

    private CommandText() {}

    /// The command, or empty where the load has lengths that no preset has: options cannot say them.
    ///
    /// @param quick the preset whose load has a name of its own
    public static Optional<String> of(ExperimentSpec spec, ExperimentSpec quick) {
        if (spec.equals(quick)) {
            return Optional.of(PRESET);
        }
        Optional<LoadGrid> rising = LoadGrid.of(spec.workloads());
        if (rising.isPresent()) {
            return rising(spec, rising.get(), quick);
        }
        String command = ReproduceCommand.of(spec, NO_RECORD);
        if (!command.contains("--again")) {
            return Optional.of(command);
        }
        boolean quickLoad =
                spec.workloads().size() == 1 && quick.workloads().size() == 1 && sayable(spec.workloads().getFirst())
                        && sameShape(spec.workloads().getFirst(), quick.workloads().getFirst());
        return quickLoad ? Optional.of(overPreset(spec)) : Optional.empty();
    }

    /// The command of one strength, with the option for all in place of the option for one. A search takes a range and nothing else.
    private static Optional<String> rising(ExperimentSpec spec, LoadGrid grid, ExperimentSpec quick) {
        String written = LoadFields.written(grid.sweep()).replace(" ", "");
        boolean range = written.contains("..");
        if (spec.search() && !range) {
            return Optional.empty();
        }
        List<WorkloadSpec> one =
                LoadGrid.counted(grid.base().withArrivals(LoadGrid.single(grid.sweep())), grid.counts());
        ExperimentSpec single = new ExperimentSpec(spec.name(), spec.engines(), spec.schedulers(), spec.backends(),
                spec.targets(), one, spec.runs(), spec.warmUpRequests(), spec.seed(), spec.sampleEveryMillis(),
                spec.kvBytes(), spec.limits(), spec.baseline(), spec.goal(), false);
        String values = range && !spec.search()
                ? grid.sweep().values().stream().map(NumberFields::plain).collect(Collectors.joining(",")) : written;
        // Under another name it is not the preset, whose command says no load that could be replaced.
        return of(single.named(single.name() + "-"), quick).map(command -> command
                .replaceFirst("--(concurrency|rate) \\S+", (spec.search() ? "--search" : "--sweep") + " $1=" + values));
    }

    private static boolean sayable(WorkloadSpec load) {
        return switch (load.arrivals()) {
            case ArrivalProcess.ClosedLoop closed -> true;
            case ArrivalProcess.Poisson poisson -> true;
            case ArrivalProcess.OpenLoop other -> false;
        };
    }

    private static boolean sameShape(WorkloadSpec load, WorkloadSpec preset) {
        return load.withRequests(preset.requests()).withArrivals(preset.arrivals()).equals(preset);
    }

    private static String overPreset(ExperimentSpec spec) {
        WorkloadSpec load = spec.workloads().getFirst();
        List<String> words = new ArrayList<>(List.of(PRESET));
        spec.engines().forEach(engine -> words.add("--engine " + ReproduceCommand.quoted(engine)));
        spec.schedulers().stream().map(Selection::toString)
                .forEach(scheduler -> words.add("--scheduler " + ReproduceCommand.quoted(scheduler)));
        if (spec.baseline() != null) {
            words.add("--baseline " + ReproduceCommand.quoted(spec.baseline()));
        }
        words.add("--requests " + load.requests());
        words.add(switch (load.arrivals()) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> "--concurrency " + concurrency;
            case ArrivalProcess.Poisson(double rate) -> "--rate " + NumberFields.plain(rate);
            case ArrivalProcess.OpenLoop other -> throw new IllegalArgumentException("No option says " + other);
        });
        spec.targets().forEach(target -> words.add("--target " + ReproduceCommand.quoted(target.toString())));
        spec.backends().forEach(backend -> words.add("--backend " + ReproduceCommand.quoted(backend.toString())));
        if (!spec.goal().objective().isEmpty()) {
            words.add("--slo " + ReproduceCommand.quoted(spec.goal().objective().toString()));
        }
        if (spec.goal().pricePerHour() > 0) {
            words.add("--price " + NumberFields.plain(spec.goal().pricePerHour()));
        }
        words.add("--runs " + spec.runs());
        words.add("--warmup " + spec.warmUpRequests());
        words.add("--seed " + spec.seed());
        words.add("--sample-every " + spec.sampleEveryMillis() + "ms");
        return String.join(" ", words);
    }
}
