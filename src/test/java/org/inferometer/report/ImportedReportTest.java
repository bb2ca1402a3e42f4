package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.report.compare.QuantisationImpact;
import org.inferometer.report.compare.Recommendations;
import org.inferometer.report.document.FigureExport;
import org.inferometer.report.document.MarkdownReport;
import org.inferometer.report.document.ReportDocument;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.TextReport;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.results.exchange.Importer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.wording.Voice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ImportedReportTest {
    private static final String TOOLS = """
            [{"name": "fp8_short", "prefill_ms": 45.2, "decode_ms": 312.5, "tokens_per_second": 40.9, "memory_mb": 8234},
             {"name": "int4_short", "prefill_ms": 38.1, "decode_ms": 287.2, "tokens_per_second": 44.5, "memory_mb": null}]
            """;

    @TempDir
    Path folder = Path.of("");

    /// Four requests of which one failed; no request rate and no most requests in flight.
    private static final String VLLM = """
            {"backend": "vllm", "label": "chat", "model_id": "org/model", "duration": 1.5, "completed": 2, "total_output_tokens": 5,
             "request_throughput": 1.3333, "output_throughput": 3.3333, "input_lens": [10, 20, 5, 0], "output_lens": [3, 2, 0, 2],
             "start_times": [1000.5, 1001.0, 1001.25, 1001.5], "ttfts": [0.05, 0.1, 0.0, 0.1], "itls": [[0.01, 0.03], [0.02], [], [0.02]],
             "errors": ["", "", "refused", ""]}
            """;

    private ExperimentRecord imported() throws IOException {
        return imported(TOOLS);
    }

    private ExperimentRecord imported(String text) throws IOException {
        Path file = folder.resolve("benchmark_results.json");
        Files.writeString(file, text);
        Importer.Imported imported = new Importer(folder.resolve("results")).read(file, Optional.empty(),
                Instant.parse("2026-11-21T14:15:03Z"));
        return new ResultLibrary(folder.resolve("results")).open(imported.folder());
    }

    @Test
    void prefillDecodeAndMemoryShareATable() throws IOException {
        ReportTable table =
                new ComparisonTables(ComparedCell.of(List.of(imported().manifest()))).computing().orElseThrow();
        assertThat(table.columns().stream().map(ReportTable.Column::headerWithUnit)).containsExactly("Cell", "Runs",
                "Prefill, ms", "Decode, ms", "Computing rate, tok/s", "Memory mean, MiB");
        assertThat(table.rows().stream()
                .map(row -> row.cells().stream().skip(1).map(cell -> cell.strip().replace(" (n = 1)", "")).toList()))
                .containsExactly(List.of("1", "45.20", "312.5", "40.9", "8234.0"),
                        List.of("1", "38.10", "287.2", "44.5", "not recorded"));
    }

    @Test
    void inProcessEnginesHaveNoReportedTable() {
        assertThat(
                new ComparisonTables(ComparedCell.of(List.of(SampleRecords.experiment(Path.of("x"), 3)))).computing())
                .isEmpty();
    }

    private static final String TUTORIAL = """
            [{"name": "fp8_short", "prefill_ms": 40, "decode_ms": 300, "tokens_per_second": 40, "memory_mb": 8000},
             {"name": "fp8_long", "prefill_ms": 150, "decode_ms": 1200, "tokens_per_second": 40, "memory_mb": 9000},
             {"name": "int4_awq_short", "prefill_ms": 20, "decode_ms": 200, "tokens_per_second": 60, "memory_mb": 5000}]
            """;

    @Test
    void precisionsInNamesHaveAnImpact() throws IOException {
        assertThat(QuantisationImpact.of(ComparedCell.of(List.of(imported(TUTORIAL).manifest())), Voice.COMMAND_LINE)
                .orElseThrow().rows()).extracting(ReportTable.Row::cells)
                .containsExactly(List.of("script · imported · short"),
                        List.of("  INT4 / FP8", "1.50× faster", "2.0× faster", "1.50× faster", "–", "1.60× less"));
    }

    @Test
    void summariesHaveRecommendationsByTheirValues() throws IOException {
        ReportTable table = Recommendations
                .of(ComparedCell.of(List.of(imported(TUTORIAL).manifest())), Voice.COMMAND_LINE).orElseThrow();
        assertThat(table.rows()).extracting(ReportTable.Row::cells).containsExactly(List.of("short"),
                List.of("  Latency-critical", "int4_awq", "Decode latency mean 200.0 ms, 1.50× faster than fp8."),
                List.of("  Memory-bound", "int4_awq", "Memory mean 5000.0 MiB, 1.60× less than fp8."),
                List.of("  Long context", "cannot tell", "Prompt lengths are not known."),
                List.of("  Throughput", "int4_awq", "Computing rate 60.0 tok/s, 1.50× faster than fp8."));
        assertThat(table.footnotes()).contains(
                "Rules: latency-critical by Decode latency mean, memory-bound by Memory mean, long context by TTFT P50, throughput by Computing rate.",
                "Choices between single values have no interval and may be chance.");
        assertThat(TextReport.render(ReportDocument.of(List.of(imported(TUTORIAL)), ReportOutline.USUAL,
                SchedulerRegistry.standard(), new TextAnonymizer(List.of())), 100))
                .contains("\nQuantisation impact\n", "\nRecommendations\n").doesNotContain("Throughput and resources");
    }

    private ReportDocument.Part part(String text) throws IOException {
        return ReportDocument.of(List.of(imported(text)), ReportOutline.USUAL, SchedulerRegistry.standard(),
                new TextAnonymizer(List.of())).parts().getFirst();
    }

    @Test
    void importedEnvironmentIsFromTheFile() throws IOException {
        assertThat(part(VLLM).environment()).isEqualTo(Map.of("Target", "imported from vLLM", "Workload chat",
                "4 requests, prompt 5..20 tokens, output 2..3 tokens", "Runs", "1 per cell"));
        assertThat(part(VLLM.replace("\"completed\"", "\"max_concurrency\": 2, \"completed\"")).environment())
                .containsEntry("Workload chat",
                        "4 requests, prompt 5..20 tokens, output 2..3 tokens, Closed loop, 2 in flight");
        assertThat(part(VLLM.replaceAll("\"input_lens\"(?s).*\\}", "\"p99_itl_ms\": 30.0}")).environment())
                .isEqualTo(Map.of("Target", "imported from vLLM", "Runs", "1 per cell"));
        assertThat(part(VLLM).subtitle()).isEqualTo("start not recorded, imported 2026-11-21 14:15 UTC · complete");
    }

    @Test
    void missingImportFieldsAreNotExported() throws IOException {
        FigureExport summed =
                new FigureExport(List.of(imported(VLLM.replaceAll("\"input_lens\"(?s).*\\}", "\"p99_itl_ms\": 30.0}"))),
                        SchedulerRegistry.standard(), new TextAnonymizer(List.of()));
        JsonNode json = JsonMapper.builder().build().readTree(summed.json());
        assertThat(json.at("/experiments/0").propertyNames()).doesNotContain("machine").contains("cells");
        assertThat(json.at("/experiments/0/cells/0").propertyNames()).doesNotContain("requests", "arrivals")
                .contains("workload");
        assertThat(new String(summed.csv(), StandardCharsets.UTF_8).lines().skip(1)).isNotEmpty()
                .allMatch(row -> row.contains(",chat,,,imported,"));
    }

    @Test
    void importedReportIsNotJudged() throws IOException {
        ReportDocument document = ReportDocument.of(List.of(imported()), ReportOutline.USUAL,
                SchedulerRegistry.standard(), new TextAnonymizer(List.of()));
        assertThat(document.parts().getFirst().notJudged())
                .hasToString("Not judged: measured by another tool. Unknown: whether the machine was free.");
        assertThat(TextReport.render(document, 100)).contains("\nNot judged: measured by another tool");
        assertThat(MarkdownReport.render(document, (part, chart) -> ""))
                .contains("**Not judged**: measured by another tool");
    }
}
