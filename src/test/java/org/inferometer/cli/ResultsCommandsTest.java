package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.results.OutputFolders;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FolderTree;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResultsCommandsTest {
    private final CliFixture cli;

    ResultsCommandsTest(@TempDir Path folder) {
        cli = new CliFixture(folder);
    }

    @AfterEach
    void close() throws IOException {
        cli.close();
    }

    private void add(String id, Duration age, RunStatus status) {
        ExperimentManifest one = Samples.manifest(Samples.oneCell(3), status, "", Samples.PREVIEW);
        Instant started = FakeClock.START.minus(age);
        ExperimentManifest aged = new ExperimentManifest(one.formatVersion(), id, one.spec(), one.plan(), one.machine(),
                new ExperimentManifest.ExperimentTimes(started, started.plusSeconds(41), null),
                new ExperimentManifest.ExperimentOutcome(status, "", one.cells(), one.verdict()), false);
        cli.save(id, aged);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> folders = Files.list(cli.results())) {
            return folders.map(folder -> folder.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void listShowsUnreadableResults() {
        add("b_quick", Duration.ofDays(1), RunStatus.COMPLETE);
        cli.write("results/a_torn/experiment.json", "");
        assertThat(cli.run("results", "list").out()).startsWith("""
                RESULT   STARTED (UTC)        STATUS      VERDICT  CELLS  RUNS
                b_quick  2026-11-20 14:15:03  complete    PREVIEW      1     3
                a_torn   -                    unreadable  -            -     -  experiment.json: \
                """);
        JsonNode list = new JsonMapper().readTree(cli.run("results", "list", "--json").out());
        assertThat(list.get(0).path("verdict").stringValue()).isEqualTo("PREVIEW");
        assertThat(list.get(1).path("verdict").isNull()).isTrue();
        assertThat(list.get(1).path("problem").stringValue()).startsWith("experiment.json: ");
    }

    @Test
    void latestNeedsAReadableResult() {
        cli.write("results/a_torn/experiment.json", "");
        assertThat(cli.run("results", "show", "latest")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: No readable results in results. See: inferometer results list.\n"));
    }

    @Test
    void folderOptionListsAnotherFolder() {
        add("b_quick", Duration.ofDays(1), RunStatus.COMPLETE);
        assertThat(cli.run("results", "list", "--folder", "elsewhere").out())
                .isEqualTo("No results in elsewhere. Make one with \"inferometer run quick\".\n");
    }

    @Test
    void showFindsResultByIdFolderOrLatest() throws IOException {
        add("c_new", Duration.ofHours(1), RunStatus.INTERRUPTED);
        add("b_old", Duration.ofDays(1), RunStatus.COMPLETE);
        String expected = ("""
                c_new  interrupted, 0 of 3 runs complete, 3 did not start, started 2026-11-21 13:15:03 UTC, took 00:41

                Verdict: PREVIEW. Too few runs, requests or seconds for a verdict. Conditions: 1 met, 1 not enough, 1 not checked.

                %s
                Conditions that are not met or not checked
                  Not enough   at least 3 runs a cell (1 run). Run it again with --runs 3.
                  Not checked  generator CPU below its ceiling (no self-check yet)

                Result: results/c_new
                """).formatted(cli.reports().summary(cli.open("c_new"), Terminal.USUAL_COLUMNS));
        assertThat(cli.run("results", "show", "latest")).isEqualTo(new CliFixture.Outcome(0, expected, ""));
        assertThat(cli.run("results", "show", "c_new").out()).isEqualTo(expected);
        JsonNode shown = new JsonMapper().readTree(cli.run("results", "show", "c_new", "--json").out());
        assertThat(shown.path("notes")).isEmpty();
    }

    @Test
    void shareCopiesAResult() throws IOException {
        add("c_new", Duration.ofHours(1), RunStatus.COMPLETE);
        Path shared = cli.root.resolve("shared/quick");
        assertThat(cli.run("results", "share", "latest", "--out", shared.toString()))
                .isEqualTo(new CliFixture.Outcome(0, "Anonymised copy: shared/quick\n", ""));
        assertThat(new ResultLibrary(shared.getParent()).open(shared).manifest().anonymized()).isTrue();
        assertThat(cli.run("results", "share", "latest").exit()).isEqualTo(2);
    }

    @Test
    void latestIsTheNewestMeasuredHere() throws IOException {
        cli.write("report.json", """
                {"engine": {"model": "org/model"}, "request_info": {"num_requests": 10},
                 "performance": {"request_throughput_req_s": 5.0, "system_output_throughput_tok_s": 50.0}}
                """);
        String imported = cli.run("import", cli.root.resolve("report.json").toString()).out().split(":")[0];
        assertThat(cli.run("results", "show", "latest").out()).startsWith(imported);
        add("b_measured", Duration.ofDays(1), RunStatus.COMPLETE);
        assertThat(cli.run("results", "show", "latest").out()).startsWith("b_measured");
    }

    @Test
    void unknownResultSuggestsTheNearest() {
        add("c_new", Duration.ofHours(1), RunStatus.COMPLETE);
        assertThat(cli.run("results", "show", "c_nev")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: Unknown result \"c_nev\". Did you mean c_new? Give an ID from \"inferometer results list\", a folder or latest.\n"));
    }

    @Test
    void pruneWithoutYesDeletesNothing() throws IOException {
        add("c", Duration.ofHours(1), RunStatus.COMPLETE);
        add("b", Duration.ofDays(40), RunStatus.COMPLETE);
        add("a", Duration.ofDays(90), RunStatus.COMPLETE);
        assertThat(cli.run("results", "prune", "--older-than", "30d").out()).isEqualTo("""
                would delete results/a
                would delete results/b
                2 results would be deleted. Add --yes to delete.
                """);
        cli.run("results", "prune", "--older-than", "30d", "--yes", "--dry-run");
        assertThat(names()).containsExactly("a", "b", "c");
    }

    @Test
    void pruneNeedsBothRulesAndKeepsRunningAndUnreadable() throws IOException {
        add("d", Duration.ofDays(50), RunStatus.COMPLETE);
        add("c", Duration.ofDays(60), RunStatus.RUNNING);
        add("b", Duration.ofDays(70), RunStatus.FAILED);
        cli.write("results/torn/experiment.json", "no JSON");
        assertThat(cli.run("results", "prune", "--keep", "1", "--older-than", "8w", "--yes").out()).isEqualTo("""
                deleted results/b
                1 result deleted.
                """);
        assertThat(names()).containsExactly("c", "d", "torn");
    }

    @Test
    void pruneWithoutARuleDeletesLeftoversOnly() throws IOException {
        add("a", Duration.ofDays(90), RunStatus.COMPLETE);
        cli.write("results/a/.writing-1-1700000000000-7.tmp", "half");
        cli.write("results/.unfinished-00000000-0000-0000-0000-000000000000/content/run-000/requests.csv", "half");
        cli.write("results/2026-11-22_220815_quick/run-000_x_0/.running-1-1700000000000", "");
        cli.write("results/mine/notes.txt", "kept");
        cli.write("engines/.building-toy/lock", "");
        cli.write("engines/.building-toy/" + Leftovers.MARK, Leftovers.MARK_TEXT);
        cli.write("sample-results/a/.writing-1-1700000000000-7.tmp", "half");
        String leftovers = """
                would delete results/.unfinished-00000000-0000-0000-0000-000000000000 (left by a killed process)
                would delete results/2026-11-22_220815_quick (left by a killed process)
                would delete results/a/.writing-1-1700000000000-7.tmp (left by a killed process)
                would delete sample-results/a/.writing-1-1700000000000-7.tmp (left by a killed process)
                would delete engines/.building-toy (an interrupted build)
                5 leftovers would be deleted. Add --yes to delete.
                """;
        assertThat(cli.run("results", "prune").out()).isEqualTo(leftovers);
        cli.run("results", "prune", "--yes");
        assertThat(cli.run("results", "prune").out()).isEqualTo("Nothing to delete in results.\n");
        assertThat(names()).containsExactly("a", "mine");
    }

    private Path completeBuild() throws Exception {
        cli.write("other/toy/recipe.yaml", """
                model: toy
                precision: fp8
                seed: 42
                shape: {family: llama, layers: 1, hidden: 64, intermediate: 96, heads: 4, kv_heads: 2, head_dim: 16,
                  vocabulary: 256, max_positions: 64, tied_head: true, norm_epsilon: 1e-5, rope_theta: 10000}
                """);
        new EngineBuilder().build(new EngineCatalog(cli.root.resolve("other")).find("toy"), done -> {});
        Files.createDirectories(cli.root.resolve("engines"));
        Path build = Files.move(cli.root.resolve("other/toy"), cli.root.resolve("engines/.building-toy"));
        Files.delete(build.resolve("recipe.yaml"));
        Files.writeString(build.resolve(Leftovers.MARK), Leftovers.MARK_TEXT);
        Files.createFile(build.resolve(Leftovers.LOCK));
        return build;
    }

    @Test
    void pruneKeepsACompleteBuildThatCannotBeMoved() throws Exception {
        Path build = completeBuild();
        Path toy = build.resolveSibling("toy");
        Path elsewhere = Files.createDirectories(cli.root.resolve("elsewhere"));
        Files.createSymbolicLink(toy, elsewhere);
        cli.write("results/.writing-1-1700000000000-7.tmp", "half");
        assertThat(cli.run("results", "prune", "--yes")).isEqualTo(new CliFixture.Outcome(3, """
                deleted results/.writing-1-1700000000000-7.tmp (left by a killed process)
                1 leftover deleted.
                """, "error: engines/.building-toy is a complete build and stays: it is not moved to its engine "
                + "(engines/toy is a link or a file). Build the engine again, or delete the folder.\n"));
        assertThat(elsewhere).isEmptyDirectory();
        assertThat(build.resolve("weights.safetensors")).exists();
        assertThat(cli.run("results", "prune", "--yes", "--folder", build.getParent().toString()).exit()).isEqualTo(3);
        assertThat(build.resolve("weights.safetensors")).exists();
    }

    @Test
    void pruneMovesACompleteBuildUnlessItIsADryRun() throws Exception {
        Path build = completeBuild();
        Path engine = build.resolveSibling("toy/engine.json");
        assertThat(cli.run("results", "prune").out()).isEqualTo("Nothing to delete in results.\n");
        assertThat(cli.run("results", "prune", "--yes", "--dry-run").exit()).isZero();
        assertThat(engine).doesNotExist();
        assertThat(cli.run("results", "prune", "--yes").exit()).isZero();
        assertThat(engine).exists();
        assertThat(build).doesNotExist();
    }

    @Test
    void pruneLooksWhereSessionsAreWritten() throws IOException {
        cli.write("sessions/one/logs/.writing-1-1700000000000-7.tmp", "half");
        cli.environment = new EnvironmentVariables(Map.of("OUTPUT_PATH", cli.root.resolve("sessions").toString()),
                Map.of(), List.of());
        assertThat(cli.run("results", "prune").out()).contains("would delete sessions/one/logs/.writing-1-");
    }

    @Test
    void pruneGoesOnAfterALeftoverThatStays() throws IOException {
        String name = ".writing-1-1700000000000-7.tmp";
        Path left = cli.results().resolve(".unfinished-00000000-0000-0000-0000-000000000000");
        Path deep = deep(left);
        cli.write("results/b/" + name, "half");
        CliFixture.Outcome outcome = cli.run("results", "prune", "--yes");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.out())
                .isEqualTo("deleted results/b/" + name + " (left by a killed process)\n1 leftover deleted.\n");
        assertThat(outcome.err()).startsWith("error: Cannot delete ");
        FolderTree.delete(deep);
    }

    /// Makes more folders in each other than are deleted; returns one of them, whose deletion saves JUnit a quadratic one.
    private static Path deep(Path unfinished) throws IOException {
        Path hundredth = unfinished.resolve("content/" + "d/".repeat(100));
        Files.createDirectories(hundredth.resolve("d/".repeat(950)));
        return hundredth;
    }

    @Test
    void outputIsNotForgottenWhileALeftoverStays() throws IOException {
        Path output = cli.root.resolve("else/where");
        Path deep = deep(output.resolve(".unfinished-00000000-0000-0000-0000-000000000000"));
        OutputFolders outputs = OutputFolders.of(cli.root);
        try (HeldFile note = outputs.note(output)) {
            Files.copy(note.path(), outputs.folder().resolve(".writing-1-1700000000000-7.tmp"));
        }
        CliFixture.Outcome first = cli.run("results", "prune", "--yes");
        assertThat(first.err()).startsWith("error: Cannot delete ");
        assertThat(outputs.interrupted()).extracting(OutputFolders.Interrupted::output).containsExactly(output);
        assertThat(cli.run("results", "prune", "--yes")).isEqualTo(first);
        FolderTree.delete(deep);
    }

    @Test
    void leftoversOfLivingProcessesStay() throws IOException {
        Path results = Files.createDirectories(cli.results());
        try (UnfinishedFolder unfinished = UnfinishedFolder.beside(results.resolve("shared"));
                HeldFile writing = HeldFile.hold(results, Leftovers.WRITING, "-1.tmp")) {
            assertThat(cli.run("results", "prune", "--yes").out()).isEqualTo("Nothing to delete in results.\n");
            assertThat(writing.channel().size()).isZero();
            unfinished.publish();
        }
        assertThat(names()).containsExactly("shared");
    }

    @Test
    void pruneRejectsWrongCountsAndAges() {
        assertThat(cli.run("results", "prune", "--keep", "-1", "--older-than", "soon"))
                .isEqualTo(new CliFixture.Outcome(2, "", """
                error: --keep: "-1" is not a whole number of at least 0.
                error: --older-than: "soon" is not an age. Write 12h, 30d or 4w.
                """));
    }

    @Test
    void unknownBaselineIsRejected() {
        add("b_old", Duration.ofDays(1), RunStatus.COMPLETE);
        assertThat(cli.run("results", "show", "b_old", "--baseline", "naive").exit()).isZero();
        assertThat(cli.run("results", "show", "b_old", "--baseline", "naif")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: --baseline: Unknown scheduler or target \"naif\". Valid: naive.\n"));
    }

    @Test
    void notesAreKeptBesideTheRecord() {
        add("b_quick", Duration.ofDays(1), RunStatus.COMPLETE);
        assertThat(cli.run("results", "note", "latest"))
                .isEqualTo(new CliFixture.Outcome(0, "No name, star, tags or notes.\n", ""));
        assertThat(cli.run("results", "note", "latest", "--name", "driver 580", "--tag", "h200", "--tag", "night",
                "--star", "--text", "after the update"))
                .isEqualTo(new CliFixture.Outcome(0, "* driver 580 [h200, night]\nafter the update\n", ""));
        assertThat(cli.run("results", "note", "b_quick", "--untag", "night", "--no-star", "--text", ""))
                .isEqualTo(new CliFixture.Outcome(0, "driver 580 [h200]\n", ""));
        assertThat(cli.run("results", "note", "latest", "--tag", "two words", "--name", "x".repeat(81)))
                .isEqualTo(new CliFixture.Outcome(2, "", "error: A name is one line of at most 80 characters.\n"));
        assertThat(cli.run("results", "list").out()).isEqualTo("""
                RESULT   STARTED (UTC)        STATUS    VERDICT  CELLS  RUNS
                b_quick  2026-11-20 14:15:03  complete  PREVIEW      1     3  driver 580 [h200]
                """);
    }

    @Test
    void deletedResultsAreRestored() throws IOException {
        add("b_quick", Duration.ofDays(1), RunStatus.COMPLETE);
        assertThat(cli.run("results", "delete", "b_quick")).isEqualTo(new CliFixture.Outcome(0,
                "Deleted: b_quick. To get it back: inferometer results restore b_quick\n", ""));
        assertThat(cli.run("results", "list").out())
                .isEqualTo("No results in results. Make one with \"inferometer run quick\".\n");
        assertThat(cli.run("results", "restore").out()).isEqualTo("""
                RESULT   DELETED (UTC)
                b_quick  2026-11-21T14:15:03Z
                """);
        assertThat(cli.run("results", "restore", "c_quick").exit()).isEqualTo(2);
        assertThat(cli.run("results", "restore", "b_quick").exit()).isEqualTo(0);
        assertThat(names()).contains("b_quick");
        assertThat(cli.run("results", "restore").out()).isEqualTo("The trash is empty.\n");
    }
}
