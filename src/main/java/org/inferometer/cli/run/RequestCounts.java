package org.inferometer.cli.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.workload.WorkloadSpec;

/// Gives workloads the numbers of requests of `--requests`: one takes the place of their own, several make a workload each.
///
/// Workloads that differ in their number of requests alone, as those of `run schedulers` do, become one shape first.
record RequestCounts(List<Integer> counts) {
    /// The workloads for these counts; as they are where there is no count.
    List<WorkloadSpec> over(List<WorkloadSpec> workloads) {
        if (counts.isEmpty()) {
            return workloads;
        }
        Map<WorkloadSpec, List<WorkloadSpec>> shapes = new LinkedHashMap<>();
        workloads.forEach(workload -> shapes
                .computeIfAbsent(workload.withName("").withRequests(0), shape -> new ArrayList<>()).add(workload));
        List<WorkloadSpec> counted = new ArrayList<>();
        for (List<WorkloadSpec> alike : shapes.values()) {
            boolean renamed =
                    alike.size() > 1 || counts.size() > 1 || !bare(alike.getFirst()).equals(alike.getFirst().name());
            for (int count : counts) {
                WorkloadSpec workload = alike.getFirst().withRequests(count);
                counted.add(renamed ? workload.withName(bare(alike.getFirst()) + "-" + count) : workload);
            }
        }
        return counted;
    }

    /// The name without the count that an earlier one left in it: "mixed" of "mixed-25" with 25 requests.
    private static String bare(WorkloadSpec workload) {
        String count = "-" + workload.requests();
        String name = workload.name();
        return name.endsWith(count) && name.length() > count.length()
                ? name.substring(0, name.length() - count.length()) : name;
    }
}
