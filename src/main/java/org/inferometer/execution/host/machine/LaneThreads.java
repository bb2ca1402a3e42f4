package org.inferometer.execution.host.machine;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;

/// The threads of each lane.
///
/// A requested number applies to each computing lane, even beyond the number of cores. Without one, physical cores are
/// divided evenly, at least one thread each; the first lanes get the remainder.
///
/// @param perLane by lane index; 0 for lanes that only copy
/// @param cores physical cores that this process may use
public record LaneThreads(List<Integer> perLane, int cores) {
    /// @param requested threads of each computing lane; 0 divides the cores
    public static LaneThreads of(LaneLayout layout, int requested, int cores) {
        int computing = layout.computingLanes();
        List<Integer> perLane = new ArrayList<>();
        int ordinal = 0;
        for (Lane lane : layout.lanes()) {
            if (lane.role() == Lane.Role.TRANSFER) {
                perLane.add(0);
            } else if (requested > 0) {
                perLane.add(requested);
            } else {
                perLane.add(Math.max(1, cores / computing + (ordinal < cores % computing ? 1 : 0)));
                ordinal++;
            }
        }
        return new LaneThreads(List.copyOf(perLane), cores);
    }

    /// Threads of all lanes that compute.
    public int total() {
        return perLane.stream().mapToInt(Integer::intValue).sum();
    }

    /// A description: "2 threads", "2 lanes of 1 thread", "1 lane of 2 threads, 2 lanes of 1 thread, 1 transfer lane",
    /// "4 threads on 2 cores", "2 lanes of 2 threads (4 threads on 2 cores)".
    public String describe() {
        List<String> parts = new ArrayList<>();
        List<Integer> computing = perLane.stream().filter(threads -> threads > 0).toList();
        for (int threads : computing.stream().distinct().toList()) {
            long lanes = computing.stream().filter(other -> other == threads).count();
            parts.add((computing.size() > 1 ? lanes(lanes) + " of " : "") + threads
                    + (threads == 1 ? " thread" : " threads"));
        }
        if (computing.size() < perLane.size()) {
            parts.add((perLane.size() - computing.size()) + " transfer"
                    + (perLane.size() - computing.size() == 1 ? " lane" : " lanes"));
        }
        String described = String.join(", ", parts);
        if (total() <= cores) {
            return described;
        }
        String onCores = " on " + cores + (cores == 1 ? " core" : " cores");
        return perLane.size() == 1 ? described + onCores : described + " (" + total() + " threads" + onCores + ")";
    }

    private static String lanes(long count) {
        return count + (count == 1 ? " lane" : " lanes");
    }
}
