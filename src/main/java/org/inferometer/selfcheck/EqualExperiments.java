package org.inferometer.selfcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.comparison.ExperimentVariation;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// Learns how much equal experiments differ on this machine (A/A): the smallest engine under one scheduler with the same seeds, several times.
/// About 30 s an experiment on 2 cores.
public final class EqualExperiments {
    /// The name of the experiments.
    public static final String NAME = "selfcheck-aa";

    private static final int RUNS = 3;
    private static final String ENGINE = "tiny-int4";
    private static final int IN_FLIGHT = 4;
    private final BenchmarkService service;

    /// @param service writes the records of the experiments
    public EqualExperiments(BenchmarkService service) {
        this.service = service;
    }

    /// Runs the experiments on the calling thread.
    ///
    /// @param experiments [ExperimentVariation#LEAST_EXPERIMENTS] or more
    /// @param begun receives the name of each experiment at its start
    /// @param started receives each experiment, to cancel it
    /// @throws PlanException if the experiment cannot be planned
    /// @throws IllegalStateException with a sentence, if an experiment does not complete
    public List<SelfCheckResult> run(int experiments, Consumer<String> begun, Consumer<RunningExperiment> started)
            throws PlanException, InterruptedException {
        List<List<CellFigure>> figures = new ArrayList<>();
        int invalid = 0;
        for (int i = 0; i < experiments; i++) {
            begun.accept("equal experiments, " + (i + 1) + " of " + experiments);
            RunningExperiment running = service.start(spec(), new ExperimentListener() {});
            started.accept(running);
            ExperimentManifest ended = running.await();
            if (ended.status() != RunStatus.COMPLETE || ended.cells().isEmpty()) {
                throw new IllegalStateException("An experiment did not complete. " + ended.failure());
            }
            figures.add(ended.cells().getFirst().figures());
            Integer ofCell = ended.cells().getFirst().invalidRuns();
            invalid += ofCell == null ? 0 : ofCell;
        }
        return ExperimentVariation.of(figures)
                .results("Comparisons of two experiments include this variation." + (invalid == 0 ? "" : " " + invalid
                        + " of " + experiments * RUNS + " runs were INVALID: repeat it on a quiet machine."));
    }

    private static ExperimentSpec spec() {
        ExperimentSpec quick = new Presets().find("quick");
        WorkloadSpec load = quick.workloads().getFirst().withArrivals(new ArrivalProcess.ClosedLoop(IN_FLIGHT));
        List<Subject> smallest = quick.subjects().stream()
                .filter(each -> each.model().equals(Optional.of(ENGINE)) && each.system().equals("continuous"))
                .toList();
        return quick.named(NAME).withSubjects(smallest).withWorkloads(List.of(load)).withRuns(RUNS);
    }
}
