package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;

/// Files of benchmark scripts: `benchmark_results.json` (name, prefill_ms, decode_ms, tokens_per_second, memory_mb) and
/// `benchmark_summaries.csv` (a row per scheduler, size and run; seconds), which `report --scheduler-suite` writes too.
final class BenchmarkTablesFormat {
    static final ForeignFormat FORMAT = new ForeignFormat("benchmark-tables", BenchmarkTablesFormat::fits,
            ForeignFormat.SEVERAL, BenchmarkTablesFormat::read);
    /// The numbers of a configuration.
    static final List<FigureField> CONFIGURATION =
            List.of(new FigureField("prefill_ms", Metrics.PREFILL_LATENCY.mean(), Summary.MS),
                    new FigureField("decode_ms", Metrics.DECODE_LATENCY.mean(), Summary.MS),
                    new FigureField("tokens_per_second", Metrics.COMPUTING_RATE, 1),
                    new FigureField("memory_mb", Metrics.MEMORY_MEAN_TOTAL, 1 << 20));

    private BenchmarkTablesFormat() {}

    private static boolean fits(ForeignFile file) {
        return summaries(file) || configurations(file);
    }

    private static boolean summaries(ForeignFile file) {
        return !file.table().isEmpty() && file.table().getFirst().containsAll(List.of("scheduler", "request_size"));
    }

    private static boolean configurations(ForeignFile file) {
        return !file.documents().isEmpty() && file.documents().getFirst().has("prefill_ms");
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        List<ForeignRun> runs = new ArrayList<>();
        if (configurations(file)) {
            ForeignFields.each(file, "row").forEach(row -> runs.add(configuration(row)));
            return runs;
        }
        if (!file.table().getFirst().contains("throughput_req_per_sec")) {
            throw file.fault(
                    "this table has one row per request and no instants. Import the benchmark_summaries.csv beside it.");
        }
        for (ForeignFields row : ForeignFields.each(file, "row")) {
            runs.add(summary(row));
        }
        if (runs.isEmpty()) {
            throw file.fault("the table has a header and no rows.");
        }
        return runs;
    }

    private static ForeignRun configuration(ForeignFields row) {
        Summary summary = new Summary(1);
        summary.add(CONFIGURATION, row::number);
        String name = row.text("name", "configuration");
        int split = name.lastIndexOf('_');
        return new ForeignRun("benchmark_results.json", split > 0 ? name.substring(0, split) : name, "script",
                split > 0 ? name.substring(split + 1) : name, 1, 0, List.of(), summary.figures(),
                List.of("The file is a summary; its figures cannot be recomputed. It does not give the number of runs."),
                new ForeignRun.Settings(row.settings(field -> row.isWord(field) && !field.equals("name")), Map.of()),
                row.unread(), null);
    }

    private static ForeignRun summary(ForeignFields row) throws ResultFormatException {
        Summary summary = new Summary(row.count("success_count", 0));
        // Our tables count from the intended send time and name engine and workload; others count from sending.
        boolean ours = row.has("engine") && row.has("workload");
        MetricFamily latency = ours ? Metrics.E2E : Metrics.SERVICE_E2E;
        summary.add(Metrics.REQUEST_THROUGHPUT, row.number("throughput_req_per_sec"), 1)
                .add(Metrics.OUTPUT_THROUGHPUT, row.number("throughput_tokens_per_sec"), 1)
                .family(latency, of -> row.number((of.equals("mean") ? "avg" : of) + "_latency"), Summary.SECONDS)
                .add(Metrics.REQUESTS_OK, row.number("success_count"), 1)
                .add(Metrics.REQUESTS_FAILED, row.number("failure_count"), 1)
                .add(Metrics.WINDOW, row.number("wall_time"), Summary.SECONDS);
        row.text("run_num", "");
        return new ForeignRun("benchmark_summaries.csv", row.text("engine", ForeignRun.UNNAMED),
                row.text("scheduler", "scheduler"),
                row.text("workload", "requests") + " " + row.text("request_size", ""), 0, 0, List.of(),
                summary.figures(), List.of("The table is a summary; its figures cannot be recomputed."),
                ForeignRun.Settings.NONE, row.unread(), null);
    }
}
