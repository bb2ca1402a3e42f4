package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.ReportTable;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.ResultLibrary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sweeps in one file are cells whose names say what varies; only rows that are equal in every setting are repetitions.
class ImportedSettingsTest {
    @TempDir
    Path folder = Path.of("");

    private ExperimentRecord imported(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        Path results = folder.resolve("results");
        Path read = new Importer(results).read(file, Optional.empty(), Instant.parse("2026-11-21T14:15:03Z")).folder();
        return new ResultLibrary(results).open(results.relativize(read));
    }

    private List<CellSummary> cells(String name, String content) throws IOException {
        return imported(name, content).manifest().cells();
    }

    private static List<String> names(List<CellSummary> cells) {
        return cells.stream().map(cell -> cell.cell().subject().label() + " · " + cell.cell().workload().name())
                .toList();
    }

    private static List<Double> values(CellSummary cell, String id) {
        return cell.figures().stream().filter(figure -> figure.metric().id().equals(id)).findFirst()
                .map(CellFigure::runValues).orElse(List.of());
    }

    private static final String LINE = ForeignSamples.SGLANG.lines().skip(3).collect(Collectors.joining(" "));

    @Test
    void appendedSglangSweepIsSeveralCells() throws IOException {
        String sweep = Stream.of("1", "4", "4", "16")
                .map(limit -> LINE.replace("\"max_concurrency\": 4", "\"max_concurrency\": " + limit))
                .collect(Collectors.joining("\n", "", "\n"));
        List<CellSummary> cells = cells("s.jsonl", sweep);
        assertThat(cells).extracting(cell -> cell.cell().workload().name()).containsExactly("random max_concurrency 1",
                "random max_concurrency 4", "random max_concurrency 16");
        assertThat(cells).extracting(CellSummary::runs).containsExactly(1, 2, 1);
    }

    @ParameterizedTest
    @CsvSource({"request_rate,Infinity,2.5", "random_input_len,512,1024", "random_output_len,16,64",
            "dataset_name,random,sharegpt", "backend,sglang,sglang-oai", "tag,\"a\",\"b\""})
    void everySettingOfAServingFileSeparates(String setting, String one, String other) throws IOException {
        String bare = LINE.replaceAll("\"" + setting + "\": [^,]*, ", "");
        String text = setting.matches("dataset_name|backend") ? "\"%s\"" : "%s";
        String rows = Stream.of(one, other, other)
                .map(value -> bare.replaceFirst("\\{", "{\"" + setting + "\": " + String.format(text, value) + ", "))
                .collect(Collectors.joining("\n", "", "\n"));
        List<CellSummary> cells = cells("s.jsonl", rows);
        assertThat(cells).extracting(CellSummary::runs).containsExactly(1, 2);
        assertThat(names(cells)).doesNotHaveDuplicates().last().asString().contains(other.replace("\"", ""));
    }

    @Test
    void vllmArraysWithOtherSettingsAreSeveralCells() throws IOException {
        String one = ForeignSamples.VLLM_SUMMARY.strip();
        String other = one.replace("\"burstiness\": 1.0", "\"burstiness\": 0.5");
        String tagged = one.replaceFirst("\\{", "{\"tensor_parallel\": \"2\", ");
        List<CellSummary> cells = cells("v.json", "[" + String.join(",", one, other, one, tagged) + "]");
        assertThat(names(cells)).containsExactly("org/model · vllm · chat burstiness 1.0",
                "org/model · vllm · chat burstiness 0.5", "org/model · vllm_(2) · chat burstiness 1.0");
        assertThat(cells).extracting(CellSummary::runs).containsExactly(2, 1, 1);
    }

    @Test
    void llamaBenchSweepIsNamedByItsSettings() throws IOException {
        StringBuilder rows = new StringBuilder("n_threads,n_batch,type_k,model_filename,n_prompt,n_gen,avg_ts\n");
        for (String setting : List.of("4,512,f16", "8,512,f16", "8,1024,f16", "8,1024,q8_0")) {
            rows.append(setting).append(",seven.gguf,512,0,100\n").append(setting).append(",seven.gguf,0,128,20\n");
        }
        List<CellSummary> cells = cells("b.csv", rows.toString());
        assertThat(cells).hasSize(8).extracting(CellSummary::runs).containsOnly(1);
        assertThat(names(cells)).contains("seven · llama.cpp_n_threads_4_n_batch_512_type_k_f16 · pp512",
                "seven · llama.cpp_n_threads_8_n_batch_1024_type_k_q8_0 · tg128");
        assertThat(cells.getFirst().cell().subject().toString()).contains("n_batch=512");
    }

    @Test
    void llamaBenchsPrintedTableIsRead() throws IOException {
        ExperimentRecord record = imported("b.md", ForeignSamples.LLAMA_BENCH_MARKDOWN);
        List<CellSummary> cells = record.manifest().cells();
        assertThat(names(cells)).containsExactlyInAnyOrder("llama_7B_Q4_0 · CPU_threads_4_type_k_f16 · pp512",
                "llama_7B_Q4_0 · CPU_threads_4_type_k_f16 · tg128 at 4096",
                "llama_7B_Q4_0 · CPU_threads_8_type_k_q8_0 · pp512");
        CellSummary deep =
                cells.stream().filter(cell -> cell.cell().workload().name().startsWith("tg")).findFirst().orElseThrow();
        assertThat(values(deep, "output_throughput")).containsExactly(9.5);
        assertThat(record.runs().getFirst().events().toString()).contains("build_commit 3df890a");
        assertThatThrownBy(() -> imported("c.md", ForeignSamples.LLAMA_BENCH_MARKDOWN.replace("45.21", "fast")))
                .isInstanceOf(ResultFormatException.class).hasMessageContaining("pp512");
    }

    /// pp512 has a rate of prompt tokens only; a table without a figure is left out.
    @Test
    void tablesShowWhatTheFileHas() throws IOException {
        ComparisonTables tables = new ComparisonTables(
                ComparedCell.of(List.of(imported("b.md", ForeignSamples.LLAMA_BENCH_MARKDOWN).manifest())));
        assertThat(tables.all()).extracting(ReportTable::title).contains("Throughput and resources")
                .doesNotContain("TTFT and ITL");
        assertThat(tables.throughput().columns()).extracting(ReportTable.Column::header).endsWith("Total");
        assertThat(tables.throughput().rows().toString()).contains("45.2", "80.0");
    }

    @Test
    void llamaBenchsSqlIsRead() throws IOException {
        List<CellSummary> cells = cells("b.sql", ForeignSamples.LLAMA_BENCH_SQL);
        assertThat(names(cells)).containsExactly("it's · CPU_n_threads_4 · pp512", "it's · CPU_n_threads_8 · pp512");
        assertThat(values(cells.get(1), "total_throughput")).containsExactly(180.25);
        assertThat(values(cells.get(1), "output_throughput")).isEmpty();
    }

    @Test
    void batchedBenchHasACellANumberOfSequences() throws IOException {
        List<CellSummary> cells = cells("b.jsonl", ForeignSamples.LLAMA_BATCHED_BENCH);
        assertThat(cells).extracting(cell -> cell.cell().workload().name()).containsExactly("pp128+tg64 × 1",
                "pp128+tg64 × 4");
        assertThat(values(cells.get(1), "total_throughput")).containsExactly(219.429);
        assertThat(values(cells.get(1), "prefill_latency_mean")).containsExactly(1e9);
        assertThat(values(cells.get(1), "decode_latency_mean")).containsExactly(2.5e9);
        assertThat(values(cells.get(1), "output_throughput")).isEmpty();
        List<CellSummary> printed = cells("b.md", ForeignSamples.LLAMA_BATCHED_BENCH_MARKDOWN);
        assertThat(values(printed.getFirst(), "total_throughput")).containsExactly(85.33);
    }

    @Test
    void ownFiguresComeBackRunByRun() throws IOException {
        ExperimentRecord record = imported("figures.csv", ForeignSamples.FIGURES_CSV);
        List<CellSummary> cells = record.manifest().cells();
        assertThat(names(cells)).containsExactly("tiny · naive · chat", "tiny · dynamic · chat");
        assertThat(values(cells.getFirst(), "output_throughput")).containsExactly(20.0, 21.0, 22.0);
        assertThat(values(cells.getFirst(), "ttft_p50")).containsExactly(1e6, 2e6, 3e6);
        // Which of the three runs lacks its value is not in the file.
        assertThat(values(cells.getFirst(), "tpot_p50")).isEmpty();
        assertThat(record.runs().getFirst().events().toString()).contains("1 figures were skipped");
    }
}
