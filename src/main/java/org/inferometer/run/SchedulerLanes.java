package org.inferometer.run;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;

/// The lanes of a scheduler on a backend, shown before a run.
///
/// @param threads of each lane, by index; empty if lanes are not groups of threads
public record SchedulerLanes(Selection scheduler, LaneLayout layout, List<Integer> threads) {
    /// The lanes as text: "2 lanes of 1 thread each", "1 context lane of 1 thread, 1 generation lane of 1 thread, 1 transfer lane".
    public String describe() {
        List<String> groups = new ArrayList<>();
        add(groups, Lane.Role.ANY, "");
        add(groups, Lane.Role.PREFILL, "context ");
        add(groups, Lane.Role.DECODE, "generation ");
        long transfers = layout.lanes().stream().filter(lane -> lane.role() == Lane.Role.TRANSFER).count();
        if (transfers > 0) {
            groups.add(transfers + " transfer " + (transfers == 1 ? "lane" : "lanes"));
        }
        return String.join(", ", groups);
    }

    private void add(List<String> groups, Lane.Role role, String kind) {
        List<Integer> indices =
                layout.lanes().stream().filter(lane -> lane.role() == role).map(lane -> lane.id().index()).toList();
        if (!indices.isEmpty()) {
            groups.add(indices.size() + " " + kind + (indices.size() == 1 ? "lane" : "lanes") + threadWords(indices));
        }
    }

    private String threadWords(List<Integer> lanes) {
        List<Integer> counts = lanes.stream().filter(lane -> lane < threads.size()).map(threads::get).toList();
        if (counts.size() < lanes.size()) {
            return "";
        }
        int least = counts.stream().mapToInt(Integer::intValue).min().orElse(0);
        int most = counts.stream().mapToInt(Integer::intValue).max().orElse(0);
        String count = least == most ? Integer.toString(most) : least + " or " + most;
        return " of " + count + (most == 1 ? " thread" : " threads") + (lanes.size() == 1 ? "" : " each");
    }
}
