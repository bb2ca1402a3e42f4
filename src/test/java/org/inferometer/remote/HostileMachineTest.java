package org.inferometer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.ExperimentSpec.AskedLimits;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.bundle.BundleView;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.run.ExperimentListener;
import org.inferometer.units.FolderTree;
import org.inferometer.units.ShellWord;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Machines that send without end, nothing, or more than they announce. A shell stands for ssh and the program at its end.
@Timeout(60)
class HostileMachineTest {
    private static final SshHost HOST = SshHost.parse("ssh:gpu1");
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration LITTLE = Duration.ofMillis(300);
    /// The greeting is waited for, all else is not.
    private static final RemoteLimits SHORT = new RemoteLimits(LONG, LITTLE, LITTLE, LITTLE);
    private static final RemoteLimits NO_ANSWER = new RemoteLimits(LITTLE, LONG, LONG, LONG);
    private static final String HELLO = "echo '{\"event\":\"hello\",\"protocol\":2,\"program\":\"x\"}'; read order; ";
    private static final String NAP = "read -t 30 nothing; ";
    private static final String NAME = "2026-11-21_141503_quick";

    @TempDir
    private Path folder;
    private Process machine;

    @BeforeEach
    void results() throws IOException {
        Files.createDirectories(folder.resolve("results"));
    }

    @AfterEach
    void end() {
        if (machine != null) {
            machine.destroyForcibly();
        }
    }

    private SshConnection connected(RemoteOrder order, RemoteLimits limits, String script) throws IOException {
        Path file = Files.writeString(folder.resolve("machine"), script);
        machine = new ProcessBuilder("bash", file.toString()).start();
        return SshConnection.over(machine, HOST, order, limits);
    }

    private IOException fetchFails(RemoteLimits limits, String script) throws IOException {
        try (SshConnection connection = connected(RemoteOrder.toFetch(NAME), limits, script)) {
            new RemoteResults(folder.resolve("results")).fetched(HOST, connection, NAME);
            throw new AssertionError("it was fetched");
        } catch (IOException e) {
            assertThat(here()).isEmpty();
            return e;
        }
    }

    private List<String> here() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("results"))) {
            return all.map(each -> each.getFileName().toString()).toList();
        }
    }

    private static String bundle(long bytes) {
        return "echo '{\"event\":\"bundle\",\"bytes\":" + bytes + "}'; ";
    }

    private static String event(Object event) {
        return "printf '%s' " + ShellWord.quoted(new String(RemoteProtocol.line(event), StandardCharsets.UTF_8)) + "; ";
    }

    @Test
    void aRecordOf20GibIsRefusedBeforeItIsReceived() throws IOException {
        assertThat(fetchFails(RemoteLimits.STANDARD, HELLO + bundle(20L << 30) + "exec cat /dev/zero")).hasMessage(
                "ssh:gpu1 announces a record of 20.0 GiB; at most 4.00 GiB are taken. Nothing was received. The record stays "
                        + "there in the folder of results, as " + NAME + ". Copy that folder with scp -r to "
                        + folder.resolve("results") + ".");
        assertThat(fetchFails(RemoteLimits.STANDARD, HELLO + bundle(-1) + NAP))
                .hasMessageContaining("Nothing was received.");
    }

    @Test
    void recordsThatDoNotComeAreNotWaitedFor() throws IOException {
        assertThat(fetchFails(SHORT, HELLO + NAP)).hasMessage("ssh:gpu1 did not send the record.");
        assertThat(fetchFails(SHORT, HELLO + bundle(1 << 20) + "printf PK; " + NAP))
                .hasMessage("ssh:gpu1 sent too little of the record.");
        assertThat(fetchFails(RemoteLimits.STANDARD, HELLO + bundle(1 << 20) + "printf PK"))
                .hasMessageStartingWith("The connection to gpu1 ended");
        assertThat(fetchFails(RemoteLimits.STANDARD,
                HELLO + "while echo '{\"event\":\"building\",\"engine\":\"a\",\"fraction\":0.5}'; do :; done"))
                .hasMessage("ssh:gpu1 sent something else than the record.");
    }

    @Test
    void bytesAfterTheRecordAreNotRead() throws IOException {
        FolderTree.copy(Path.of("src/test/records/quick"), Files.createDirectories(folder.resolve(NAME)));
        Path file = folder.resolve("x.inferometer");
        new BundleWriter("x", Optional.empty())
                .write(new BundleWriter.Contents(List.of(new ResultLibrary(folder).open(folder.resolve(NAME))),
                        BundleView.of(List.of(NAME)), "", new byte[0]), Instant.EPOCH, file);
        try (SshConnection connection = connected(RemoteOrder.toFetch(NAME), RemoteLimits.STANDARD, HELLO
                + bundle(Files.size(file)) + "cat " + ShellWord.quoted(file.toString()) + "; exec cat /dev/zero")) {
            assertThat(new RemoteResults(folder.resolve("results")).fetched(HOST, connection, NAME))
                    .isEqualTo(folder.resolve("results").resolve(NAME));
        }
        assertThat(here()).containsExactly(NAME);
    }

    @Test
    void greetingsAndLinesWithoutEndAreEnded() {
        assertThatThrownBy(() -> connected(RemoteOrder.toLook(), NO_ANSWER, NAP))
                .hasMessage("ssh:gpu1 did not answer within 0 s.");
        assertThatThrownBy(() -> connected(RemoteOrder.toLook(), RemoteLimits.STANDARD, "exec yes"))
                .hasMessageContaining("the program there does not answer as Inferometer does.");
        assertThatThrownBy(() -> connected(RemoteOrder.toLook(), RemoteLimits.STANDARD, "exec cat /dev/zero"))
                .hasMessage("A line of the other machine is longer than 1 MiB.");
        assertThatThrownBy(() -> connected(RemoteOrder.toLook(), NO_ANSWER, "exec yes x >&2"))
                .hasMessage("ssh:gpu1 did not answer within 0 s.");
    }

    private static ExperimentSpec asked() {
        return new ExperimentSpec("far", List.of("tiny"), List.of(Selection.of("naive")),
                List.of(new WorkloadPresets().find("short")), Selection.of("host"), 1, 0, 42, 100, 0,
                AskedLimits.DEFAULTS);
    }

    private RemoteExperiment experiment(RemoteLimits limits, String script) throws Exception {
        SshConnection connection = connected(RemoteOrder.toRun(asked()), limits, script);
        RemoteExperiment experiment = new RemoteExperiment(HOST, connection, asked(), folder.resolve("results"),
                new ExperimentListener() {}, new SystemClock());
        experiment.awaitStart();
        return experiment;
    }

    @Test
    void buildsThatDoNotAdvanceAreEnded() {
        String endless = "while echo '{\"event\":\"building\",\"engine\":\"tiny\",\"fraction\":0.5}'; do :; done";
        assertThatThrownBy(() -> experiment(SHORT, HELLO + endless))
                .hasMessage("ssh:gpu1 did not advance the build of tiny by 1 % in 0 s.");
        String turns = "while echo '{\"event\":\"building\",\"engine\":\"tiny\",\"fraction\":0.9}'; "
                + "do echo '{\"event\":\"building\",\"engine\":\"tiny\",\"fraction\":0.1}'; done";
        assertThatThrownBy(() -> experiment(SHORT, HELLO + turns))
                .hasMessage("ssh:gpu1 did not advance the build of tiny by 1 % in 0 s.");
        assertThatThrownBy(() -> experiment(RemoteLimits.STANDARD, HELLO + endless.replace("tiny", "other")))
                .hasMessage("ssh:gpu1 builds other, which the experiment does not use.");
    }

    @Test
    void buildsThatAdvanceGoOn() throws Exception {
        RemoteProgress progress = new RemoteProgress(HOST, asked());
        for (int percent = 0; percent <= 100; percent += 2) {
            assertThat(progress.advances(new RemoteEvent.Building("tiny", percent / 100.0))).isTrue();
        }
        assertThat(progress.advances(new RemoteEvent.Building("tiny", 1))).isFalse();
    }

    @Test
    void eventsWithoutProgressAndLostStopsEndTheExperiment() throws Exception {
        ExperimentManifest manifest = ResultLibrary.manifest(Path.of("src/test/records/quick"));
        String started = event(new RemoteEvent.Started(manifest));
        String logs =
                "while echo '{\"event\":\"frame\",\"frame\":{\"frame\":\"log\",\"level\":\"info\",\"message\":\"x\"}}'; "
                        + "do :; done";
        RemoteExperiment endless = experiment(SHORT, HELLO + started + logs);
        ExperimentManifest ended = endless.await();
        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.failure()).startsWith("ssh:gpu1 made no progress for too long. It goes on there to its end.");

        RemoteExperiment deaf = experiment(new RemoteLimits(LONG, LONG, LONG, LITTLE), HELLO + started + logs);
        deaf.cancel();
        assertThat(deaf.await().failure()).startsWith("ssh:gpu1 did not end within 0 s of the stop.");

        RemoteExperiment large = experiment(RemoteLimits.STANDARD, HELLO + started + bundle(20L << 30) + NAP);
        assertThat(large.await().failure()).startsWith("ssh:gpu1 announces a record of 20.0 GiB;")
                .doesNotContain("Fetch its record");
        assertThat(here()).isEmpty();
        assertThat(machine.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
}
