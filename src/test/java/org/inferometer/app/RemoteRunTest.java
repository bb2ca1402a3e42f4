package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.ExperimentSpec.AskedLimits;
import org.inferometer.experiment.PlanException;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.remote.RemoteBenchmarks;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.RemoteMachine.OfferedBackend;
import org.inferometer.remote.RemoteMachine.OfferedEngine;
import org.inferometer.remote.RemoteResults;
import org.inferometer.remote.SshHost;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.ResultNotes;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.Leftovers;
import org.inferometer.units.LongForm;
import org.inferometer.units.ShellWord;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Experiments through a real ssh, on a machine whose workspace and program are others.
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class RemoteRunTest {
    @TempDir
    Path folder;

    private LocalSshd sshd;
    private Path there;
    private Path here;
    private Path command;

    @BeforeEach
    void startSshd() throws Exception {
        LocalSshd.lacking().ifPresent(reason -> Assumptions.abort(reason));
        there = Files.createDirectories(folder.resolve("work 'there'"));
        here = Files.createDirectories(folder.resolve("here"));
        SmallestEngines.into(there);
        List<String> words = EchoedKeyTest.CommandLine.command(there, List.of());
        command = Files.writeString(folder.resolve("the $program's \"name\""),
                "#!/bin/sh\necho 'Welcome to this machine.'\ncd " + ShellWord.quoted(System.getProperty("user.dir"))
                        + "\nexec " + ShellWord.line(words) + " \"$@\"\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
        sshd = LocalSshd.in(Files.createDirectories(folder.resolve("ssh d")));
    }

    @AfterEach
    void stopSshd() throws Exception {
        if (sshd != null) {
            sshd.close();
        }
    }

    private SshHost host(String name) {
        return SshHost.parse("ssh:" + name + ",config=" + quoted(sshd.config()) + ",command=" + quoted(command));
    }

    private static String quoted(Path path) {
        return "\"" + path.toString().replace("\"", "\"\"") + "\"";
    }

    /// On a target that answers at once.
    private RunningExperiment start(SshHost host, WorkloadSpec workload, ExperimentListener listener)
            throws PlanException {
        return start(host, spec(workload).onTargetsOnly(List.of(Selection.parse("null:name=nothing"))), listener);
    }

    private RunningExperiment start(SshHost host, ExperimentSpec spec, ExperimentListener listener)
            throws PlanException {
        BenchmarkService unused =
                new Program(new Workspace(here), EnvironmentVariables.NONE, HastyWorker.in(here)).benchmarks(here);
        return new RemoteBenchmarks(host, unused, here, new SystemClock()).start(spec, listener);
    }

    private static ExperimentSpec spec(WorkloadSpec workload) {
        return new ExperimentSpec("far", List.of("tiny-int4"), List.of(Selection.of("naive")), List.of(workload),
                Selection.of("host"), 1, 0, 42, 100, 0, AskedLimits.DEFAULTS);
    }

    private static WorkloadSpec few() {
        return new WorkloadPresets().find("short").withRequests(4);
    }

    /// Takes minutes.
    private static WorkloadSpec endless() {
        return new WorkloadPresets().find("short").withRequests(2000).withArrivals(new ArrivalProcess.Constant(10));
    }

    /// Every file with its bytes, without what a person wrote and the mark of a worker that was too slow to stop.
    private static Map<String, String> files(Path root) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        files.remove("notes.json");
        files.keySet().removeIf(name -> name.contains(Leftovers.RUNNING));
        return files;
    }

    /// Notes what is heard.
    private record Heard(List<String> events, Consumer<WorkerFrame> onFrame) implements ExperimentListener {
        @Override
        public void started(ExperimentManifest manifest) {
            events.add("started " + manifest.status());
        }

        @Override
        public void runStarted(RunPlan plan) {
            events.add("run " + plan.index().run());
        }

        @Override
        public void frame(RunPlan plan, WorkerFrame frame) {
            if (frame instanceof WorkerFrame.Finished finished) {
                events.add("finished " + finished.status());
            }
            onFrame.accept(frame);
        }

        @Override
        public void runEnded(RunPlan plan, RunRecord record) {
            events.add("record " + record.manifest().status());
        }

        @Override
        public void ended(ExperimentManifest manifest) {
            events.add("ended " + manifest.status());
        }
    }

    @Test
    void aMachineTellsItsEnginesAndBackends() throws Exception {
        RemoteMachine offer = RemoteMachine.ask(host("there"));
        assertThat(offer.engines()).extracting(OfferedEngine::name).contains("tiny-int4");
        assertThat(offer.backends()).filteredOn(OfferedBackend::usable).extracting(OfferedBackend::name)
                .contains("host");
        assertThat(offer.machine().logicalCores()).isPositive();
    }

    @Test
    void recordsComeBackWholeAndCanBeFetchedAgain() throws Exception {
        List<WorkerFrame> frames = new ArrayList<>();
        Heard heard = new Heard(new ArrayList<>(), frames::add);
        RunningExperiment running = start(host("there"), spec(few()), heard);
        ExperimentManifest ended = running.await();

        assertThat(heard.events()).containsExactly("started RUNNING", "run 0", "finished COMPLETE", "record COMPLETE",
                "ended COMPLETE");
        assertThat(frames).anyMatch(WorkerFrame.PhaseStarted.class::isInstance);
        assertThat(ended.status()).isEqualTo(RunStatus.COMPLETE);
        Path original = there.resolve("results").resolve(ended.id());
        assertThat(files(running.folder())).isEqualTo(files(original)).containsKey("experiment.json");
        assertThat(ResultNotes.read(running.folder()).text()).contains("Measured on ssh:there.");

        Path again = folder.resolve("again");
        assertThat(files(new RemoteResults(again).fetch(host("there"), "latest"))).isEqualTo(files(original));
        assertThatThrownBy(() -> new RemoteResults(again).fetch(host("there"), "../../etc"))
                .isInstanceOf(IOException.class).hasMessage("ssh:there: There is no result ../../etc on that machine.");
    }

    @Test
    void droppedConnectionIsAClearEndAndTheRecordIsFetchedLater() throws Exception {
        CountDownLatch measuring = new CountDownLatch(1);
        RunningExperiment running = start(host("there"),
                new WorkloadPresets().find("short").withRequests(20).withArrivals(new ArrivalProcess.Constant(10)),
                new Heard(new ArrayList<>(), frame -> {
                    if (frame instanceof WorkerFrame.Live) {
                        measuring.countDown();
                    }
                }));
        assertThat(measuring.await(60, TimeUnit.SECONDS)).isTrue();
        List<ProcessHandle> measures = sshd.sessions();
        ProcessHandle.current().descendants()
                .filter(process -> process.info().commandLine()
                        .filter(line -> line.contains("/ssh ") && line.contains(sshd.config().toString())).isPresent())
                .forEach(ProcessHandle::destroyForcibly);
        ExperimentManifest ended = running.await();

        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.failure()).startsWith("The connection to there ended").endsWith(
                "Unless it was killed there, it goes on to its end. Fetch its record then: inferometer results fetch "
                        + ShellWord.quoted(host("there").written()) + " " + ended.id());
        assertThat(running.folder()).doesNotExist();
        Path original = there.resolve("results").resolve(ended.id());
        for (ProcessHandle process : measures) {
            process.onExit().get(60, TimeUnit.SECONDS);
        }
        Path fetched = new RemoteResults(here).fetch(host("there"), ended.id());
        assertThat(ResultLibrary.manifest(fetched).status()).isEqualTo(RunStatus.COMPLETE);
        assertThat(files(fetched)).isEqualTo(files(original));
    }

    /// A shell between ssh and the program, as the launcher is one.
    private SshHost underAShell() throws IOException {
        Path shell = Files.writeString(folder.resolve("launcher"),
                "#!/bin/sh\n" + ShellWord.quoted(command.toString()) + " \"$@\"\nexit $?\n");
        Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwx------"));
        return SshHost.parse("ssh:there,config=" + quoted(sshd.config()) + ",command=" + quoted(shell));
    }

    @Test
    @LongForm
    void killedProgramThereIsAClearEndAndItsRunIsFetched() throws Exception {
        CountDownLatch measuring = new CountDownLatch(1);
        RunningExperiment running = start(underAShell(),
                new WorkloadPresets().find("short").withRequests(20).withArrivals(new ArrivalProcess.Constant(10)),
                new Heard(new ArrayList<>(), frame -> {
                    if (frame instanceof WorkerFrame.Live) {
                        measuring.countDown();
                    }
                }));
        assertThat(measuring.await(60, TimeUnit.SECONDS)).isTrue();
        List<ProcessHandle> there = sshd.sessions();
        // A worker has its own file for the report of a crash.
        there.stream().filter(process -> process.info().command().orElse("").endsWith("/java"))
                .filter(process -> !process.info().commandLine().orElse("").contains("-XX:ErrorFile="))
                .forEach(ProcessHandle::destroyForcibly);
        ExperimentManifest ended = running.await();

        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.failure()).startsWith("The connection to there ended: exit code 137").contains(
                "Unless it was killed there, it goes on to its end. Fetch its record then: inferometer results fetch ");
        assertThat(running.folder()).doesNotExist();
        for (ProcessHandle process : there) {
            process.onExit().get(60, TimeUnit.SECONDS);
        }
        Path fetched = new RemoteResults(here).fetch(host("there"), ended.id());
        assertThat(ResultLibrary.manifest(fetched).status()).isEqualTo(RunStatus.INTERRUPTED);
        assertThat(new ResultLibrary(here).open(fetched).runs()).extracting(run -> run.manifest().status())
                .containsExactly(RunStatus.COMPLETE);
    }

    @Test
    void cancelHereStopsThereAndBringsWhatWasMeasured() throws Exception {
        CountDownLatch measuring = new CountDownLatch(1);
        RunningExperiment running = start(host("there"), endless(), new Heard(new ArrayList<>(), frame -> {
            if (frame instanceof WorkerFrame.Live) {
                measuring.countDown();
            }
        }));
        assertThat(measuring.await(60, TimeUnit.SECONDS)).isTrue();
        running.cancel();

        ExperimentManifest ended = running.await();
        assertThat(ended.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(ended.runFolders()).hasSize(1);
        assertThat(files(running.folder())).isEqualTo(files(there.resolve("results").resolve(ended.id())));
    }

    /// Another machine may be hostile: what it sends names no folder outside the results.
    @Test
    void namesThatLeadOutOfTheResultsAreRefused() throws Exception {
        Path hostile = Files.writeString(folder.resolve("hostile"), "#!/bin/sh\n" + ShellWord.quoted(command.toString())
                + " \"$@\" | sed -u 's/\"id\":\"20/\"id\":\"..\\/20/'\n");
        Files.setPosixFilePermissions(hostile, PosixFilePermissions.fromString("rwx------"));
        SshHost host = SshHost.parse("ssh:there,config=" + quoted(sshd.config()) + ",command=" + quoted(hostile));

        Heard heard = new Heard(new ArrayList<>(), frame -> {});
        assertThatThrownBy(() -> start(host, few(), heard)).isInstanceOf(PlanException.class)
                .hasMessageContaining("ssh:there sent an experiment whose name is no name of a folder.");
        assertThat(heard.events()).isEmpty();
    }

    @Test
    void whatIsWrongIsOneSentence() {
        Heard heard = new Heard(new ArrayList<>(), frame -> {});
        assertThatThrownBy(() -> start(host("stranger"), few(), heard)).isInstanceOf(PlanException.class)
                .hasMessageContaining("ssh to stranger failed: Host key verification failed.");
        assertThatThrownBy(
                () -> start(SshHost.parse("ssh:there,config=" + quoted(sshd.config()) + ",command=/no/such program"),
                        few(), heard))
                .isInstanceOf(PlanException.class).hasMessageContaining(
                        "ssh:there has no program /no/such program. Give its path: --on ssh:there,command=");
        assertThatThrownBy(
                () -> start(SshHost.parse("ssh:there,config=" + quoted(sshd.config()) + ",command=true"), few(), heard))
                .isInstanceOf(PlanException.class).hasMessageContaining("The connection to there ended.");
        assertThatThrownBy(() -> start(host("there"), few().withRequests(-1), heard)).isInstanceOf(PlanException.class)
                .hasMessageContaining("It has -1 requests.");
        assertThat(heard.events()).isEmpty();
    }
}
