package org.inferometer.report.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.report.ArrivalText;
import org.inferometer.results.exchange.ReportedArrivals;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// The properties of an imported experiment, from the other tool's file: without machine, seed and warm-up.
final class ImportedExperiment {
    private ImportedExperiment() {}

    /// Whether an experiment was imported from another tool's file.
    static boolean isImported(ExperimentManifest manifest) {
        return manifest.times().imported() != null;
    }

    /// The arrivals of a cell; empty if the other tool's file does not contain them.
    static Optional<ArrivalProcess> arrivals(ExperimentManifest manifest, CellSummary cell) {
        WorkloadSpec load = cell.cell().workload();
        return isImported(manifest) ? ReportedArrivals.in(load) : Optional.of(load.arrivals());
    }

    /// The environment as name and value, in order; lengths are those of the requests.
    static Map<String, String> environment(ExperimentRecord record) {
        Map<String, String> rows = new LinkedHashMap<>();
        put(rows, "Target", record.runs().stream().map(run -> run.manifest().system().target()).distinct()
                .collect(Collectors.joining("; ")));
        record.manifest().spec().workloads()
                .forEach(load -> put(rows, "Workload " + load.name(), load(load, record.runs())));
        put(rows, "Runs", span(record.manifest().cells().stream().mapToInt(CellSummary::runs), most -> " per cell"));
        return rows;
    }

    private static void put(Map<String, String> rows, String name, String value) {
        if (!value.isEmpty()) {
            rows.put(name, value);
        }
    }

    private static String load(WorkloadSpec load, List<RunRecord> runs) {
        List<RequestColumns> byRun =
                runs.stream().filter(run -> run.manifest().plan().workload().name().equals(load.name()))
                        .map(run -> run.observations().requests()).toList();
        RequestColumns all = RequestColumns.joined(byRun);
        List<String> parts = new ArrayList<>(List.of(
                span(byRun.stream().mapToInt(List::size), most -> most == 1 ? " request" : " requests"),
                before("prompt ",
                        span(all.stream().mapToInt(RequestOutcome::promptTokens), ImportedExperiment::tokens)),
                before("output ", span(all.stream().filter(RequestOutcome::ok).mapToInt(RequestOutcome::outputTokens),
                        ImportedExperiment::tokens))));
        ReportedArrivals.in(load).ifPresent(arrivals -> parts.add(ArrivalText.of(arrivals)));
        return parts.stream().filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }

    private static String tokens(int most) {
        return most == 1 ? " token" : " tokens";
    }

    private static String before(String word, String value) {
        return value.isEmpty() ? "" : word + value;
    }

    /// "3 requests" or "10..20 tokens"; 0 stands for not recorded. Empty if all are.
    private static String span(IntStream counts, IntFunction<String> unit) {
        int[] known = counts.filter(count -> count > 0).sorted().toArray();
        if (known.length == 0) {
            return "";
        }
        int least = known[0];
        int most = known[known.length - 1];
        return (least == most ? "" : least + "..") + most + unit.apply(most);
    }
}
