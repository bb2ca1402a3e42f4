package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class CrashRecoveryTest {
    @TempDir
    Path folder;

    private Path run;
    private List<RequestOutcome> written;

    @BeforeEach
    void recordARunThatNeverEnds() throws IOException {
        run = folder.resolve("run-000");
        var plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
        SampleRecords.writeRun(new ResultFiles(), run, plan, RunStatus.RUNNING, 12);
        written = SampleRecords.requests(12, plan.procedure().workloadSeed() * 31, 1);
    }

    @Test
    void aRunWhoseProcessIsGoneIsInterrupted() throws IOException {
        RunRecord read = new ResultFiles().readRun(run);
        assertThat(read.manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
        assertThat(read.notes()).containsExactly("The process of this run was killed. Its records so far are kept.");
        assertThat(read.observations().requests()).hasSize(12);
    }

    @Test
    void requestsCutOffAtAnyByteGiveTheRowsBeforeIt() throws IOException {
        deleteWhatIsNotCut();
        byte[] whole = Files.readAllBytes(run.resolve("requests.csv"));
        int before = 0;
        for (int length = 0; length < whole.length; length++) {
            Files.write(run.resolve("requests.csv"), Arrays.copyOf(whole, length));
            List<RequestOutcome> read = new ResultFiles().readRun(run).observations().requests();
            assertThat(read.size()).isBetween(before, before + 1);
            assertThat(read).usingRecursiveComparison().isEqualTo(written.subList(0, read.size()));
            before = read.size();
        }
    }

    @Test
    void tokensCutOffAtAnyByteLeaveOutTheRequestsTheyBelongTo() throws IOException {
        deleteWhatIsNotCut();
        byte[] whole = Files.readAllBytes(run.resolve("tokens.bin"));
        for (int length = 0; length < whole.length; length++) {
            Files.write(run.resolve("tokens.bin"), Arrays.copyOf(whole, length));
            RunRecord read = new ResultFiles().readRun(run);
            for (RequestOutcome request : read.observations().requests()) {
                assertThat(request).usingRecursiveComparison().isEqualTo(written.get(request.id().index()));
            }
            assertThat(read.notes()).anyMatch(note -> note.contains("skipped"));
        }
    }

    @Test
    void aTailOfZerosIsLeftOut() throws IOException {
        byte[] tokens = Files.readAllBytes(run.resolve("tokens.bin"));
        Files.write(run.resolve("tokens.bin"), Arrays.copyOf(tokens, tokens.length + 5000));
        byte[] rows = Files.readAllBytes(run.resolve("steps.csv"));
        Files.write(run.resolve("steps.csv"), Arrays.copyOf(rows, rows.length + 5000));
        RunRecord read = new ResultFiles().readRun(run);
        assertThat(read.observations().requests()).hasSize(12);
        assertThat(read.observations().steps()).hasSize(200);
        assertThat(read.notes()).contains(
                "The last 5000 bytes of tokens.bin are an incomplete request and were skipped.",
                "The last row of steps.csv is incomplete and was skipped.");
    }

    @Test
    void missingFilesAreNotedAndTheRestIsRead() throws IOException {
        Files.delete(run.resolve("telemetry.csv"));
        Files.delete(run.resolve("events.jsonl"));
        RunRecord read = new ResultFiles().readRun(run);
        assertThat(read.notes()).contains("telemetry.csv is missing.", "events.jsonl is missing.");
        assertThat(read.observations().steps()).hasSize(200);
    }

    @Test
    void anExperimentWithoutItsManifestIsPutTogetherFromItsRuns() throws IOException {
        Path experiment = folder.resolve("experiment");
        ExperimentManifest whole = SampleRecords.writeExperiment(experiment, 1);
        Files.delete(experiment.resolve("experiment.json"));
        ExperimentRecord read = new ResultLibrary(folder).open(experiment);
        assertThat(read.manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
        assertThat(read.manifest().plan()).isEqualTo(whole.plan());
        assertThat(read.manifest().spec().cells()).isEqualTo(whole.spec().cells());
        assertThat(read.manifest().cells()).extracting(ExperimentManifest.CellSummary::cell)
                .isEqualTo(whole.spec().cells());
        assertThat(read.noteSentences()).containsExactly(
                "experiment.json is missing. The plan was rebuilt from the runs.",
                "The summary was missing. It was recomputed from the complete runs.");
    }

    @Test
    void runsThatWereNeverStartedOrCannotBeReadAreNoted() throws IOException {
        Path experiment = folder.resolve("experiment");
        ExperimentManifest whole = SampleRecords.writeExperiment(experiment, 1);
        delete(experiment.resolve("run-003"));
        Files.writeString(experiment.resolve("run-001").resolve("requests.csv"), "nonsense\n");
        ExperimentRecord read = new ResultLibrary(folder).open(experiment);
        assertThat(read.runs()).extracting(RunRecord::folderName).containsExactly("run-000", "run-002");
        assertThat(read.manifest()).usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*runSeeds", ".*invalidRuns").isEqualTo(whole);
        assertThat(read.manifest().cells().get(1)).isEqualTo(whole.cells().get(1));
        assertThat(read.noteSentences()).satisfiesExactly(
                note -> assertThat(note)
                        .startsWith("Run run-001 was skipped. requests.csv:1: the columns differ from this format"),
                note -> assertThat(note).isEqualTo("Run run-003 is missing."));
        assertThat(read.noteSentences()).noneMatch(note -> note.contains(folder.toString()));
    }

    @Test
    void anExperimentIsRunningExactlyAsLongAsItsWriterLives() throws IOException {
        Path experiment = folder.resolve("experiment");
        ExperimentManifest ended = SampleRecords.writeExperiment(experiment, 1);
        ExperimentManifest running =
                new ExperimentManifest(ended.formatVersion(), ended.id(), ended.spec(), ended.plan(), ended.machine(),
                        new ExperimentManifest.ExperimentTimes(ended.times().started(), null, null),
                        new ExperimentManifest.ExperimentOutcome(RunStatus.RUNNING, "", ended.cells(), null), false);
        ResultLibrary library = new ResultLibrary(folder);
        try (ResultFiles files = new ResultFiles()) {
            files.saveExperiment(experiment, running);
            assertThat(library.list().stream().filter(entry -> entry.folder().equals(experiment)).findFirst()
                    .orElseThrow().manifest().orElseThrow().status()).isEqualTo(RunStatus.RUNNING);
            assertThatThrownBy(() -> new ResultFiles().saveExperiment(experiment, running))
                    .hasMessageContaining("already being written");
        }
        assertThat(library.open(experiment).manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
        Files.writeString(experiment.resolve(".running-999999999-1700000000000"), "");
        assertThat(library.open(experiment).manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
    }

    /// Reading hundreds of times, these would only take time.
    private void deleteWhatIsNotCut() throws IOException {
        for (String file : List.of("steps.csv", "telemetry.csv", "events.jsonl")) {
            Files.delete(run.resolve(file));
        }
    }

    private static void delete(Path directory) throws IOException {
        try (var inside = Files.list(directory)) {
            for (Path each : inside.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(directory);
    }
}
