package org.inferometer.results.exchange;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Metric;
import org.inferometer.results.ResultFiles;
import org.inferometer.units.SpreadsheetText;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Writes the figures of an experiment as a table of another tool, one row per cell. Importing the file restores each figure to the bit. Values
/// that the experiment does not have are null or empty.
public final class TableExporter {
    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final JsonMapper LINES = JsonMapper.builder().build();
    /// Names of llama-bench tests: "pp512", "tg128", "pp512+tg128 at 4096".
    private static final Pattern TEST = Pattern.compile("(?:pp(\\d{1,9}))?\\+?(?:tg(\\d{1,9}))?(?: at (\\d{1,9}))?");
    private final ExperimentManifest experiment;

    private TableExporter(ExperimentManifest experiment) {
        this.experiment = experiment;
    }

    /// The tables.
    public enum Table {
        /// `benchmark_results.json` of benchmark scripts.
        BENCHMARK_TABLES("benchmark-tables", "benchmark_results.json"),
        /// `llama-bench -o json`.
        LLAMA_BENCH("llama-bench", "llama-bench.json"),
        /// `llama-bench -o jsonl`.
        LLAMA_BENCH_JSONL("llama-bench-jsonl", "llama-bench.jsonl"),
        /// `llama-bench -o csv`, without samples.
        LLAMA_BENCH_CSV("llama-bench-csv", "llama-bench.csv");

        private final String id;
        private final String fileName;

        Table(String id, String fileName) {
            this.id = id;
            this.fileName = fileName;
        }

        /// The id on a command line.
        public String id() {
            return id;
        }

        /// The file's usual name.
        public String fileName() {
            return fileName;
        }

        /// The table with an id; empty if there is none.
        public static Optional<Table> of(String id) {
            return Arrays.stream(values()).filter(table -> table.id.equals(id)).findFirst();
        }
    }

    /// The file of an experiment as text.
    ///
    /// @throws IllegalArgumentException if no cell can fill a row
    public static String of(ExperimentManifest experiment, Table table) {
        TableExporter exporter = new TableExporter(experiment);
        return switch (table) {
            case BENCHMARK_TABLES -> MAPPER.writeValueAsString(exporter.configurations()) + "\n";
            case LLAMA_BENCH -> MAPPER.writeValueAsString(exporter.tests()) + "\n";
            case LLAMA_BENCH_JSONL ->
                exporter.tests().stream().map(LINES::writeValueAsString).collect(Collectors.joining("\n", "", "\n"));
            case LLAMA_BENCH_CSV -> csv(exporter.tests());
        };
    }

    private List<Map<String, Object>> configurations() {
        List<Map<String, Object>> rows = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (CellSummary cell : experiment.cells()) {
            if (mean(cell, Metrics.PREFILL_LATENCY.mean()).isPresent()
                    || mean(cell, Metrics.DECODE_LATENCY.mean()).isPresent()) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("name", name(cell, names));
                BenchmarkTablesFormat.CONFIGURATION
                        .forEach(field -> row.put(field.name(), unscaled(mean(cell, field.metric()), field.unit())));
                memory(cell, row);
                rows.add(row);
            }
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(
                    experiment.id() + " has no prefill or decode latencies. benchmark-tables needs them.");
        }
        return rows;
    }

    /// Engine and workload, as the importer splits them; with the scheduler if the name is taken.
    private static String name(CellSummary cell, Set<String> names) {
        String engine = cell.cell().subject().model().orElse(cell.cell().subject().system());
        String workload = cell.cell().workload().name();
        String load = workload.equals(BenchmarkTablesFormat.ONLY) ? "" : "_" + workload;
        return names.add(engine + load) ? engine + load : engine + "-" + cell.cell().subject().system() + load;
    }

    /// On a CPU the weights and the KV cache, since the process holds much that no GPU would; the process beside them. Of a tool what it
    /// reports: the samples of its run are those of this program.
    private static void memory(CellSummary cell, Map<String, Object> row) {
        boolean own = cell.cell().subject() instanceof Subject.EngineSubject;
        boolean imported = cell.cell().subject().platform().equals(ResultFiles.IMPORTED);
        boolean gpu = cell.cell().subject() instanceof Subject.EngineSubject engine
                && Subject.coreThreads(engine.backend()).isEmpty();
        Optional<Metric> shown = BenchmarkTablesFormat.MEMORIES.stream()
                .filter(metric -> imported || (metric.equals(Metrics.REPORTED_MEMORY_PEAK) ? !own : own))
                .filter(metric -> !gpu || metric.equals(Metrics.MEMORY_MEAN_TOTAL))
                .filter(metric -> mean(cell, metric).isPresent()).findFirst();
        row.put(BenchmarkTablesFormat.MEMORY,
                shown.map(metric -> unscaled(mean(cell, metric), BenchmarkTablesFormat.MIB)).orElse(null));
        shown.filter(metric -> !metric.equals(Metrics.MEMORY_MEAN_TOTAL)).ifPresent(metric -> {
            row.put(BenchmarkTablesFormat.MEMORY_METRIC, metric.id());
            if (own || imported) {
                row.put(BenchmarkTablesFormat.PROCESS_MEMORY,
                        unscaled(mean(cell, Metrics.MEMORY_MEAN_TOTAL), BenchmarkTablesFormat.MIB));
            }
        });
    }

    /// llama-bench measures one sequence at a time, of fixed lengths.
    private List<Map<String, Object>> tests() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (CellSummary cell : experiment.cells()) {
            Optional<int[]> lengths = lengths(cell);
            Optional<CellFigure> rate = CellFigures.find(cell.figures(), Metrics.TOTAL_THROUGHPUT);
            if (lengths.isPresent() && rate.isPresent()) {
                rows.add(test(cell, lengths.get(), rate.get().runValues()));
            }
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(
                    experiment.id() + " cannot be exported as llama-bench. It needs a closed loop of 1"
                            + " with prompts of one length and answers of one length.");
        }
        return rows;
    }

    private Map<String, Object> test(CellSummary cell, int[] lengths, List<Double> rates) {
        long tokens = (long) lengths[0] + lengths[1];
        List<Double> nanos = rates.stream().map(rate -> tokens * Summary.SECONDS / rate).toList();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("backends", cell.cell().subject().system());
        row.put("model_filename", file(cell));
        row.put("n_prompt", lengths[0]);
        row.put("n_gen", lengths[1]);
        row.put("n_depth", lengths[2]);
        row.put("test_time", experiment.times().start().map(Instant::toString).orElse(null));
        row.put("avg_ns", Math.round(average(nanos)));
        row.put("stddev_ns", Math.round(deviation(nanos)));
        row.put("avg_ts", average(rates));
        row.put("stddev_ts", deviation(rates));
        row.put("samples_ns", nanos.stream().map(Math::round).toList());
        row.put("samples_ts", rates);
        return row;
    }

    /// The model as a path: engine/model.
    private static String file(CellSummary cell) {
        String engine = cell.cell().subject().model().orElse(cell.cell().subject().system());
        return cell.model().isEmpty() || cell.model().equals(engine) ? engine : engine + "/" + cell.model();
    }

    /// `[3]` prompt, output and depth of a test in tokens; empty for loads without such a test.
    private static Optional<int[]> lengths(CellSummary cell) {
        WorkloadSpec load = cell.cell().workload();
        if (!(load.arrivals() instanceof ArrivalProcess.ClosedLoop closed) || closed.concurrency() != 1) {
            return Optional.empty();
        }
        Matcher test = TEST.matcher(load.name());
        if (load.requests() == 0 && test.matches() && !load.name().isEmpty()) {
            return Optional.of(new int[]{whole(test.group(1)), whole(test.group(2)), whole(test.group(3))});
        }
        return load.promptTokens() instanceof LengthDistribution.FixedLength prompt
                && load.outputTokens() instanceof LengthDistribution.FixedLength output && load.promptFile() == null
                        ? Optional.of(new int[]{prompt.tokens(), output.tokens(), 0}) : Optional.empty();
    }

    private static int whole(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static String csv(List<Map<String, Object>> rows) {
        List<String> columns =
                rows.getFirst().keySet().stream().filter(column -> !column.startsWith("samples_")).toList();
        StringBuilder text = new StringBuilder(String.join(",", columns)).append('\n');
        for (Map<String, Object> row : rows) {
            text.append(columns.stream().map(column -> quoted(Objects.toString(row.get(column), "")))
                    .collect(Collectors.joining(","))).append('\n');
        }
        return text.toString();
    }

    private static String quoted(String text) {
        return "\"" + SpreadsheetText.harmless(text).replace("\"", "\"\"") + "\"";
    }

    private static OptionalDouble mean(CellSummary cell, Metric metric) {
        return CellFigures.find(cell.figures(), metric).stream().mapToDouble(CellFigure::mean).findFirst();
    }

    private static double average(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /// Sample standard deviation, as in llama-bench.
    private static double deviation(List<Double> values) {
        double mean = average(values);
        double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
        return values.size() < 2 ? 0 : Math.sqrt(squares / (values.size() - 1));
    }

    /// The shortest number whose product with the scale is the figure; null if absent.
    private static @Nullable Double unscaled(OptionalDouble figure, double scale) {
        if (figure.isEmpty()) {
            return null;
        }
        double near = figure.getAsDouble() / scale;
        double shorter = new BigDecimal(near).round(new MathContext(15)).doubleValue();
        for (double candidate : new double[]{shorter, near, Math.nextUp(near), Math.nextDown(near)}) {
            if (candidate * scale == figure.getAsDouble()) {
                return candidate;
            }
        }
        return near;
    }
}
