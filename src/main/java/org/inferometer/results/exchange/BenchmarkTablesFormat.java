package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
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

    private static final List<FigureField> OURS = summaries(Metrics.E2E);
    private static final List<FigureField> OTHERS = summaries(Metrics.SERVICE_E2E);

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
        Metric memory = MEMORIES.stream().filter(metric -> metric.id().equals(row.text(MEMORY_METRIC, ""))).findFirst()
                .orElse(Metrics.MEMORY_MEAN_TOTAL);
        String name = row.text("name", "configuration");
        int split = name.lastIndexOf('_');
        return new ForeignRun.Builder("benchmark_results.json", row)
                .named(split > 0 ? name.substring(0, split) : name, "script",
                        split > 0 ? name.substring(split + 1) : ONLY)
                .load(1, OptionalDouble.empty())
                .summary(new Summary(1).add(CONFIGURATION, row).add(memory, row.number(MEMORY), MIB)
                        .add(Metrics.MEMORY_MEAN_TOTAL, row.number(PROCESS_MEMORY), MIB))
                .note("It does not give the number of runs.")
                .settings(
                        row.settings(
                                field -> row.isWord(field) && !field.equals("name") && !field.equals(MEMORY_METRIC)),
                        Map.of())
                .build();
    }

    private static ForeignRun summary(ForeignFields row) throws ResultFormatException {
        // Our tables count from the intended send time and name engine and workload; others count from sending.
        boolean ours = row.has("engine") && row.has("workload");
        row.text("run_num", "");
        String options = row.text(OPTIONS, "");
        return new ForeignRun.Builder("benchmark_summaries.csv", row)
                .named(row.text("engine", ForeignRun.UNNAMED),
                        row.text("scheduler", "scheduler") + (options.isEmpty() ? "" : ":" + options),
                        row.text("workload", "requests") + " " + row.text("request_size", ""))
                .summary(new Summary(row.count("success_count", 0)).add(ours ? OURS : OTHERS, row)).build();
    }

    private static List<FigureField> summaries(MetricFamily latency) {
        return List.of(new FigureField("throughput_req_per_sec", Metrics.REQUEST_THROUGHPUT, 1),
                new FigureField("throughput_tokens_per_sec", Metrics.OUTPUT_THROUGHPUT, 1),
                new FigureField("%s_latency", latency, Summary.SECONDS),
                new FigureField("success_count", Metrics.REQUESTS_OK, 1),
                new FigureField("failure_count", Metrics.REQUESTS_FAILED, 1),
                new FigureField("wall_time", Metrics.WINDOW, Summary.SECONDS));
    }
}
