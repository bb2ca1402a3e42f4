package org.inferometer.ui.shell;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.fx.UiThread;

/// Starts each experiment in Bench, which shows it.
///
/// @param elsewhere the other machine; empty for this one
record ShownInBench(BenchmarkService service, String elsewhere, BenchViewModel bench,
        UiThread ui) implements BenchmarkService {
    @Override
    public List<PlanFault> check(ExperimentSpec spec) {
        return service.check(spec);
    }

    @Override
    public List<Access> accesses(ExperimentSpec spec) {
        return service.accesses(spec);
    }

    @Override
    public Estimate estimate(ExperimentSpec spec) {
        return service.estimate(spec);
    }

    @Override
    public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) throws PlanException {
        List<PlanFault> faults = service.check(spec);
        if (!faults.isEmpty()) {
            throw new PlanException(faults);
        }
        CompletableFuture<RunningExperiment> begun = new CompletableFuture<>();
        ui.run(() -> bench.startWhenIdle(spec, service, elsewhere).whenComplete((running, failure) -> {
            if (running == null) {
                begun.cancel(false);
            } else {
                begun.complete(running);
            }
        }));
        try {
            return begun.join();
        } catch (CancellationException e) {
            throw new PlanException(List.of(new PlanFault(spec.name(), "It did not start. Bench says why.")));
        }
    }
}
