package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.inferometer.benchmark.ExperimentRecord;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.ShareSafeText;
import org.inferometer.results.exchange.Importer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportedReportTest {
    private static final String TOOLS = """
            [{"name": "fp8_short", "prefill_ms": 45.2, "decode_ms": 312.5, "tokens_per_second": 40.9, "memory_mb": 8234},
             {"name": "int4_short", "prefill_ms": 38.1, "decode_ms": 287.2, "tokens_per_second": 44.5, "memory_mb": null}]
            """;

    @TempDir
    Path folder = Path.of("");

    private ExperimentRecord imported() throws IOException {
        Path file = folder.resolve("benchmark_results.json");
        Files.writeString(file, TOOLS);
        Importer.Imported imported = new Importer(folder.resolve("results")).read(file, Optional.empty(), Instant.parse("2026-11-21T14:15:03Z"));
        return new ResultLibrary(folder.resolve("results")).open(imported.folder());
    }

    @Test
    void prefillDecodeRateAndMemoryStandInOneTable() throws IOException {
        ReportTable table = new ComparisonTables(ComparedCell.of(List.of(imported().manifest()))).computing().orElseThrow();
        assertThat(table.columns().stream().map(ReportTable.Column::headerWithUnit))
                .containsExactly("Cell", "Runs", "Prefill, ms", "Decode, ms", "While computing, tok/s", "Memory mean, MiB");
        assertThat(table.rows().stream().map(row -> row.cells().stream().skip(1).map(cell -> cell.strip().replace(" (n = 1)", "")).toList())).containsExactly(
                List.of("1", "45.20", "312.5", "40.9", "8234.0"), List.of("1", "38.10", "287.2", "44.5", "not recorded"));
    }

    @Test
    void enginesInTheProcessHaveNoSuchTable() {
        assertThat(new ComparisonTables(ComparedCell.of(List.of(SampleRecords.experiment(Path.of("x"), 3)))).computing()).isEmpty();
    }

    @Test
    void itSaysInPlaceOfAVerdictThatNobodyJudged() throws IOException {
        ReportDocument document = ReportDocument.of(List.of(imported()), SchedulerRegistry.standard(), new ShareSafeText(List.of()));
        assertThat(document.parts().getFirst().notJudged()).isEqualTo("Not judged: measured by another tool, whose conditions nobody watched here.");
        assertThat(TextReport.render(document, 100)).contains("\nNot judged: measured by another tool");
        assertThat(new MarkdownReport(document, (part, chart) -> "").render()).contains("**Not judged**: measured by another tool");
    }
}
