package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExchangeCommandsTest {
    private static final String ID = "2026-11-21_141503_quick";

    private final Path folder;
    private final CliFixture cli;

    private static final String LLAMA_BENCH = """
            [{"model_filename": "seven.gguf", "n_prompt": 512, "n_gen": 0, "avg_ts": 100.0, "test_time": "2025-03-01T10:00:00Z", "samples_ts": [99.0, 101.0]}]
            """;

    private static final String AIPERF = """
            {"metadata": {"request_start_ns": 1763720100000000000, "request_end_ns": 1763720100200000001, "benchmark_phase": "profiling"},
             "metrics": {"input_sequence_length": {"value": 12}, "time_to_first_token": {"value": 50.0, "unit": "ms"},
              "request_latency": {"value": 200.0, "unit": "ms"}, "output_sequence_length": {"value": 4}}, "error": null}
            """;

    ExchangeCommandsTest(@TempDir Path folder) {
        this.folder = folder;
        this.cli = new CliFixture(folder);
    }

    @Test
    void importReportsWhatIsMissing() throws IOException {
        Path file = folder.resolve("report.json");
        Files.writeString(file, """
                {"engine": {"model": "org/model"}, "request_info": {"num_requests": 10},
                 "performance": {"request_throughput_req_s": 5.0, "system_output_throughput_tok_s": 50.0, "novel": 1}}
                """);
        CliFixture.Outcome done = cli.run("import", file.toString());
        assertThat(done.exit()).isZero();
        assertThat(done.out())
                .startsWith("2026-11-21_141503_imported-trtllm-bench: 1 run of trtllm-bench, metrics only\n")
                .contains("cannot be recomputed").contains("Only in the copy of the source: performance.novel.");
        assertThat(new ResultLibrary(cli.results()).list()).hasSize(1);
        JsonNode json = new JsonMapper().readTree(cli.run("import", file.toString(), "--json").out());
        assertThat(json.path(0).path("result").stringValue()).isEqualTo("2026-11-21_141503_imported-trtllm-bench-2");
    }

    /// AIPerf writes summaries beside its requests: they are one result, with the model and load of the summary.
    @Test
    void importOfAFolderTakesItsResults() throws IOException {
        Path run = Files.createDirectories(folder.resolve("artifacts"));
        Files.writeString(run.resolve("profile_export.jsonl"), AIPERF);
        Files.writeString(run.resolve("profile_export_aiperf.json"), """
                {"schema_version": "1.1", "aiperf_version": "0.8.0", "request_count": {"avg": 1.0},
                 "input_config": {"endpoint": {"model_names": ["org/model"]}, "loadgen": {"concurrency": 4}}}
                """);
        Files.writeString(run.resolve("inputs.json"), "{}");
        Files.writeString(run.resolve("notes.csv"), "a,b\n1,2\n");
        CliFixture.Outcome done = cli.run("import", run.toString());
        assertThat(done.err()).isEmpty();
        assertThat(done.exit()).isZero();
        assertThat(done.out()).startsWith("2026-11-21_141503_imported-aiperf: 1 run of aiperf, 1 requests\n")
                .contains("Settings in the file: concurrency 4.");
        assertThat(cli.run("results", "show", "latest").out()).contains("org/model · AIPerf");
        assertThat(cli.run("import", cli.results().resolve("2026-11-21_141503_imported-aiperf").toString()).err())
                .contains("this is a result of Inferometer. Show it with: inferometer results show ");
        assertThat(cli.run("import", Files.createDirectories(folder.resolve("empty")).toString()).err())
                .contains("the folder has no JSON, JSON lines, CSV, SQL or Markdown file.");
    }

    /// JSON has samples and true, CSV has means and 1; a prompt test has no output throughput.
    @Test
    void llamaBenchInTwoFormatsIsComparedByWhatDiffers() throws IOException {
        Path json = Files.writeString(folder.resolve("a.json"), """
                        [{"model_filename": "m.gguf", "use_mmap": true, "n_prompt": 32, "n_gen": 0, "avg_ts": 100.0, "samples_ts": [99.0, 101.0]},
                         {"model_filename": "m.gguf", "use_mmap": true, "n_prompt": 0, "n_gen": 16, "avg_ts": 10.0, "samples_ts": [9.9, 10.1]}]
                        """);
        Path csv = Files.writeString(folder.resolve("b.csv"), """
                model_filename,use_mmap,n_prompt,n_gen,avg_ts
                m.gguf,1,32,0,110.0
                m.gguf,1,0,16,11.0
                """);
        assertThat(cli.run("import", json.toString(), csv.toString()).exit()).isZero();
        CliFixture.Outcome compared = cli.run("compare", "--anyway", "2026-11-21_141503_imported-llama-bench",
                "2026-11-21_141503_imported-llama-bench-2");
        assertThat(compared.out()).contains("Total throughput, tok/s").contains("Output throughput, tok/s")
                .doesNotContain("no metric is on both sides").doesNotContain("Settings that differ");
    }

    @Test
    void importPrintsWhatItWroteBeforeAFailure() throws IOException {
        Path first = Files.writeString(folder.resolve("first.json"), LLAMA_BENCH);
        Path second = Files.writeString(folder.resolve("second.json"), LLAMA_BENCH);
        Path unknown = Files.writeString(folder.resolve("hello.txt"), "hello\n");
        cli.clock.beforeWall = () -> {
            if (Files.exists(cli.results())) {
                replaceByFile(cli.results());
            }
        };
        CliFixture.Outcome outcome = cli.run("import", unknown.toString(), first.toString(), second.toString(), "gone");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.out()).startsWith("2026-11-21_141503_imported-llama-bench: 2 runs of llama-bench");
        assertThat(outcome.err()).startsWith("error: hello.txt: the format is not supported.")
                .contains(" results/.unfinished-").doesNotContain("gone");
    }

    private static void replaceByFile(Path folder) {
        try {
            Files.move(folder, folder.resolveSibling("aside"));
            Files.createFile(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void importedResultsShowTheirStartAndImportTime() throws IOException {
        Path dated = Files.writeString(folder.resolve("dated.json"), LLAMA_BENCH);
        Path dateless = folder.resolve("dateless.json");
        Files.writeString(dateless, LLAMA_BENCH.replaceAll("\"test_time\": \"[^\"]*\", ", ""));
        cli.run("import", dated.toString());
        cli.run("import", dateless.toString());
        JsonNode listed = new JsonMapper().readTree(cli.run("results", "list", "--json").out());
        assertThat(listed.findValuesAsString("imported")).containsExactly("2026-11-21T14:15:03Z",
                "2026-11-21T14:15:03Z");
        assertThat(listed.findValuesAsString("started")).containsExactlyInAnyOrder("2025-03-01T10:00:00Z", "");
        assertThat(cli.run("results", "list").out()).contains("2025-03-01 10:00:00").doesNotContain("2026-11-21 14:15");
        assertThat(cli.run("results", "show", "2026-11-21_141503_imported-llama-bench").out())
                .contains("complete, 2 runs, started 2025-03-01 10:00:00 UTC, imported 2026-11-21 14:15:03 UTC");
        assertThat(cli.run("results", "show", "2026-11-21_141503_imported-llama-bench-2").out())
                .contains("complete, 2 runs, start unknown, imported 2026-11-21 14:15:03 UTC");
    }

    @Test
    void existingFilesAreKeptWithoutForce() throws IOException {
        SampleRecords.writeExperiment(cli.results().resolve(ID), 1);
        Path out = Files.createDirectories(folder.resolve("out"));
        Path mine = Files.writeString(out.resolve("run-001-vllm.json"), "mine");
        CliFixture.Outcome refused = cli.run("export", ID, "--format", "vllm", "--out", out.toString());
        assertThat(refused).isEqualTo(new CliFixture.Outcome(2, "", "error: "
                + "out/run-001-vllm.json exists; nothing was written. Choose another folder with --out, or add --force.\n"));
        try (var files = Files.list(out)) {
            assertThat(files).containsExactly(mine);
        }
        assertThat(mine).hasContent("mine");
        assertThat(cli.run("export", ID, "--format", "vllm", "--out", out.toString(), "--force").exit()).isZero();
        assertThat(Files.readString(mine)).startsWith("{");
    }

    @Test
    void failedExportListsFilesAlreadyWritten() throws IOException {
        SampleRecords.writeExperiment(cli.results().resolve(ID), 1);
        Path out = folder.resolve("out");
        // A folder in the place of the second file, with something in it: nothing can replace it.
        Files.createDirectories(out.resolve("run-001-vllm.json").resolve("inside"));
        CliFixture.Outcome broken = cli.run("export", ID, "--format", "vllm", "--out", out.toString(), "--force");
        assertThat(broken.exit()).isEqualTo(3);
        assertThat(broken.err()).contains("Cannot write out/run-001-vllm.json: ")
                .contains("Already written: out/run-000-vllm.json.");
    }

    @Test
    void unknownFilesAndFormatsAreUsageErrors() throws IOException {
        Path file = folder.resolve("hello.txt");
        Files.writeString(file, "hello\n");
        CliFixture.Outcome wrong = cli.run("import", file.toString());
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("hello.txt: the format is not supported. Choose a file of vllm,");
        assertThat(cli.run("import", "--format", "vlm", file.toString()).err()).contains("Did you mean vllm?");
        assertThat(cli.run("export", "latest", "--format", "vlm", "--out", "x").exit()).isEqualTo(2);
    }

    @Test
    void runWithoutRequestsIsSkippedWithReason() throws IOException {
        SampleRecords.writeExperiment(cli.results().resolve(ID), 1);
        Path first = cli.results().resolve(ID).resolve("run-000");
        Files.delete(first.resolve("requests.csv"));
        Files.delete(first.resolve("tokens.bin"));
        Path out = folder.resolve("out");
        CliFixture.Outcome done = cli.run("export", ID, "--format", "vllm", "--out", out.toString());
        assertThat(done.exit()).isZero();
        assertThat(done.out()).isEqualTo("""
                wrote out/run-001-vllm.json
                wrote out/run-002-vllm.json
                wrote out/run-003-vllm.json
                """);
        assertThat(done.err())
                .isEqualTo("Skipped: run-000 has figures but no requests. It cannot be exported as vllm.\n");
        CliFixture.Outcome none =
                cli.run("export", ID, "--format", "vllm", "--run", "run-000", "--out", out.toString());
        assertThat(none.exit()).isEqualTo(2);
        CliFixture.Outcome table =
                cli.run("export", ID, "--format", "llama-bench", "--run", "run-001", "--out", out.toString());
        assertThat(table.exit()).isEqualTo(2);
        assertThat(table.err()).contains("Leave out --run");
    }

    @Test
    void runsAreExportedAndShownByOtherDefinitions() throws IOException {
        SampleRecords.writeExperiment(cli.results().resolve(ID), 1);
        Path out = folder.resolve("out");
        assertThat(cli.run("export", ID, "--format", "vllm", "--run", "run-001", "--out", out.toString()).out())
                .isEqualTo("wrote out/run-001-vllm.json\n");
        assertThat(new JsonMapper().readTree(Files.readString(out.resolve("run-001-vllm.json"))).path("completed")
                .intValue()).isEqualTo(50);
        assertThat(cli.run("export", ID, "--format", "vllm", "--run", "run-009", "--out", out.toString()).exit())
                .isEqualTo(2);
        CliFixture.Outcome shown = cli.run("results", "show", ID, "--definition", "vllm");
        assertThat(shown.exit()).isZero();
        assertThat(shown.out()).contains("run-000 under the definitions of vLLM").contains("ttft_ms")
                .contains("vLLM starts the clock when a request is sent");
        JsonNode json = new JsonMapper()
                .readTree(cli.run("results", "show", ID, "--definition", "trtllm-bench", "--json").out());
        assertThat(json.path("run-000").path(0).path("moves").path(0).path("words").stringValue())
                .startsWith("trtllm-bench stops at a failed request");
        assertThat(cli.run("results", "show", ID, "--definition", "vlm").exit()).isEqualTo(2);
    }
}
