package org.inferometer.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.inferometer.benchmark.RunRecord;
import org.inferometer.measurement.RunWindow;
import org.inferometer.scheduling.Lane;
import org.inferometer.serving.StepReport;

/// How busy one lane was: the mean over runs of the share of the window in which it ran a step.
record LaneShare(int lane, Lane.Role role, double busy) {
    /// The lanes that compute, by number; none where no run has a window.
    static List<LaneShare> computing(List<RunRecord> runs) {
        Map<Integer, Double> sums = new TreeMap<>();
        int counted = 0;
        for (RunRecord run : runs) {
            Optional<RunWindow> window = RunWindow.of(run.observations().requests());
            if (window.isPresent()) {
                counted++;
                run.manifest().plan().layout().lanes().forEach(lane -> sums.merge(lane.id().index(), 0.0, Double::sum));
                for (StepReport step : run.observations().steps()) {
                    double share = (double) window.get().overlapNanos(step.startNanos(), step.endNanos()) / window.get().lengthNanos();
                    sums.merge(step.lane().index(), share, Double::sum);
                }
            }
        }
        int windows = counted;
        return runs.stream().findFirst().map(run -> run.manifest().plan().layout().lanes()).orElse(List.of()).stream()
                .filter(lane -> lane.role() != Lane.Role.TRANSFER && windows > 0)
                .map(lane -> new LaneShare(lane.id().index(), lane.role(), sums.getOrDefault(lane.id().index(), 0.0) / windows))
                .toList();
    }

    /// "lane 1", "context lane 0", "generation lane 2".
    String words() {
        return switch (role) {
            case ANY -> "lane " + lane;
            case PREFILL -> "context lane " + lane;
            case DECODE -> "generation lane " + lane;
            case TRANSFER -> "transfer lane " + lane;
        };
    }
}
