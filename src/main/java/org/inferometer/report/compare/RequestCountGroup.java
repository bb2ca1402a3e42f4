package org.inferometer.report.compare;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.inferometer.workload.WorkloadSpec;

/// Cells that differ in scheduler and number of requests only. Loads that end by time or with their file are left out.
///
/// @param common what the cells share
/// @param byCount the cells of each number of requests, in the order of the cells
public record RequestCountGroup(String common, SortedMap<Integer, List<ComparedCell>> byCount) {
    private static final int LEAST_COUNTS = 2;

    /// The groups with at least two numbers of requests.
    public static List<RequestCountGroup> of(List<ComparedCell> cells) {
        return ComparedCell.grouped(cells, RequestCountGroup::key).values().stream()
                .map(group -> new RequestCountGroup(text(group.getFirst()),
                        group.stream().filter(cell -> load(cell).requests() > 0)
                                .collect(Collectors.groupingBy(cell -> load(cell).requests(), TreeMap::new,
                                        Collectors.toList()))))
                .filter(group -> group.byCount().size() >= LEAST_COUNTS).toList();
    }

    /// Whether the loads of these cells differ in their number of requests only, so that a figure can be drawn against it.
    public static boolean tellLoadsApart(List<ComparedCell> cells) {
        List<WorkloadSpec> loads = cells.stream().map(RequestCountGroup::load).distinct().toList();
        long counts =
                loads.stream().mapToInt(WorkloadSpec::requests).filter(requests -> requests > 0).distinct().count();
        return counts >= LEAST_COUNTS && counts == loads.size()
                && loads.stream().map(RequestCountGroup::uncounted).distinct().count() == 1;
    }

    private static WorkloadSpec load(ComparedCell cell) {
        return cell.load();
    }

    private static Object key(ComparedCell cell) {
        return List.of(cell.subject().model(), cell.subject().platform(), cell.experiment(), uncounted(load(cell)));
    }

    private static WorkloadSpec uncounted(WorkloadSpec load) {
        return load.withName("").withRequests(0);
    }

    private static String text(ComparedCell cell) {
        WorkloadSpec load = load(cell);
        String lengths = load.promptFile() == null
                ? "prompts of " + load.promptTokens() + " and outputs of " + load.outputTokens() + " tokens"
                : "prompts of a file";
        return cell.subject().model().map(model -> model + " · ").orElse("") + lengths + " · "
                + LoadNames.words(load.arrivals());
    }
}
