package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.inferometer.workload.WorkloadSpec;

/// Cells that differ in their scheduler and in the number of requests, and in nothing else. Loads that no number of requests ends are none.
///
/// @param common what they share, in words
/// @param bySize the cells of each number of requests, in the order of the cells
public record RequestSizes(String common, SortedMap<Integer, List<ComparedCell>> bySize) {
    private static final int FEWEST_SIZES = 2;

    /// Those among the cells with two sizes or more.
    public static List<RequestSizes> of(List<ComparedCell> cells) {
        Map<Object, List<ComparedCell>> families = new LinkedHashMap<>();
        cells.forEach(cell -> families.computeIfAbsent(family(cell), key -> new ArrayList<>()).add(cell));
        List<RequestSizes> found = new ArrayList<>();
        for (List<ComparedCell> family : families.values()) {
            SortedMap<Integer, List<ComparedCell>> sizes = new TreeMap<>();
            family.stream().filter(cell -> requests(cell) > 0)
                    .forEach(cell -> sizes.computeIfAbsent(requests(cell), size -> new ArrayList<>()).add(cell));
            if (sizes.size() >= FEWEST_SIZES) {
                found.add(new RequestSizes(words(family.getFirst()), sizes));
            }
        }
        return found;
    }

    /// Whether the number of requests is all that the loads of these cells differ in, so that a figure can be drawn against it.
    public static boolean tellLoadsApart(List<ComparedCell> cells) {
        List<WorkloadSpec> loads = cells.stream().map(cell -> cell.summary().cell().workload()).distinct().toList();
        long sizes =
                loads.stream().mapToInt(WorkloadSpec::requests).filter(requests -> requests > 0).distinct().count();
        return sizes >= FEWEST_SIZES && sizes == loads.size()
                && loads.stream().map(RequestSizes::shape).distinct().count() == 1;
    }

    private static int requests(ComparedCell cell) {
        return cell.summary().cell().workload().requests();
    }

    private static Object family(ComparedCell cell) {
        return List.of(cell.summary().cell().subject().model(), cell.summary().cell().subject().platform(),
                cell.experiment(), shape(cell.summary().cell().workload()));
    }

    private static WorkloadSpec shape(WorkloadSpec load) {
        return load.withName("").withRequests(0);
    }

    private static String words(ComparedCell cell) {
        WorkloadSpec load = cell.summary().cell().workload();
        String lengths = load.promptFile() == null
                ? "prompts of " + load.promptTokens() + " and answers of " + load.outputTokens() + " tokens"
                : "prompts of a file";
        return cell.summary().cell().subject().model().map(model -> model + " · ").orElse("") + lengths + " · "
                + load.arrivals();
    }
}
