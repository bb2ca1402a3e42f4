package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.measurement.RunObservations.Setup;
import org.inferometer.serving.StepReport;

/// Figures of the steps that started inside the window.
final class StepFigures {
    private final List<StepReport> measured;
    private final List<StepReport> all;
    private final Setup setup;
    private final RunWindow window;

    private StepFigures(List<StepReport> all, Setup setup, RunWindow window) {
        this.all = all;
        this.measured = all.stream().filter(step -> window.contains(step.startNanos())).toList();
        this.setup = setup;
        this.window = window;
    }

    static List<Figure> of(List<StepReport> steps, Setup setup, RunWindow window) {
        StepFigures source = new StepFigures(steps, setup, window);
        return source.measured.isEmpty() ? List.of() : source.figures();
    }

    private List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        figures.addAll(Metrics.STEP_TIME.figures(distribution(true)));
        figures.addAll(Metrics.DECISION_TIME.figures(distribution(false)));
        figures.addAll(batches());
        figures.addAll(times());
        figures.addAll(kvUse());
        figures.add(new Figure(Metrics.RECOMPUTED_TOKENS, setup.preemptedPositions(), measured.size(), true));
        return figures;
    }

    private Distribution distribution(boolean ofSteps) {
        double[] nanos = new double[measured.size()];
        int n = 0;
        for (StepReport step : measured) {
            nanos[n++] = ofSteps ? step.endNanos() - step.startNanos() : step.decisionNanos();
        }
        return Distribution.taking(nanos, n);
    }

    private List<Figure> batches() {
        long useful = 0;
        long padding = 0;
        long rows = 0;
        long batches = 0;
        for (StepReport step : measured) {
            useful += step.prefillPositions() + (long) step.decodeRows();
            padding += step.paddingRows();
            rows += step.slices().size();
            batches += step.prefillPositions() + step.decodeRows() > 0 ? 1 : 0;
        }
        List<Figure> figures = new ArrayList<>();
        if (useful + padding > 0) {
            figures.add(new Figure(Metrics.BATCH_EFFICIENCY, (double) useful / (useful + padding), measured.size(), true));
        }
        if (batches > 0 && setup.maxBatchRows() > 0) {
            figures.add(new Figure(Metrics.BATCH_OCCUPANCY, (double) rows / batches / setup.maxBatchRows(), batches, true));
        }
        return figures;
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
        if (setup.lanes() > 0) {
            double share = busy / ((double) window.lengthNanos() * setup.lanes());
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
}
