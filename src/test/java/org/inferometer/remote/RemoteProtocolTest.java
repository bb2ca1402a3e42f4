package org.inferometer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.Phase;
import org.inferometer.remote.RemoteMachine.OfferedBackend;
import org.inferometer.remote.RemoteMachine.OfferedEngine;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.FolderTree;
import org.inferometer.units.Seed;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteProtocolTest {
    /// A service that refuses everything.
    private record Refusing() implements BenchmarkService {
        @Override
        public List<PlanFault> check(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public List<Access> accesses(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public Estimate estimate(ExperimentSpec spec) {
            return new Estimate(0, 0, 0, 0, 0);
        }

        @Override
        public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) throws PlanException {
            throw new PlanException(List.of(new PlanFault("engines", "No engine " + spec.name() + ".")));
        }
    }

    private static final RemoteMachine OFFER = new RemoteMachine(
            new MachineDescription("Debian GNU/Linux 12", "x86_64", "A processor", 8, 16, 1L << 36, "25", 512,
                    List.of("NVIDIA H200"), "1"),
            List.of(new OfferedBackend("host", "CPU (host), 8 cores", ""),
                    new OfferedBackend("cuda", "GPU (cuda)", "No driver was found.")),
            List.of(new OfferedEngine("tiny-fp8", "FP8", EngineEntry.State.BUILT, "", true, 15_000_000),
                    new OfferedEngine("torn", "", EngineEntry.State.DAMAGED, "Its weights are missing.", true, 0)));

    @TempDir
    Path folder;

    private List<String> answers(String input) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new RemoteSide(new Refusing(), folder, "Inferometer 1", () -> OFFER, new SystemClock())
                .serve(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), out);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void eventsArriveAsTheyWereSent() throws IOException {
        List<RemoteEvent> events = List.of(new RemoteEvent.Hello(1, "Inferometer 1"),
                new RemoteEvent.Refused(List.of(new PlanFault("engines", "No engine."))),
                new RemoteEvent.Building("tiny", 0.5),
                new RemoteEvent.Frame(new WorkerFrame.PhaseStarted(Phase.MEASURE, 7)), new RemoteEvent.Bundle(12),
                new RemoteEvent.Failed("Full."));
        for (RemoteEvent event : events) {
            String line = new String(RemoteProtocol.line(event), StandardCharsets.UTF_8);
            assertThat(line).endsWith("}\n");
            assertThat(RemoteProtocol.event(line)).isEqualTo(event);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{}", "{\"event\":\"frame\"}", "{\"event\":\"nothing\"}",
            "{\"event\":\"bundle\",\"bytes\":\"x\"}", "{\"event\":\"started\",\"manifest\":{}}",
            "{\"event\":\"building\",\"engine\":null,\"fraction\":1}",
            "{\"event\":\"building\",\"engine\":\"a\",\"fraction\":NaN}"})
    void brokenMessagesAreOneSentence(String line) {
        assertThatThrownBy(() -> RemoteProtocol.event(line)).isInstanceOf(IOException.class)
                .hasMessageStartingWith("The other machine sent ");
    }

    @Test
    void cutAndChangedMessagesNeverEndOtherwise() {
        RandomGenerator random = new Seed(7).generator();
        byte[] whole = RemoteProtocol.line(new RemoteEvent.Refused(List.of(new PlanFault("engines", "No engine."))));
        for (int i = 0; i < 500; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            String line = new String(changed, 0, random.nextInt(changed.length + 1), StandardCharsets.UTF_8);
            try {
                assertThat(RemoteProtocol.event(line)).isInstanceOf(RemoteEvent.Refused.class);
            } catch (IOException e) {
                assertThat(e).hasMessageStartingWith("The other machine sent ");
            }
        }
    }

    @Test
    void ordersOfAnotherVersionAreRefused() throws InterruptedException {
        assertThat(answers("{\"protocol\":9}\n")).containsExactly(
                "{\"event\":\"hello\",\"protocol\":2,\"program\":\"Inferometer 1\"}",
                "{\"event\":\"failed\",\"sentence\":\"The other Inferometer has version 9 of the protocol, this one has 2."
                        + " Use the same Inferometer on both machines.\"}");
    }

    @Test
    void faultsOfThePlanComeBack() throws Exception {
        String order =
                new String(RemoteProtocol.line(RemoteOrder.toRun(ExperimentSpec.STANDARD)), StandardCharsets.UTF_8);
        assertThat(RemoteProtocol.event(answers(order).getLast()))
                .isEqualTo(new RemoteEvent.Refused(List.of(new PlanFault("engines", "No engine custom."))));
    }

    @Test
    void aLookTellsEnginesAndBackends() throws Exception {
        String order = new String(RemoteProtocol.line(RemoteOrder.toLook()), StandardCharsets.UTF_8);
        assertThat(RemoteProtocol.event(answers(order).getLast())).isEqualTo(new RemoteEvent.Looked(OFFER));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void nobodyElseCanReadTheBundleWhileItIsSent() throws Exception {
        FolderTree.copy(Path.of("sample-results/eight-a-second"), Files.createDirectory(folder.resolve("mine")));
        Set<Path> seen = new TreeSet<>();
        Set<String> permissions = new TreeSet<>();
        OutputStream out = new ByteArrayOutputStream() {
            @Override
            public void write(byte[] bytes, int from, int count) {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path bundle : files.filter(BundleReader::isBundle).toList()) {
                        seen.add(bundle);
                        permissions.add(PosixFilePermissions
                                .toString(Files.getPosixFilePermissions(Objects.requireNonNull(bundle.getParent()))));
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                super.write(bytes, from, count);
            }
        };
        new RemoteSide(new Refusing(), folder, "Inferometer 1", () -> OFFER, new SystemClock()).serve(
                new ByteArrayInputStream("{\"protocol\":2,\"fetch\":\"mine\"}\n".getBytes(StandardCharsets.UTF_8)),
                out);
        assertThat(out.toString()).contains("\"event\":\"bundle\"");
        assertThat(seen).hasSize(1);
        assertThat(permissions).containsExactly("rwx------");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(folder.resolve("mine"));
        }
    }

    @Test
    void anEndWithoutAnOrderIsNoFault() throws InterruptedException {
        assertThat(answers("")).hasSize(1);
    }
}
