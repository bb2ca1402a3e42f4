package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.StepSlices;
import org.inferometer.record.TokenSource;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultRoundTripTest {
    private static final RecursiveComparisonConfiguration DEEP =
            RecursiveComparisonConfiguration.builder().withComparatorForType(Double::compare, Double.class)
                    .withEqualsForType(StepSlices::equals, StepSlices.class).build();
    @TempDir
    Path folder;

    @Test
    void everythingThatWasRecordedIsReadBack() throws IOException {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
        Path runFolder = folder.resolve("run-000");
        ResultFiles files = new ResultFiles();
        SampleRecords.writeRun(files, runFolder, plan, RunStatus.COMPLETE, 60);

        RunRecord expected = new RunRecord("run-000", SampleRecords.manifest(plan, RunStatus.COMPLETE),
                new RunObservations(SampleRecords.requests(60, plan.procedure().workloadSeed() * 31, 1),
                        SampleRecords.steps(200), SampleRecords.telemetry(50),
                        new RunObservations.Setup(LaneLayout.sharing(2).lanes(), List.of(1, 1), List.of(128), 8, 8,
                                true, true, DeploymentGoal.NONE, LoadKind.of(plan.workload())),
                        SampleRecords.events()),
                List.of());
        assertThat(files.readRun(runFolder)).usingRecursiveComparison(DEEP).isEqualTo(expected);
    }

    @Test
    void requestsWithoutTheirLastColumnsAreRefused() throws IOException {
        Path runFolder = folder.resolve("run-000");
        ResultFiles files = new ResultFiles();
        SampleRecords.writeRun(files, runFolder, SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder),
                RunStatus.COMPLETE, 30);
        Path requests = runFolder.resolve("requests.csv");
        Files.writeString(requests, Files.readString(requests)
                .replace(",output_instants,token_source,asked_prompt_tokens", "").replaceAll("(?m),\\d+,engine$", ""));
        assertThatThrownBy(() -> files.readRun(runFolder)).isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("the columns differ from this format");
    }

    @Test
    void anExperimentIsReadBackWithAllItsRuns() throws IOException {
        Path experiment = folder.resolve("2026-11-21_141503_quick");
        ExperimentManifest written = SampleRecords.writeExperiment(experiment, 2);
        ExperimentRecord read = new ResultLibrary(folder).open(Path.of("2026-11-21_141503_quick"));

        assertThat(read.manifest()).usingRecursiveComparison(DEEP).isEqualTo(written);
        assertThat(read.runs()).extracting(RunRecord::folderName).containsExactlyElementsOf(written.runFolders());
        assertThat(read.runs()).extracting(run -> run.manifest().plan()).containsExactlyElementsOf(written.plan());
        assertThat(read.notes()).isEmpty();
    }

    @Test
    void whatWasFlushedIsReadableWhileTheRunGoesOn() throws IOException {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
        Path runFolder = folder.resolve("run-000");
        ResultFiles files = new ResultFiles();
        try (RecordSink sink = files.openRun(runFolder, SampleRecords.manifest(plan, RunStatus.RUNNING))) {
            sink.request(SampleRecords.requests(10, 1, 1).get(5));
            sink.flush();
            sink.request(SampleRecords.requests(10, 1, 1).get(6));

            RunRecord during = files.readRun(runFolder);
            assertThat(during.observations().requests()).hasSize(1);
            assertThat(during.manifest().status()).isEqualTo(RunStatus.RUNNING);
            assertThat(during.notes()).isEmpty();
        }
        RunRecord after = files.readRun(runFolder);
        assertThat(after.observations().requests()).hasSize(2);
        assertThat(after.manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
    }

    @Test
    void aRecordIsNeverOverwritten() throws IOException {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
        Path runFolder = folder.resolve("run-000");
        SampleRecords.writeRun(new ResultFiles(), runFolder, plan, RunStatus.COMPLETE, 3);
        assertThatThrownBy(() -> new ResultFiles().openRun(runFolder, SampleRecords.manifest(plan, RunStatus.RUNNING)))
                .isInstanceOf(IOException.class).hasMessageContaining("already holds the record of a run");
    }

    @Test
    void whatAServerCountedIsReadBackBesideTheInstantsOfItsChunks() throws IOException {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
        Path runFolder = folder.resolve("run-000");
        RequestOutcome chunked = new RequestOutcome(new RequestId(0), false, 71, 40, 5, 6, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 90, RequestStatus.OK, "", new long[]{20, 50, 80}, new int[]{0, 0, 0}, 41,
                TokenSource.SERVER_USAGE, 64);
        try (ResultFiles files = new ResultFiles();
                RecordSink sink = files.openRun(runFolder, SampleRecords.manifest(plan, RunStatus.COMPLETE))) {
            sink.request(chunked);
        }
        assertThat(new ResultFiles().readRun(runFolder).observations().requests()).usingRecursiveComparison()
                .isEqualTo(List.of(chunked));
    }

    private static RequestOutcome ofServer(int id, int output, long[] eventNanos, int... eventTokens) {
        return new RequestOutcome(new RequestId(id), false, 71, output, 5, 6, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 90, RequestStatus.OK, "", eventNanos, eventTokens, output,
                TokenSource.SERVER_USAGE, 0);
    }

    private List<RequestOutcome> writtenAndRead(int version, RequestOutcome... requests) throws IOException {
        Path runFolder = folder.resolve("run-00" + version);
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
        try (ResultFiles files = new ResultFiles();
                RecordSink sink = files.openRun(runFolder, SampleRecords.manifest(plan, RunStatus.COMPLETE))) {
            for (RequestOutcome request : requests) {
                sink.request(request);
            }
        }
        byte[] tokens = Files.readAllBytes(runFolder.resolve("tokens.bin"));
        tokens[8] = (byte) version;
        Files.write(runFolder.resolve("tokens.bin"), tokens);
        return new ResultFiles().readRun(runFolder).observations().requests();
    }

    @Test
    void tokensOfEachEventAreReadBack() throws IOException {
        RequestOutcome split = ofServer(0, 305, new long[]{20, 50, 80}, 4, 300, 1);
        RequestOutcome sumOnly = ofServer(1, 305, new long[]{20, 50}, 0, 0);
        RequestOutcome oneEach = ofServer(2, 3, new long[]{20, 20, 80}, 1, 1, 1);
        assertThat(writtenAndRead(2, split, sumOnly, oneEach)).usingRecursiveComparison()
                .isEqualTo(List.of(split, sumOnly, oneEach));
        assertThat(oneEach.eventTokens()).isEmpty();
        assertThatThrownBy(() -> writtenAndRead(1, split)).hasMessageContaining("longer than its tokens");
    }

    private static RequestOutcome ofAnswers(int id, int output, int[] eventTokens, int... eventAnswers) {
        return new RequestOutcome(new RequestId(id), false, 71, output, 5, 6, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 90, RequestStatus.OK, "", new long[]{20, 50, 80}, eventTokens, output,
                TokenSource.SERVER_USAGE, 71, eventAnswers);
    }

    @Test
    void answersOfEachEventAreReadBack() throws IOException {
        RequestOutcome oneEach = ofAnswers(0, 3, new int[0], 0, 127, 0);
        RequestOutcome split = ofAnswers(1, 305, new int[]{4, 300, 1}, 1, -1, 0);
        RequestOutcome sumOnly = ofAnswers(2, 305, new int[]{0, 0, 0}, 1, 0, 1);
        RequestOutcome oneAnswer = ofServer(3, 3, new long[]{20, 20, 80}, 1, 1, 1);
        assertThat(writtenAndRead(3, oneEach, split, sumOnly, oneAnswer)).usingRecursiveComparison()
                .isEqualTo(List.of(oneEach, split, sumOnly, oneAnswer));
        assertThatThrownBy(() -> writtenAndRead(2, oneEach)).hasMessageContaining("longer than its tokens");
    }

    @Test
    void answerBeyondTheMostIsAFault() {
        assertThatThrownBy(() -> writtenAndRead(3, ofAnswers(0, 3, new int[0], 0, 128, 0)))
                .hasMessageContaining("an event of request 0 has 129 as its answer.");
    }

    @Test
    void tokensOfEventsMustAddUp() throws IOException {
        writtenAndRead(2, ofServer(0, 305, new long[]{20, 50, 80}, 4, 300, 1));
        Path requests = folder.resolve("run-002").resolve("requests.csv");
        Files.writeString(requests, Files.readString(requests).replace(",305,3,server_usage", ",306,3,server_usage"));
        assertThatThrownBy(() -> new ResultFiles().readRun(folder.resolve("run-002")))
                .isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("request 0 has 306 output tokens in requests.csv and 305 in tokens.bin.");
    }

    /// Version 1 repeated the instant of an event for each of its tokens.
    @Test
    void tokensOfOneInstantInVersion1AreOneEvent() throws IOException {
        RequestOutcome tokens = ofServer(0, 5, new long[]{20, 20, 50, 80, 80});
        RequestOutcome chunks = ofServer(1, 41, new long[]{20, 50, 80});
        assertThat(writtenAndRead(1, tokens, chunks)).usingRecursiveComparison()
                .isEqualTo(List.of(ofServer(0, 5, new long[]{20, 50, 80}, 2, 1, 2), chunks));
    }

    @Test
    void requestsWithoutTheAskedPromptLengthAreRead() throws IOException {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
        Path runFolder = folder.resolve("run-000");
        SampleRecords.writeRun(new ResultFiles(), runFolder, plan, RunStatus.COMPLETE, 10);
        Path file = runFolder.resolve("requests.csv");
        Files.write(file,
                Files.readAllLines(file).stream().map(row -> row.substring(0, row.lastIndexOf(','))).toList());
        assertThat(new ResultFiles().readRun(runFolder).observations().requests()).hasSize(10)
                .allMatch(request -> request.askedPromptTokens() == 0 && request.promptTokens() == 64);
    }

    @Test
    void textIsPlainBeforeItIsWritten() throws IOException {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
        Path runFolder = folder.resolve("run-000");
        RunManifest manifest = SampleRecords.manifest(plan, RunStatus.RUNNING)
                .ended(RunManifest.RunOutcome.of(RunStatus.FAILED, "two\nlines \u001b[2J"));
        try (ResultFiles files = new ResultFiles(); RecordSink sink = files.openRun(runFolder, manifest)) {
            sink.event(new RunEvent.TargetMessage(1, "two\nlines \u202e"));
            sink.manifest(manifest);
        }
        assertThat(Files.readString(runFolder.resolve("events.jsonl"))).contains("two lines \ufffd");
        assertThat(Files.readString(runFolder.resolve("run.json"))).contains("two lines \ufffd[2J");
        RunRecord read = new ResultFiles().readRun(runFolder);
        assertThat(read.manifest().outcome().failure()).isEqualTo("two lines \ufffd[2J");
        assertThat(read.observations().events()).containsExactly(new RunEvent.TargetMessage(1, "two lines \ufffd"));
    }

    @Test
    void theFilesSayTheirUnitsAndLeaveAbsentFieldsEmpty() throws IOException {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder);
        Path runFolder = folder.resolve("run-000");
        SampleRecords.writeRun(new ResultFiles(), runFolder, plan, RunStatus.COMPLETE, 10);
        List<String> lines = Files.readAllLines(runFolder.resolve("requests.csv"));
        assertThat(lines.getFirst())
                .isEqualTo("request,warm_up,prompt_tokens,asked_output_tokens,intended_ns,sent_ns,admitted_ns,"
                        + "prefill_start_ns,end_ns,status,reason,output_tokens,output_instants,token_source,asked_prompt_tokens");
        assertThat(lines.get(10))
                .matches("9,0,64,1,\\d+,\\d+,,,\\d+,failed,\"Refused, \"\"politely\"\", by the .*\",0,0,engine,64");
        assertThat(Files.list(runFolder).map(path -> path.getFileName().toString())).containsExactlyInAnyOrder(
                "run.json", "requests.csv", "tokens.bin", "steps.csv", "telemetry.csv", "events.jsonl");
    }
}
