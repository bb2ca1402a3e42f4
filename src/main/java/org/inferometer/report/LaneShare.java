package org.inferometer.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.inferometer.measurement.LaneUse;
import org.inferometer.record.RunRecord;
import org.inferometer.scheduling.Lane;

/// How busy one lane was: the mean over runs of the share of the window in which it ran a step.
record LaneShare(int lane, Lane.Role role, double busy) {
    /// The lanes that compute, by number; none where no run has a window or its lanes are not known.
    static List<LaneShare> computing(List<RunRecord> runs) {
        Map<Integer, List<LaneUse>> uses = runs.stream().flatMap(run -> LaneUse.of(run.observations()).stream())
                .filter(use -> use.role() != Lane.Role.TRANSFER)
                .collect(Collectors.groupingBy(use -> use.lane().index(), TreeMap::new, Collectors.toList()));
        return uses.entrySet().stream().map(lane -> new LaneShare(lane.getKey(), lane.getValue().getFirst().role(),
                lane.getValue().stream().mapToDouble(LaneUse::busyShare).average().orElse(0))).toList();
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
