package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;

/// Files of benchmark scripts: `benchmark_results.json` (name, prefill_ms, decode_ms, tokens_per_second, memory_mb) and
/// `benchmark_summaries.csv` (a row per scheduler, size and run; seconds), which `report --scheduler-suite` writes too. Our own files say
/// what `memory_mb` is, where it is not the device's memory.
final class BenchmarkTablesFormat {
    static final ForeignFormat FORMAT = new ForeignFormat("benchmark-tables", BenchmarkTablesFormat::fits,
            ForeignFormat.SEVERAL, BenchmarkTablesFormat::read);
    /// The numbers of a configuration.
    static final List<FigureField> CONFIGURATION =
            List.of(new FigureField("prefill_ms", Metrics.PREFILL_LATENCY.mean(), Summary.MS),
                    new FigureField("decode_ms", Metrics.DECODE_LATENCY.mean(), Summary.MS),
                    new FigureField("tokens_per_second", Metrics.COMPUTING_RATE, 1));
    /// The column beside `scheduler`.
    private static final String OPTIONS = "scheduler_options";
    static final String MEMORY = "memory_mb";
    static final String MEMORY_METRIC = "memory_metric";
    static final String PROCESS_MEMORY = "process_memory_mb";
    static final double MIB = 1 << 20;
    /// What `memory_mb` may be, in the order in which it is written.
    static final List<Metric> MEMORIES =
            List.of(Metrics.MODEL_MEMORY_PEAK, Metrics.REPORTED_MEMORY_PEAK, Metrics.MEMORY_MEAN_TOTAL);
    /// The workload of a configuration whose name has one part.
    static final String ONLY = "configuration";

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
        Metric memory = MEMORIES.stream().filter(metric -> metric.id().equals(row.text(MEMORY_METRIC, ""))).findFirst()
                .orElse(Metrics.MEMORY_MEAN_TOTAL);
        summary.add(CONFIGURATION, row::number).add(memory, row.number(MEMORY), MIB).add(Metrics.MEMORY_MEAN_TOTAL,
                row.number(PROCESS_MEMORY), MIB);
        String name = row.text("name", "configuration");
        int split = name.lastIndexOf('_');
        return new ForeignRun("benchmark_results.json", split > 0 ? name.substring(0, split) : name, "script",
                split > 0 ? name.substring(split + 1) : ONLY, 1, 0, List.of(), summary.figures(),
                List.of("The file is a summary; its figures cannot be recomputed. It does not give the number of runs."),
                new ForeignRun.Settings(row.settings(
                        field -> row.isWord(field) && !field.equals("name") && !field.equals(MEMORY_METRIC)), Map.of()),
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
        String options = row.text(OPTIONS, "");
        return new ForeignRun("benchmark_summaries.csv", row.text("engine", ForeignRun.UNNAMED),
                row.text("scheduler", "scheduler") + (options.isEmpty() ? "" : ":" + options),
                row.text("workload", "requests") + " " + row.text("request_size", ""), 0, 0, List.of(),
                summary.figures(), List.of("The table is a summary; its figures cannot be recomputed."),
                ForeignRun.Settings.NONE, row.unread(), null);
    }
}
