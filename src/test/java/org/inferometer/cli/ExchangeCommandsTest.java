package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExchangeCommandsTest {
    private static final String ID = "2026-11-21_141503_quick";

    @TempDir
    Path folder = Path.of("");

    private final CliFixture cli = new CliFixture();

    @BeforeEach
    void workspace() {
        cli.root = folder;
    }

    private Path results() {
        return cli.services(Optional.empty()).workspace().results();
    }

    @Test
    void importedFilesAreToldWithWhatIsMissing() throws IOException {
        Path file = folder.resolve("report.json");
        Files.writeString(file, """
                {"engine": {"model": "org/model"}, "request_info": {"num_requests": 10},
                 "performance": {"request_throughput_req_s": 5.0, "system_output_throughput_tok_s": 50.0, "novel": 1}}
                """);
        CliFixture.Outcome done = cli.run("import", file.toString());
        assertThat(done.exit()).isZero();
        assertThat(done.out())
                .startsWith("2026-11-21_141503_imported-trtllm-bench: 1 run of trtllm-bench, figures only\n")
                .contains("cannot be recomputed").contains("Kept in the copy of the source alone: performance.novel.");
        assertThat(new ResultLibrary(results()).list()).hasSize(1);
        JsonNode json = new JsonMapper().readTree(cli.run("import", file.toString(), "--json").out());
        assertThat(json.path(0).path("result").stringValue()).isEqualTo("2026-11-21_141503_imported-trtllm-bench-2");
    }

    @Test
    void importedResultsSayTheirOwnStartOrNoneAndWhenTheyCame() throws IOException {
        Path dated = folder.resolve("dated.json");
        Files.writeString(dated, """
                [{"model_filename": "seven.gguf", "n_prompt": 512, "n_gen": 0, "avg_ts": 100.0, "test_time": "2025-03-01T10:00:00Z", "samples_ts": [99.0, 101.0]}]
                """);
        Path dateless = folder.resolve("dateless.json");
        Files.writeString(dateless, Files.readString(dated).replaceAll("\"test_time\": \"[^\"]*\", ", ""));
        cli.run("import", dated.toString());
        cli.run("import", dateless.toString());
        for (ResultLibrary.Entry entry : new ResultLibrary(results()).list()) {
            cli.results.add(new ResultLibrary(results()).open(entry.folder()));
        }
        JsonNode listed = new JsonMapper().readTree(cli.run("results", "list", "--json").out());
        assertThat(listed.findValuesAsString("imported")).containsExactly("2026-11-21T14:15:03Z",
                "2026-11-21T14:15:03Z");
        assertThat(listed.findValuesAsString("started")).containsExactlyInAnyOrder("2025-03-01T10:00:00Z", "");
        assertThat(cli.run("results", "list").out()).contains("2025-03-01 10:00:00").doesNotContain("2026-11-21 14:15");
        assertThat(cli.run("results", "show", "2026-11-21_141503_imported-llama-bench").out()).contains(
                "complete, 2 of 2 runs complete, started 2025-03-01 10:00:00 UTC, imported 2026-11-21 14:15:03 UTC");
        assertThat(cli.run("results", "show", "2026-11-21_141503_imported-llama-bench-2").out())
                .contains("complete, 2 of 2 runs complete, start not known, imported 2026-11-21 14:15:03 UTC");
    }

    @Test
    void filesThatExistAreKeptUnlessForced() throws IOException {
        SampleRecords.writeExperiment(folder.resolve(ID), 1);
        ExperimentRecord record = new ResultLibrary(folder).open(folder.resolve(ID));
        cli.results.add(new ExperimentRecord(results().resolve(ID), record.manifest(), record.runs(), record.notes()));
        Path out = Files.createDirectories(folder.resolve("out"));
        Path mine = Files.writeString(out.resolve("run-001-vllm.json"), "mine");
        CliFixture.Outcome refused = cli.run("export", ID, "--format", "vllm", "--out", out.toString());
        assertThat(refused).isEqualTo(new CliFixture.Outcome(2, "", "error: " + mine
                + " exists, and nothing was written. Choose another folder with --out, or replace with --force.\n"));
        try (var files = Files.list(out)) {
            assertThat(files).containsExactly(mine);
        }
        assertThat(mine).hasContent("mine");
        assertThat(cli.run("export", ID, "--format", "vllm", "--out", out.toString(), "--force").exit()).isZero();
        assertThat(Files.readString(mine)).startsWith("{");
    }

    @Test
    void anExportThatBreaksOffNamesWhatWasWritten() throws IOException {
        SampleRecords.writeExperiment(folder.resolve(ID), 1);
        ExperimentRecord record = new ResultLibrary(folder).open(folder.resolve(ID));
        cli.results.add(new ExperimentRecord(results().resolve(ID), record.manifest(), record.runs(), record.notes()));
        Path out = folder.resolve("out");
        // A folder in the place of the second file, with something in it: nothing can replace it.
        Files.createDirectories(out.resolve("run-001-vllm.json").resolve("inside"));
        CliFixture.Outcome broken = cli.run("export", ID, "--format", "vllm", "--out", out.toString(), "--force");
        assertThat(broken.exit()).isEqualTo(3);
        assertThat(broken.err()).contains(out.resolve("run-001-vllm.json") + " could not be written: ")
                .contains("Already written: " + out.resolve("run-000-vllm.json") + ".");
    }

    @Test
    void wrongFilesAndFormatsAreWrongUse() throws IOException {
        Path file = folder.resolve("hello.txt");
        Files.writeString(file, "hello\n");
        CliFixture.Outcome wrong = cli.run("import", file.toString());
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("hello.txt: this is of no format that is read here: vllm,");
        assertThat(cli.run("import", "--format", "vlm", file.toString()).err()).contains("Did you mean vllm?");
        assertThat(cli.run("export", "latest", "--format", "vlm", "--out", "x").exit()).isEqualTo(2);
    }

    @Test
    void runThatCannotFillTheFormatIsLeftOutAndToldBesideTheFilesOfTheOthers() throws IOException {
        SampleRecords.writeExperiment(folder.resolve(ID), 1);
        ExperimentRecord record = new ResultLibrary(folder).open(folder.resolve(ID));
        RunRecord empty = record.runs().getFirst();
        RunObservations nothing = new RunObservations(List.of(), List.of(), List.of(), empty.observations().setup());
        RunRecord figuresOnly = new RunRecord(empty.folderName(), empty.manifest(), nothing, empty.notes());
        cli.results.add(new ExperimentRecord(results().resolve(ID), record.manifest(),
                List.of(figuresOnly, record.runs().get(1)), record.notes()));
        Path out = folder.resolve("out");
        CliFixture.Outcome done = cli.run("export", ID, "--format", "vllm", "--out", out.toString());
        assertThat(done.exit()).isZero();
        assertThat(done.out()).isEqualTo("wrote " + out.resolve("run-001-vllm.json") + "\n");
        assertThat(done.err())
                .isEqualTo("Left out: run-000 holds no requests, only figures; there is nothing to export as vllm.\n");
        CliFixture.Outcome none =
                cli.run("export", ID, "--format", "vllm", "--run", "run-000", "--out", out.toString());
        assertThat(none.exit()).isEqualTo(2);
        CliFixture.Outcome table =
                cli.run("export", ID, "--format", "llama-bench", "--run", "run-001", "--out", out.toString());
        assertThat(table.exit()).isEqualTo(2);
        assertThat(table.err()).contains("Leave out --run");
    }

    @Test
    void runsAreExportedAndShownUnderOtherRules() throws IOException {
        SampleRecords.writeExperiment(folder.resolve(ID), 1);
        ExperimentRecord record = new ResultLibrary(folder).open(folder.resolve(ID));
        cli.results.add(new ExperimentRecord(results().resolve(ID), record.manifest(), record.runs(), record.notes()));
        Path out = folder.resolve("out");
        assertThat(cli.run("export", ID, "--format", "vllm", "--run", "run-001", "--out", out.toString()).out())
                .isEqualTo("wrote " + out.resolve("run-001-vllm.json") + "\n");
        assertThat(new JsonMapper().readTree(Files.readString(out.resolve("run-001-vllm.json"))).path("completed")
                .intValue()).isEqualTo(50);
        assertThat(cli.run("export", ID, "--format", "vllm", "--run", "run-009", "--out", out.toString()).exit())
                .isEqualTo(2);
        CliFixture.Outcome shown = cli.run("results", "show", ID, "--definition", "vllm");
        assertThat(shown.exit()).isZero();
        assertThat(shown.out()).contains("run-000 by the rules of vLLM").contains("ttft_ms")
                .contains("vLLM starts the clock when a request is sent");
        JsonNode json = new JsonMapper()
                .readTree(cli.run("results", "show", ID, "--definition", "trtllm-bench", "--json").out());
        assertThat(json.path("run-000").path(0).path("moves").path(0).path("words").stringValue())
                .startsWith("trtllm-bench gives up when a request fails");
        assertThat(cli.run("results", "show", ID, "--definition", "vlm").exit()).isEqualTo(2);
    }
}
