package org.inferometer.target.edgellm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.target.Target;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.inferometer.workload.StopRule;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class EdgeLlmTargetTest {
    private static final String HANGING = "sh -c 'echo $$ > \"$0\"; exec sleep 600' \"$here/child\" &\nwait\n";

    @TempDir
    private Path folder;

    private FakeTools tools;

    @BeforeEach
    void fakeTools() throws Exception {
        tools = new FakeTools(folder);
    }

    @Test
    void instantsAndCountsAreThoseOfTheProfile() throws Exception {
        TargetEventLog ledger = new TargetEventLog(1);
        try (Target target = tools.open(FakeTools.answering(1, FakeTools.PROFILE), ledger, "warmup=3")) {
            target.send(request(7, "Say it.", 3));
            ledger.complete();
        }
        List<Long> instants = ledger.instants.get(7);
        // Admitted when its process was about to start, which is no queue; prefill and tokens as the profile has it, the last at the process's end.
        assertThat(instants.getFirst()).isLessThanOrEqualTo(instants.get(1));
        assertThat(instants.stream().skip(1).map(nanos -> nanos - instants.get(1))).containsExactly(0L, 4_000L,
                10_000L);
        assertThat(ledger.counts).isEqualTo(Map.of(7, new TokenCounts(2, 3, TokenSource.PROFILE)));
        assertThat(ledger.ends).isEqualTo(Map.of(7, RequestStatus.OK));
        assertThat(ledger.memoryPeaks).containsExactly("GPU 1073741824");
        assertThat(ledger.said).containsExactly(
                "Each request or batch starts llm_inference. Process start, engine loading and 3 warm-up"
                        + " runs count in TTFT and E2E, not in queue time. Prefill and decode latency come from the tool's profile.");
    }

    @Test
    void theToolGetsTheEngineTheWarmUpAndThePromptAsText() throws Exception {
        TargetEventLog ledger = new TargetEventLog(1);
        try (Target target = tools.open("cp \"$input\" \"$here/input\"\n" + FakeTools.answering(1, FakeTools.PROFILE),
                ledger, "warmup=3")) {
            target.send(request(0, "Say \"it\".", 3));
            ledger.complete();
        }
        assertThat(tools.calls().getFirst().replaceAll("\\S*/inferometer-edgellm-\\d+/", "TMP/"))
                .isEqualTo("--inputFile TMP/input.json --engineDir " + tools.engine()
                        + " --outputFile TMP/output.json --warmup 3 --dumpProfile --profileOutputFile TMP/profile.json");
        assertThat(Files.readString(folder.resolve("input")))
                .isEqualTo("{\"batch_size\":1,\"temperature\":1.0,\"top_p\":1.0,\"top_k\":1,"
                        + "\"max_generate_length\":3,\"requests\":[{\"messages\":[{\"role\":\"user\",\"content\":\"Say \\\"it\\\".\"}]}]}");
    }

    @Test
    void requestsOfOneLengthShareAProcessAndOthersWaitForTheirOwn() throws Exception {
        TargetEventLog ledger = new TargetEventLog(3);
        String batched = FakeTools.PROFILE.replace("\"computed_tokens\":2", "\"computed_tokens\":5")
                .replace("\"generated_tokens\":2", "\"generated_tokens\":4");
        String script = "if grep -q '\"batch_size\":2' \"$input\"; then\n" + FakeTools.answering(2, batched) + "else\n"
                + FakeTools.answering(1, FakeTools.PROFILE) + "fi\n";
        try (Target target = tools.open(script, ledger, "batch_size=4")) {
            target.send(request(0, null, 3));
            target.send(request(1, null, 2));
            target.send(request(2, null, 3));
            target.arrivalsEnded();
            ledger.complete();
        }
        assertThat(tools.calls()).hasSize(2);
        assertThat(ledger.counts).isEqualTo(Map.of(0, new TokenCounts(3, 3, TokenSource.PROFILE), 1,
                new TokenCounts(2, 2, TokenSource.PROFILE), 2, new TokenCounts(2, 3, TokenSource.PROFILE)));
        assertThat(ledger.ends).isEqualTo(Map.of(0, RequestStatus.OK, 1, RequestStatus.OK, 2, RequestStatus.OK));
    }

    @Test
    void aProcessThatFailsFailsItsRequestWithItsLastWords() throws Exception {
        assertThat(failure("echo Loading; echo 'first' >&2; echo 'engine.cpp: out of memory' >&2; exit 3\n", ""))
                .isEqualTo("llm_inference ended with status 3: engine.cpp: out of memory");
    }

    @Test
    void aProcessThatFailsInSilenceSaysSo() throws Exception {
        assertThat(failure("exit 1\n", "")).isEqualTo("llm_inference ended with status 1 without output.");
    }

    @Test
    void aHugeOutputIsDrainedAndOnlyItsEndKept() throws Exception {
        assertThat(failure(
                "yes 0123456789012345678901234567890123456789 | head -c 8000000\necho 'the end' >&2\nexit 2\n", ""))
                .isEqualTo("llm_inference ended with status 2: the end");
    }

    @Test
    void theToolsOwnRefusalIsAFailure() throws Exception {
        String script = FakeTools.answering(1, FakeTools.PROFILE).replace("well",
                "TensorRT Edge LLM cannot handle this request. Fails.");
        assertThat(failure(script, ""))
                .isEqualTo("llm_inference answered: TensorRT Edge LLM cannot handle this request. Fails.");
    }

    @Test
    void filesThatAreMissingOrBrokenAreFailures() throws Exception {
        assertThat(failure("true\n", ""))
                .isEqualTo("llm_inference wrote no output.json. Check the version of the tool.");
        assertThat(failure(FakeTools.answering(1, FakeTools.PROFILE) + "rm \"$profile\"\n", ""))
                .isEqualTo("llm_inference wrote no profile.json. Check the version of the tool.");
        assertThat(failure(
                FakeTools.answering(1, FakeTools.PROFILE) + "rm \"$profile\"; ln -s /dev/zero \"$profile\"\n", ""))
                .isEqualTo("The profile.json that llm_inference left is not a regular file.");
        assertThat(failure(FakeTools.answering(1, FakeTools.PROFILE)
                + "dd if=/dev/zero of=\"$output\" bs=1 count=1 seek=300000000 2>/dev/null\n", ""))
                .isEqualTo("llm_inference wrote more than 256 MiB into output.json; it is not read.");
        assertThat(failure(FakeTools.answering(0, FakeTools.PROFILE), ""))
                .isEqualTo("llm_inference answered 0 of 1 requests.");
        assertThat(failure("echo '{\"responses\":[{\"output_text\"' > \"$output\"\n", ""))
                .startsWith("The output.json of llm_inference is broken: ");
    }

    @Test
    void profileLongerThanItsProcessIsNotUsed() throws Exception {
        assertThat(failure(FakeTools.answering(1, FakeTools.PROFILE.replace("0.004", "3600000.0")), "")).matches(
                "The profile reports 3600000 ms of work, but the process took \\d+ ms\\. The profile is not used\\.");
    }

    @Test
    void aProcessThatHangsIsStoppedWithItsChildren() throws Exception {
        TargetEventLog ledger = new TargetEventLog(1);
        fifo();
        try (Target target = tools.open(started(HANGING), ledger, "timeout=60")) {
            target.send(request(0, null, 3));
            awaitStart();
            tools.passTime(Duration.ofSeconds(60));
            // Anything that comes makes it look at the clock again.
            target.cancel(new RequestId(9));
            ledger.complete();
        }
        assertThat(ledger.ends).isEqualTo(Map.of(0, RequestStatus.TIMED_OUT));
        assertThat(ledger.reasons).isEqualTo(Map.of(0, "llm_inference did not end within 60000 ms and was stopped."));
        assertThat(child()).isEmpty();
    }

    @Test
    void cancellingStopsTheProcessAndLetsTheNextRequestRun() throws Exception {
        TargetEventLog ledger = new TargetEventLog(3);
        String script = "if [ ! -e \"$here/child\" ]; then\n" + started(HANGING) + "fi\n"
                + FakeTools.answering(1, FakeTools.PROFILE);
        fifo();
        try (Target target = tools.open(script, ledger, "")) {
            target.send(request(0, null, 3));
            target.send(request(1, null, 3));
            target.send(request(2, null, 3));
            awaitStart();
            target.cancel(new RequestId(1));
            target.cancel(new RequestId(0));
            target.cancel(new RequestId(9));
            ledger.complete();
        }
        assertThat(ledger.ends)
                .isEqualTo(Map.of(0, RequestStatus.CANCELLED, 1, RequestStatus.CANCELLED, 2, RequestStatus.OK));
        assertThat(child()).isEmpty();
    }

    @Test
    void closingCancelsWhatRunsAndWhatWaitsAndLeavesNothing() throws Exception {
        TargetEventLog ledger = new TargetEventLog(2);
        fifo();
        Target target = tools.open(started(HANGING), ledger, "");
        target.send(request(0, null, 3));
        target.send(request(1, null, 3));
        awaitStart();
        target.close();
        target.close();
        assertThat(ledger.ends).isEqualTo(Map.of(0, RequestStatus.CANCELLED, 1, RequestStatus.CANCELLED));
        assertThat(ledger.reasons.values()).containsOnly("The target was closed.");
        assertThat(child()).isEmpty();
        Path temporary = Path.of(tools.calls().getFirst().split(" ")[1]).getParent();
        assertThat(temporary).doesNotExist();
        assertThatThrownBy(() -> target.send(request(2, null, 3))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aProgramThatCannotRunFailsEachRequest() throws Exception {
        TargetEventLog ledger = new TargetEventLog(1);
        try (Target target = tools.open("true\n", ledger, "")) {
            Files.delete(tools.tool());
            target.send(request(0, null, 3));
            ledger.complete();
        }
        assertThat(ledger.reasons.get(0)).startsWith(tools.tool() + " cannot be started: ");
    }

    private String failure(String script, String more) throws Exception {
        TargetEventLog ledger = new TargetEventLog(1);
        try (Target target = tools.open(script, ledger, more)) {
            target.send(request(0, null, 3));
            ledger.complete();
        }
        assertThat(ledger.ends).isEqualTo(Map.of(0, RequestStatus.FAILED));
        assertThat(ledger.counts).isEmpty();
        return String.valueOf(ledger.reasons.get(0));
    }

    /// The child of a hanging tool, while it lives.
    private Stream<ProcessHandle> child() throws Exception {
        long id = Long.parseLong(Files.readString(folder.resolve("child")).strip());
        ProcessHandle child = ProcessHandle.of(id).orElse(null);
        if (child != null) {
            // It was sent its end; being buried may take a moment.
            assertThat(child.onExit()).succeedsWithin(Duration.ofSeconds(20));
        }
        return ProcessHandle.of(id).filter(ProcessHandle::isAlive).stream();
    }

    private void fifo() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", folder.resolve("started").toString()).start().waitFor()).isZero();
    }

    /// The script, once its child has said through a pipe that it is there.
    private static String started(String script) {
        return script.replace("echo $$ > \"$0\";", "echo $$ > \"$0\"; echo here > \"$(dirname \"$0\")/started\";");
    }

    private void awaitStart() throws Exception {
        try (BufferedReader reader = Files.newBufferedReader(folder.resolve("started"))) {
            assertThat(reader.readLine()).isEqualTo("here");
        }
    }

    static Request request(int id, @Nullable String text, int outputTokens) {
        return request(id, new int[]{4, 5}, text, outputTokens);
    }

    static Request request(int id, int[] promptTokens, @Nullable String text, int outputTokens) {
        return new Request(new RequestId(id), promptTokens, StopRule.length(outputTokens), new Arrival.WhenFree(0),
                Sampling.GREEDY, RequestDeadlines.NONE, text);
    }
}
