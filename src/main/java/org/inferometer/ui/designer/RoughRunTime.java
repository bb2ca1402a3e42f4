package org.inferometer.ui.designer;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;

/// The time of a run that never ran here, from other runs of its engine: the window in proportion to the tokens, at least as long as its
/// requests take to arrive. Pure.
///
/// @param manifests newest first
record RoughRunTime(List<ExperimentManifest> manifests) {
    private static final double SECOND = 1e9;

    /// A run and its time beside the window.
    private record EarlierRun(WorkloadSpec workload, double windowNanos, double besideNanos) {}

    /// Nanoseconds of one run; empty if the engine never ran here, or if its load does not tell its size.
    Optional<Double> nanos(Cell wanted) {
        WorkloadSpec load = wanted.workload();
        Optional<EarlierRun> nearest =
                earlier(wanted, Subject::equals).or(() -> earlier(wanted, RoughRunTime::isOneEngine));
        if (load.requests() == 0) {
            double timed = load.refinements().durationNanos();
            return timed > 0 ? Optional.of(timed + nearest.map(EarlierRun::besideNanos).orElse(0.0)) : Optional.empty();
        }
        double tokens = tokens(load);
        return nearest.filter(run -> tokens > 0 && tokens(run.workload()) > 0)
                .map(run -> Math.max(run.windowNanos() * tokens / tokens(run.workload()), arrivalNanos(load))
                        + run.besideNanos());
    }

    private Optional<EarlierRun> earlier(Cell wanted, BiPredicate<Subject, Subject> near) {
        return manifests.stream().filter(manifest -> manifest.status() == RunStatus.COMPLETE)
                .<EarlierRun>flatMap(manifest -> RunTimeHistory.besideWindow(manifest).stream()
                        .flatMap(rest -> manifest.cells().stream()
                                .filter(cell -> cell.cell().workload().requests() > 0
                                        && near.test(cell.cell().subject(), wanted.subject()))
                                .flatMap(cell -> RunTimeHistory.window(cell).stream()
                                        .map(window -> new EarlierRun(cell.cell().workload(), window, rest)))))
                .findFirst();
    }

    private static boolean isOneEngine(Subject one, Subject other) {
        return one instanceof Subject.EngineSubject known && other instanceof Subject.EngineSubject wanted
                && known.engine().equals(wanted.engine()) && known.backend().name().equals(wanted.backend().name());
    }

    /// Prompt and output tokens of all requests; 0 where a file has them.
    private static double tokens(WorkloadSpec load) {
        boolean read = load.promptFile() != null || load.refinements().trace() != null;
        return read ? 0 : load.requests() * (middle(load.promptTokens()) + middle(load.outputTokens()));
    }

    private static double middle(LengthDistribution length) {
        return switch (length) {
            case LengthDistribution.FixedLength fixed -> fixed.tokens();
            case LengthDistribution.UniformLength even -> (even.min() + even.max()) / 2.0;
            case LengthDistribution.LognormalLength skewed -> Math.clamp(skewed.median(), skewed.min(), skewed.max());
        };
    }

    private static double arrivalNanos(WorkloadSpec load) {
        double rate = switch (load.arrivals()) {
            case ArrivalProcess.Constant even -> even.requestsPerSecond();
            case ArrivalProcess.Poisson random -> random.requestsPerSecond();
            case ArrivalProcess.Gamma bursty -> bursty.requestsPerSecond();
            case ArrivalProcess.ClosedLoop closed -> 0;
            case ArrivalProcess.Ramp ramp -> 0;
            case ArrivalProcess.Trace trace -> 0;
            case ArrivalProcess.Offline offline -> 0;
        };
        return rate > 0 ? SECOND * load.requests() / rate : 0;
    }
}
