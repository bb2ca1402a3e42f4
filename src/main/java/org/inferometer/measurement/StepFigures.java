package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.Figure;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.StepReport;

/// Figures of the steps that started inside the window. Transfers enter the KV transfer figures only.
final class StepFigures {
    private final List<StepReport> measured;
    private final List<StepReport> transfers;
    private final List<StepReport> all;
    private final Setup setup;
    private final RunWindow window;

    private StepFigures(List<StepReport> steps, Setup setup, RunWindow window) {
        List<StepReport> started = steps.stream().filter(step -> window.contains(step.startNanos())).toList();
        this.measured = started.stream().filter(step -> !setup.isTransfer(step)).toList();
        this.transfers = started.stream().filter(setup::isTransfer).toList();
        this.all = steps.stream().filter(step -> !setup.isTransfer(step)).toList();
        this.setup = setup;
        this.window = window;
    }

    static List<Figure> of(List<StepReport> steps, Setup setup, RunWindow window) {
        StepFigures source = new StepFigures(steps, setup, window);
        List<Figure> figures = new ArrayList<>();
        if (!source.measured.isEmpty()) {
            figures.addAll(source.computing());
        }
        if (setup.movesBetweenPools() || !source.transfers.isEmpty()) {
            figures.addAll(source.moves());
        }
        return figures;
    }

    private List<Figure> computing() {
        List<Figure> figures = new ArrayList<>();
        figures.addAll(Metrics.STEP_TIME.figures(distribution(measured, step -> step.endNanos() - step.startNanos())));
        figures.addAll(Metrics.DECISION_TIME.figures(distribution(measured, StepReport::decisionNanos)));
        figures.addAll(batches());
        figures.addAll(times());
        figures.addAll(kvUse());
        return figures;
    }

    private static Distribution distribution(List<StepReport> steps, ToLongFunction<StepReport> nanosOf) {
        long[] nanos = new long[steps.size()];
        int n = 0;
        for (StepReport step : steps) {
            nanos[n++] = nanosOf.applyAsLong(step);
        }
        return Distribution.takingNanos(nanos, n);
    }

    private List<Figure> batches() {
        long useful = 0;
        long padding = 0;
        for (StepReport step : measured) {
            useful += step.prefillPositions() + (long) step.decodeRows();
            padding += step.paddingRows();
        }
        List<Figure> figures = new ArrayList<>();
        if (useful + padding > 0) {
            figures.add(
                    new Figure(Metrics.BATCH_EFFICIENCY, (double) useful / (useful + padding), measured.size(), true));
        }
        double rowNanos = 0;
        for (StepReport step : measured) {
            rowNanos += (double) step.slices().size() * (step.endNanos() - step.startNanos());
        }
        double steppingNanos = steppingNanos();
        if (steppingNanos > 0 && setup.maxBatchRows() > 0) {
            figures.add(new Figure(Metrics.BATCH_OCCUPANCY, rowNanos / steppingNanos / setup.maxBatchRows(),
                    measured.size(), true));
        }
        return figures;
    }

    /// Time in which at least one measured step ran: steps of several lanes overlap.
    private double steppingNanos() {
        long[] starts = measured.stream().mapToLong(StepReport::startNanos).sorted().toArray();
        long[] ends = measured.stream().mapToLong(StepReport::endNanos).toArray();
        Arrays.sort(ends);
        double nanos = 0;
        int open = 0;
        long since = 0;
        int started = 0;
        for (long end : ends) {
            // A step that ends as another starts leaves no gap, and one without length adds none.
            while (started < starts.length && starts[started] <= end) {
                since = open++ == 0 ? starts[started] : since;
                started++;
            }
            nanos += --open == 0 ? end - since : 0;
        }
        return nanos;
    }

    private List<Figure> times() {
        double kernels = 0;
        double inSteps = 0;
        for (StepReport step : measured) {
            kernels += step.kernelNanos();
            inSteps += step.endNanos() - step.startNanos();
        }
        double busy = 0;
        for (StepReport step : all) {
            busy += window.overlapNanos(step.startNanos(), step.endNanos());
        }
        List<Figure> figures = new ArrayList<>();
        if (setup.computingLanes() > 0) {
            double share = busy / ((double) window.lengthNanos() * setup.computingLanes());
            figures.add(new Figure(Metrics.LANE_UTILISATION, share, measured.size(), true));
        }
        // An executor that does not time its kernels reports none at all.
        if (kernels > 0 && inSteps > 0) {
            figures.add(new Figure(Metrics.NON_KERNEL_SHARE, 1 - kernels / inSteps, measured.size(), true));
        }
        return figures;
    }

    private List<Figure> kvUse() {
        double weighted = 0;
        double inSteps = 0;
        double peak = 0;
        for (StepReport step : measured) {
            int poolBlocks = setup.poolBlocks(step.lane());
            if (poolBlocks <= 0) {
                return List.of();
            }
            double use = (double) step.kvBlocksHeld() / poolBlocks;
            double nanos = step.endNanos() - step.startNanos();
            weighted += use * nanos;
            inSteps += nanos;
            peak = Math.max(peak, use);
        }
        List<Figure> figures = new ArrayList<>();
        if (inSteps > 0) {
            figures.add(new Figure(Metrics.KV_USE_MEAN, weighted / inSteps, measured.size(), true));
        }
        figures.add(new Figure(Metrics.KV_USE_PEAK, peak, measured.size(), true));
        return figures;
    }

    private List<Figure> moves() {
        long bytes = transfers.stream().mapToLong(StepReport::movedBytes).sum();
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure(Metrics.MOVES, transfers.size(), transfers.size(), true));
        figures.add(new Figure(Metrics.MOVED_BYTES, bytes, transfers.size(), true));
        figures.addAll(Metrics.MOVE_TIME.figures(distribution(transfers, step -> step.endNanos() - step.startNanos())));
        return figures;
    }
}
