package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Metric;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.exchange.TableExporter.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TableExporterTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    @TempDir
    Path folder = Path.of("");

    private ExperimentManifest imported(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
        Importer.Imported imported = new Importer(folder.resolve("results")).read(folder.resolve(name),
                Optional.empty(), Instant.parse("2026-11-21T14:15:03Z"));
        return new ResultLibrary(folder.resolve("results")).open(imported.folder()).manifest();
    }

    /// The values of each run, by cell and metric.
    private static Map<String, Map<String, List<Double>>> values(ExperimentManifest experiment) {
        return experiment.cells().stream().collect(Collectors.toMap(cell -> cell.cell().label(),
                TableExporterTest::figures, (one, other) -> one, TreeMap::new));
    }

    private static Map<String, List<Double>> figures(CellSummary cell) {
        return cell.figures().stream().collect(Collectors.toMap(figure -> figure.metric().id(), CellFigure::runValues,
                (one, other) -> one, TreeMap::new));
    }

    @Test
    void configurationsOfAScriptComeBackAsTheyWere() throws IOException {
        String odd = """
                [{"name": "fp8_short", "prefill_ms": 45.2, "decode_ms": 312.5, "tokens_per_second": 40.9, "memory_mb": 8234},
                 {"name": "fp8_long_one", "prefill_ms": 0.1234567890123, "decode_ms": 1e-3, "tokens_per_second": 44.512345678901234, "memory_mb": null},
                 {"name": "alone", "prefill_ms": 33.333333333333336, "decode_ms": 0.7, "tokens_per_second": 3.0, "memory_mb": 512.25}]
                """;
        ExperimentManifest before = imported("benchmark_results.json", odd);
        String written = TableExporter.of(before, Table.BENCHMARK_TABLES);
        assertThat(values(imported("again.json", written))).isEqualTo(values(before));
        JsonNode asked = MAPPER.readTree(odd);
        JsonNode got = MAPPER.readTree(written);
        assertThat(got.size()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            assertThat(got.get(i).get("name")).isEqualTo(asked.get(i).get("name"));
            for (String key : List.of("prefill_ms", "decode_ms", "tokens_per_second", "memory_mb")) {
                assertThat(got.get(i).get(key).isNull()).isEqualTo(asked.get(i).get(key).isNull());
                assertThat(got.get(i).get(key).asDouble(-1)).as(key).isEqualTo(asked.get(i).get(key).asDouble(-1));
            }
        }
    }

    /// An experiment of ours with one cell of these figures.
    private static ExperimentManifest ours(List<CellFigure> figures) {
        return ours(SampleRecords.experiment(Path.of("x"), 1).cells().getFirst().cell(), figures);
    }

    private static ExperimentManifest ours(Cell of, List<CellFigure> figures) {
        ExperimentManifest whole = SampleRecords.experiment(Path.of("x"), 1);
        CellSummary cell = whole.cells().getFirst();
        CellSummary changed = new CellSummary(0, of, cell.model(), cell.precision(), 1, figures);
        return new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, whole.id(), whole.spec(), whole.plan(),
                whole.machine(),
                new ExperimentManifest.ExperimentTimes(SampleRecords.STARTED, SampleRecords.STARTED, null),
                new ExperimentManifest.ExperimentOutcome(RunStatus.COMPLETE, "", List.of(changed), SampleRecords.VALID),
                false);
    }

    private static CellFigure figure(Metric metric, double value) {
        return new CellFigure(metric, value, null, List.of(value), 1, 1, true);
    }

    @Test
    void whatIsMeasuredHereComesBackAsNothingElseThanItWas() throws IOException {
        CellFigure prefill = figure(Metrics.PREFILL_LATENCY.mean(), 45e6);
        CellFigure output = figure(Metrics.OUTPUT_THROUGHPUT, 600);
        CellFigure peak = figure(Metrics.REPORTED_MEMORY_PEAK, 4096.0 * (1 << 20));
        CellFigure rate = figure(Metrics.COMPUTING_RATE, 40);
        CellFigure memory = figure(Metrics.MEMORY_MEAN_TOTAL, 512.0 * (1 << 20));
        ExperimentManifest full = imported("full.json",
                TableExporter.of(ours(List.of(prefill, output, rate, peak, memory)), Table.BENCHMARK_TABLES));
        assertThat(figures(full.cells().getFirst())).isEqualTo(Map.of("prefill_latency_mean", List.of(45e6),
                "computing_rate", List.of(40.0), "memory_mean_total", List.of(512.0 * (1 << 20))));
        ExperimentManifest sparse =
                imported("sparse.json", TableExporter.of(ours(List.of(prefill, output, peak)), Table.BENCHMARK_TABLES));
        assertThat(figures(sparse.cells().getFirst())).isEqualTo(Map.of("prefill_latency_mean", List.of(45e6)));
    }

    /// Whole processes of two precisions differ little beside Java, maps and threads; on a GPU the device's memory is what tools report.
    @Test
    void memoryOfAnEngineIsWeightsAndKvCacheOnTheCpu() throws IOException {
        List<CellFigure> figures = List.of(figure(Metrics.PREFILL_LATENCY.mean(), 45e6),
                figure(Metrics.MODEL_MEMORY_PEAK, 100.0 * (1 << 20)),
                figure(Metrics.MEMORY_MEAN_TOTAL, 512.0 * (1 << 20)));
        String written = TableExporter.of(ours(figures), Table.BENCHMARK_TABLES);
        JsonNode row = MAPPER.readTree(written).get(0);
        assertThat(List.of(row.get("memory_mb").doubleValue(), row.get("process_memory_mb").doubleValue()))
                .containsExactly(100.0, 512.0);
        ExperimentManifest again = imported("again.json", written);
        assertThat(figures(again.cells().getFirst())).isEqualTo(figures(ours(figures).cells().getFirst()));
        assertThat(TableExporter.of(again, Table.BENCHMARK_TABLES))
                .contains("\"memory_metric\" : \"memory_peak_model\"", "\"process_memory_mb\" : 512.0");

        JsonNode gpu = MAPPER.readTree(TableExporter
                .of(measuredOn(new Subject.EngineSubject("tiny-int4", Selection.of("naive"), Selection.of("cuda")),
                        figures), Table.BENCHMARK_TABLES))
                .get(0);
        assertThat(gpu.get("memory_mb").doubleValue()).isEqualTo(512);
        assertThat(gpu.has("process_memory_mb")).isFalse();
        JsonNode tool =
                MAPPER.readTree(
                        TableExporter.of(
                                measuredOn(new Subject.TargetSubject(Selection.parse("edgellm:engine_dir=fp8")),
                                        List.of(figure(Metrics.PREFILL_LATENCY.mean(), 45e6),
                                                figure(Metrics.REPORTED_MEMORY_PEAK, 4096.0 * (1 << 20)),
                                                figure(Metrics.MEMORY_MEAN_TOTAL, 512.0 * (1 << 20)))),
                                Table.BENCHMARK_TABLES))
                        .get(0);
        assertThat(tool.get("memory_mb").doubleValue()).as("not that of this program").isEqualTo(4096);
        assertThat(tool.has("process_memory_mb")).isFalse();
    }

    private static ExperimentManifest measuredOn(Subject subject, List<CellFigure> figures) {
        return ours(new Cell(subject, SampleRecords.experiment(Path.of("x"), 1).cells().getFirst().cell().workload()),
                figures);
    }

    @Test
    void llamaBenchsSamplesComeBackAsJsonAndAsLines() throws IOException {
        ExperimentManifest before = imported("bench.json",
                ForeignSamples.LLAMA_BENCH.replace("\"n_prompt\": 0,", "\"n_prompt\": 64, \"n_depth\": 4096,"));
        for (Table table : List.of(Table.LLAMA_BENCH, Table.LLAMA_BENCH_JSONL)) {
            String written = TableExporter.of(before, table);
            assertThat(values(imported(table.fileName(), written))).isEqualTo(values(before));
        }
        JsonNode second = MAPPER.readTree(TableExporter.of(before, Table.LLAMA_BENCH)).get(1);
        assertThat(List.of(second.get("n_prompt").intValue(), second.get("n_gen").intValue(),
                second.get("n_depth").intValue())).containsExactly(64, 128, 4096);
        assertThat(second.get("avg_ts").doubleValue()).isEqualTo(20);
        assertThat(second.get("stddev_ts").doubleValue()).isEqualTo(1);
        assertThat(second.get("samples_ns").get(1).longValue()).isEqualTo(9_600_000_000L);
    }

    @Test
    void llamaBenchsTableKeepsTheMeans() throws IOException {
        ExperimentManifest before = imported("bench.csv",
                ForeignSamples.LLAMA_BENCH_CSV.replace("seven, new.gguf", "seven \"\"new\"\".gguf"));
        assertThat(values(imported("again.csv", TableExporter.of(before, Table.LLAMA_BENCH_CSV))))
                .isEqualTo(values(before));
    }

    @Test
    void whatCannotFillATableIsRefusedWithOneSentence() throws IOException {
        ExperimentManifest rates = imported("report.json", ForeignSamples.TRTLLM);
        assertThatThrownBy(() -> TableExporter.of(rates, Table.BENCHMARK_TABLES))
                .hasMessageContaining("no prefill or decode");
        assertThatThrownBy(() -> TableExporter.of(rates, Table.LLAMA_BENCH)).hasMessageContaining("a closed loop of 1");
    }
}
