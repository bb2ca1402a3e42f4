package org.inferometer.ui.designer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.RunStatus;
import org.inferometer.run.SearchRuns;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;

/// Estimates run times from earlier experiments. Pure.
///
/// @param manifests newest first
public record RunTimeHistory(List<ExperimentManifest> manifests) {
    /// Shortest and longest time; equal when the number of runs is known.
    record RequestSpan(Duration least, Duration most) {}

    /// The time of an experiment whose cells all ran before under the same load: the measured window in proportion to
    /// the requests, plus the overhead per run. Empty when a cell is new.
    ///
    /// The time of a search is a range. A load that never ran takes the time of its neighbours.
    Optional<RequestSpan> time(ExperimentSpec spec) {
        return time(spec, this::known);
    }

    /// The same, with a rough time for cells that never ran here; see [RoughRunTime].
    Optional<RequestSpan> roughTime(ExperimentSpec spec) {
        return time(spec, this::roughlyKnown);
    }

    /// The cells of which not even a rough time is known.
    List<Cell> unknown(ExperimentSpec spec) {
        return spec.cells().stream().filter(cell -> roughlyKnown(cell).isEmpty()).toList();
    }

    private Optional<Double> roughlyKnown(Cell cell) {
        return known(cell).or(() -> new RoughRunTime(manifests).nanos(cell));
    }

    private static Optional<RequestSpan> time(ExperimentSpec spec, Function<Cell, Optional<Double>> known) {
        if (spec.search()) {
            return timeOfSearch(spec, known);
        }
        double nanos = 0;
        for (Cell cell : spec.cells()) {
            Optional<Double> each = known.apply(cell);
            if (each.isEmpty()) {
                return Optional.empty();
            }
            nanos += each.get();
        }
        return span(nanos * spec.looks().getFirst(), nanos * spec.looks().getLast());
    }

    private static Optional<RequestSpan> timeOfSearch(ExperimentSpec spec, Function<Cell, Optional<Double>> known) {
        Map<Object, List<Cell>> candidates = new LinkedHashMap<>();
        spec.cells().forEach(cell -> candidates.computeIfAbsent(cell.subject(), key -> new ArrayList<>()).add(cell));
        double least = 0;
        double most = 0;
        for (List<Cell> loads : candidates.values()) {
            List<Optional<Double>> times = loads.stream().map(known).toList();
            if (times.getFirst().isEmpty() || times.getLast().isEmpty()) {
                return Optional.empty();
            }
            SearchRuns runs = new SearchRuns(loads.size(), spec.runs());
            least += runs.least(filled(times, Math::min));
            most += runs.greatest(filled(times, Math::max));
        }
        return span(least, most);
    }

    /// Times of all loads; an unknown one takes the smaller or larger of its nearest known neighbours.
    private static double[] filled(List<Optional<Double>> times, DoubleBinaryOperator ofBoth) {
        double[] filled = new double[times.size()];
        for (int i = 0; i < filled.length; i++) {
            int below = i;
            while (times.get(below).isEmpty()) {
                below--;
            }
            int above = i;
            while (times.get(above).isEmpty()) {
                above++;
            }
            filled[i] = ofBoth.applyAsDouble(times.get(below).orElseThrow(), times.get(above).orElseThrow());
        }
        return filled;
    }

    private static Optional<RequestSpan> span(double least, double most) {
        return most > 0
                ? Optional.of(new RequestSpan(Duration.ofNanos(Math.round(least)), Duration.ofNanos(Math.round(most))))
                : Optional.empty();
    }

    private Optional<Double> known(Cell cell) {
        return manifests.stream().map(manifest -> nanosOfRun(manifest, cell)).flatMap(Optional::stream).findFirst();
    }

    private static Optional<Double> nanosOfRun(ExperimentManifest manifest, Cell wanted) {
        if (manifest.status() != RunStatus.COMPLETE || manifest.times().duration().isEmpty()) {
            return Optional.empty();
        }
        return manifest.cells().stream()
                .filter(cell -> alike(cell.cell(), wanted) && cell.cell().workload().requests() > 0).findFirst()
                .flatMap(cell -> window(cell).flatMap(window -> besideWindow(manifest).map(
                        rest -> window * wanted.workload().requests() / cell.cell().workload().requests() + rest)));
    }

    private static boolean alike(Cell known, Cell wanted) {
        return known.subject().equals(wanted.subject())
                && known.workload().withName("").withRequests(0).equals(wanted.workload().withName("").withRequests(0));
    }

    /// Time of a run outside its window: start, load, warm-up. Empty when a cell has no window.
    static Optional<Double> besideWindow(ExperimentManifest manifest) {
        int runs = manifest.cells().stream().mapToInt(CellSummary::runs).sum();
        if (runs == 0 || manifest.times().duration().isEmpty()
                || manifest.cells().stream().anyMatch(cell -> window(cell).isEmpty())) {
            return Optional.empty();
        }
        double windows = manifest.cells().stream().mapToDouble(cell -> window(cell).orElseThrow() * cell.runs()).sum();
        double whole = manifest.times().duration().orElseThrow().toNanos();
        return Optional.of(Math.max(0, whole - windows) / runs);
    }

    /// The mean window of a cell in nanoseconds.
    static Optional<Double> window(CellSummary cell) {
        return cell.figures().stream().filter(figure -> figure.metric().id().equals(Metrics.WINDOW.id())).findFirst()
                .map(CellFigure::mean);
    }

    /// The time of a run that never ran here, from other runs of its engine: the window in proportion to the tokens, at least as long as its
    /// requests take to arrive. Pure.
    ///
    /// @param manifests newest first
    private record RoughRunTime(List<ExperimentManifest> manifests) {
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
                return timed > 0 ? Optional.of(timed + nearest.map(EarlierRun::besideNanos).orElse(0.0))
                        : Optional.empty();
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
                case LengthDistribution.LognormalLength skewed ->
                    Math.clamp(skewed.median(), skewed.min(), skewed.max());
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
}
