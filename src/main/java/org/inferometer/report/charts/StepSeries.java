package org.inferometer.report.charts;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.Lane;

/// What the steps of one run tell over time, in windows of equal width: x in seconds since measuring began, y in per cent.
///
/// @param x `[windows]` middles of the windows
/// @param y `[windows]` NaN where a window has nothing to tell
public record StepSeries(double[] x, double[] y) {
    private static final int WINDOWS = 120;
    private static final StepSeries EMPTY = new StepSeries(new double[0], new double[0]);

    /// The share of all KV blocks that is held, weighted by step time; empty where the pools are not known.
    public static StepSeries kvUse(RunRecord run) {
        Optional<RunWindow> window = RunWindow.of(run.observations().requests());
        double[] held = new double[WINDOWS];
        double[] time = new double[WINDOWS];
        for (StepReport step : run.observations().steps()) {
            int blocks = run.observations().setup().poolBlocks(step.lane());
            if (blocks <= 0 || window.isEmpty()) {
                return EMPTY;
            }
            spread(step, window.get(), (at, nanos) -> {
                held[at] += nanos * step.kvBlocksHeld() / blocks;
                time[at] += nanos;
            });
        }
        return window.map(within -> series(within, at -> time[at] > 0 ? 100 * held[at] / time[at] : Double.NaN))
                .orElse(EMPTY);
    }

    /// The share of their time in which the lanes that compute ran a step, over all of them.
    public static StepSeries laneUse(RunRecord run) {
        Optional<RunWindow> window = RunWindow.of(run.observations().requests());
        Set<Integer> computing = computing(run.observations().setup().lanes());
        if (window.isEmpty() || computing.isEmpty()) {
            return EMPTY;
        }
        double[] busy = new double[WINDOWS];
        for (StepReport step : run.observations().steps()) {
            if (computing.contains(step.lane().index())) {
                spread(step, window.get(), (at, nanos) -> busy[at] += nanos);
            }
        }
        double whole = (double) window.get().lengthNanos() / WINDOWS * computing.size();
        return series(window.get(), at -> 100 * busy[at] / whole);
    }

    private static Set<Integer> computing(List<Lane> lanes) {
        Set<Integer> computing = new HashSet<>();
        lanes.stream().filter(lane -> lane.role() != Lane.Role.TRANSFER)
                .forEach(lane -> computing.add(lane.id().index()));
        return computing;
    }

    private interface Share {
        void add(int window, double nanos);
    }

    private interface Value {
        double of(int window);
    }

    /// Gives each window the part of the step that lies in it.
    private static void spread(StepReport step, RunWindow within, Share share) {
        double width = (double) within.lengthNanos() / WINDOWS;
        double from = Math.max(step.startNanos(), within.startNanos()) - (double) within.startNanos();
        double to = Math.min(step.endNanos(), within.endNanos()) - (double) within.startNanos();
        for (int at = (int) Math.max(0, from / width); at < WINDOWS && at * width < to; at++) {
            share.add(at, Math.min(to, (at + 1) * width) - Math.max(from, at * width));
        }
    }

    private static StepSeries series(RunWindow within, Value value) {
        double width = within.seconds() / WINDOWS;
        double[] x = new double[WINDOWS];
        double[] y = new double[WINDOWS];
        Arrays.setAll(x, at -> (at + 0.5) * width);
        Arrays.setAll(y, value::of);
        return new StepSeries(x, y);
    }
}
