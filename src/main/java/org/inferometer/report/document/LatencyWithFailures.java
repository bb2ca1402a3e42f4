package org.inferometer.report.document;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric.Unit;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunRecord;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;

/// Percentiles in which a failed request counts as infinitely slow: those of ok requests alone improve when slow requests fail.
final class LatencyWithFailures {
    private static final List<Integer> PERCENTS = List.of(50, 90, 95, 99);

    private LatencyWithFailures() {}

    /// A row per cell with a failed request; empty where none failed.
    static Optional<ReportTable> of(List<ExperimentRecord> records) {
        List<Row> rows = new ArrayList<>();
        for (ExperimentRecord record : records) {
            Map<String, List<RequestOutcome>> cells = new LinkedHashMap<>();
            for (RunRecord run : record.runs()) {
                run.observations().requests().stream().filter(LatencyWithFailures::counts)
                        .forEach(request -> cells
                                .computeIfAbsent(run.manifest().plan().cell().label(), label -> new ArrayList<>())
                                .add(request));
            }
            cells.forEach((label, requests) -> row(label, requests).ifPresent(rows::add));
        }
        List<Column> columns = new ArrayList<>(
                List.of(Column.text("Cell"), Column.number("Failed", "%"), Column.number("Requests", "")));
        Stream.of("TTFT", "E2E").forEach(
                latency -> PERCENTS.forEach(percent -> columns.add(Column.number(latency + " P" + percent, "ms"))));
        return rows.isEmpty() ? Optional.empty() : Optional.of(new ReportTable(
                "Latency, failed requests counted as infinite", "", columns, rows,
                List.of("Failed, timed-out and refused requests count as ∞; cancelled and given-up ones are left out. Over all runs of a cell.",
                        "Elsewhere latencies are those of ok requests, and at least what users waited who gave up.")));
    }

    /// Those that were cancelled or given up did not fail.
    private static boolean counts(RequestOutcome request) {
        return !request.warmUp() && request.status() != RequestStatus.CANCELLED
                && request.status() != RequestStatus.GAVE_UP && request.intendedNanos() != RequestOutcome.ABSENT;
    }

    private static Optional<Row> row(String label, List<RequestOutcome> requests) {
        long failed = requests.stream().filter(request -> !request.ok()).count();
        if (failed == 0) {
            return Optional.empty();
        }
        List<String> cells = new ArrayList<>(List.of(label,
                FigureText.value(Unit.FRACTION, (double) failed / requests.size()), Integer.toString(requests.size())));
        boolean streamed = requests.stream().noneMatch(RequestOutcome::whole);
        double[] firsts = requests.stream().mapToDouble(request -> since(request, request.firstTokenNanos())).toArray();
        double[] lasts = requests.stream().mapToDouble(request -> since(request, request.lastTokenNanos())).toArray();
        PERCENTS.forEach(percent -> cells.add(streamed ? text(firsts, percent) : FigureText.NOT_APPLICABLE));
        PERCENTS.forEach(percent -> cells.add(text(lasts, percent)));
        return Optional.of(Row.of(cells));
    }

    private static double since(RequestOutcome request, long nanos) {
        return request.ok() && nanos != RequestOutcome.ABSENT ? nanos - request.intendedNanos()
                : Double.POSITIVE_INFINITY;
    }

    /// Type 7, as elsewhere; infinite as soon as a failed request enters it.
    private static String text(double[] nanos, int percent) {
        double[] sorted = nanos.clone();
        Arrays.sort(sorted);
        double rank = (sorted.length - 1) * percent / 100.0;
        int below = (int) rank;
        double share = rank - below;
        double value = share == 0 ? sorted[below] : sorted[below] + share * (sorted[below + 1] - sorted[below]);
        return IntStream.of(below, share == 0 ? below : below + 1).anyMatch(i -> Double.isInfinite(sorted[i])) ? "∞"
                : FigureText.value(Unit.NANOSECONDS, value);
    }
}
