package org.inferometer.report.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.inferometer.measurement.LatencyFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunRecord;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.workload.RequestId;

/// Latencies of each kind of a mix of requests.
final class LatencyByVariant {
    private static final List<Metric> SHOWN = List.of(Metrics.TTFT.p50(), Metrics.TTFT.p95(), Metrics.TPOT.p50(),
            Metrics.TPOT.p95(), Metrics.E2E.p50(), Metrics.E2E.p95());

    private LatencyByVariant() {}

    /// A row per kind under its cell; empty where no request has one.
    static Optional<ReportTable> of(List<ExperimentRecord> records) {
        List<Row> rows = new ArrayList<>();
        for (ExperimentRecord record : records) {
            Map<String, SortedMap<String, List<RequestColumns>>> cells = new LinkedHashMap<>();
            for (RunRecord run : record.runs()) {
                SortedMap<String, List<RequestColumns>> kinds =
                        cells.computeIfAbsent(run.manifest().plan().cell().label(), label -> new TreeMap<>());
                byVariant(run).forEach(
                        (variant, requests) -> kinds.computeIfAbsent(variant, key -> new ArrayList<>()).add(requests));
            }
            cells.forEach((label, kinds) -> {
                if (!kinds.isEmpty()) {
                    rows.add(Row.heading(label));
                    kinds.forEach((variant, requests) -> rows.add(row(variant, RequestColumns.joined(requests))));
                }
            });
        }
        List<Column> columns =
                new ArrayList<>(List.of(Column.text("Kind"), Column.number("Requests", ""), Column.number("Ok", "")));
        SHOWN.forEach(metric -> columns.add(Column.number(metric.label().replace(" latency", ""), "ms")));
        return rows.isEmpty() ? Optional.empty() : Optional.of(new ReportTable("By kind of request", "", columns, rows,
                List.of("Over the ok requests of all runs of a cell. (n): fewer than the percentile needs.")));
    }

    private static Map<String, RequestColumns> byVariant(RunRecord run) {
        Map<Integer, String> variants = new HashMap<>();
        for (RunEvent event : run.events()) {
            if (event instanceof RunEvent.RequestVariant(long _, RequestId request, String variant)) {
                variants.put(request.index(), variant);
            }
        }
        RequestColumns measured = run.observations().requests().measured();
        Map<String, RequestColumns> kinds = new HashMap<>();
        variants.values().stream().distinct().forEach(variant -> {
            RequestColumns own = measured.where(i -> variant.equals(variants.get(measured.number(i))));
            if (!own.isEmpty()) {
                kinds.put(variant, own);
            }
        });
        return kinds;
    }

    private static Row row(String variant, RequestColumns requests) {
        List<Figure> figures = LatencyFigures.of(requests);
        return Row
                .of(Stream
                        .concat(Stream
                                .of("  " + variant, Integer.toString(requests.size()), Long
                                        .toString(requests.count(requests::answered))),
                                SHOWN.stream().map(metric -> RunFigures.find(figures, metric)
                                        .map(LatencyByVariant::text).orElse(FigureText.NOT_APPLICABLE)))
                        .toList());
    }

    private static String text(Figure figure) {
        return FigureText.value(figure.metric().unit(), figure.value())
                + (figure.enough() ? "" : " (" + figure.n() + ")");
    }
}
