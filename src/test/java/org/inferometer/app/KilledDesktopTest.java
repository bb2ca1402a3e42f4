package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.inferometer.cli.Registries;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.experiment.SpecReader;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Kills the desktop, its worker, or both while an experiment starts, warms up, measures, writes, ends, or the window closes. Afterwards
/// nothing half-written is in sight, and the next window opens and shows each result as what it is.
@Tag("endurance")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(5400)
class KilledDesktopTest {
    private static final int KILLS = Integer.getInteger("inferometer.desktopKills", 1);
    private static final int CHECK_EVERY = 10;
    /// From one phase to the next, and from the experiment's start to the closed window.
    private static final long LATEST_MILLIS = 4_000;
    private static final int PATIENCE_SECONDS = 90;

    @TempDir
    Path workspace;

    private final SplittableRandom random = new SplittableRandom(43);

    private enum Victim {
        WINDOW, WORKER, BOTH
    }

    /// What the window has said when the time until the kill begins.
    private enum Since {
        START(""), OPENED(DesktopProcess.OPENED), RUNNING(DesktopProcess.RUNNING);

        private final String line;

        Since(String line) {
            this.line = line;
        }
    }

    @Test
    void killedDesktopsLeaveWhatTheNextOneShows() throws Exception {
        SmallestEngines.into(workspace);
        // As a process that was killed while it saved the settings.
        Files.createDirectories(DesktopProcess.settings(workspace).getParent());
        Files.createFile(DesktopProcess.settings(workspace).resolveSibling(".writing-4194999-1700000000000-1.tmp"));
        for (int kill = 0; kill < KILLS; kill++) {
            // Every other window closes while its experiment runs.
            kill(Since.values()[(kill + 2) % 3], Victim.values()[random.nextInt(3)], random.nextLong(LATEST_MILLIS),
                    random.nextBoolean() ? random.nextLong(LATEST_MILLIS / 2) : -1);
            if ((kill + 1) % CHECK_EVERY == 0 || kill == KILLS - 1) {
                check();
            }
        }
    }

    /// Kills at an instant; a window whose worker alone was killed goes on to its end.
    private void kill(Since since, Victim victim, long afterMillis, long stopAfterMillis) throws Exception {
        Process window = start(DesktopProcess.Task.RUN, stopAfterMillis);
        List<String> said = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch begun = new CountDownLatch(since == Since.START ? 0 : 1);
        Thread reader = Thread.ofVirtual().start(() -> read(window, line -> {
            said.add(line);
            if (line.equals(since.line)) {
                begun.countDown();
            }
        }));
        assertThat(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as(errors()).isTrue();
        window.waitFor(afterMillis, TimeUnit.MILLISECONDS);
        List<ProcessHandle> workers = window.descendants().toList();
        if (victim != Victim.WORKER || workers.isEmpty()) {
            window.toHandle().destroyForcibly();
        }
        if (victim != Victim.WINDOW) {
            workers.forEach(ProcessHandle::destroyForcibly);
        }
        boolean ended = window.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        List<ProcessHandle> later = window.descendants().toList();
        window.destroyForcibly().waitFor();
        reader.join();
        assertThat(ended).as("%s killed %d ms after %s, window said %s", victim, afterMillis, since, said).isTrue();
        assertThat(later).isEmpty();
        for (ProcessHandle worker : workers) {
            worker.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        // Nobody measures: the machine is free.
        HastyWorker.in(workspace).reserve().close();
    }

    private String errors() throws IOException {
        return Files.readString(workspace.resolve("errors.txt"));
    }

    private static void read(Process window, Consumer<String> said) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(window.getInputStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(said);
        } catch (IOException | UncheckedIOException e) {
            // Killed.
        }
    }

    private Process start(DesktopProcess.Task task, long count) throws IOException {
        return new ProcessBuilder(DesktopProcess.command(workspace, task, count))
                .redirectError(ProcessBuilder.Redirect.appendTo(workspace.resolve("errors.txt").toFile())).start();
    }

    private void check() throws Exception {
        // A window first: what it finds is what the kills left.
        List<String> shown = list();
        cli("results", "prune", "--yes");
        try (Stream<Path> all = Files.walk(workspace)) {
            assertThat(all.filter(path -> path.getFileName().toString().startsWith("."))).isEmpty();
        }
        List<String> listed = new ArrayList<>();
        ResultLibrary library = new ResultLibrary(workspace.resolve("results"));
        for (ResultLibrary.Entry entry : library.list()) {
            assertThat(entry.problem()).isEmpty();
            ExperimentRecord record = library.open(entry.folder());
            ExperimentManifest manifest = record.manifest();
            assertThat(manifest.status()).isIn(RunStatus.COMPLETE, RunStatus.INTERRUPTED, RunStatus.FAILED,
                    RunStatus.CANCELLED);
            if (manifest.status() == RunStatus.COMPLETE) {
                assertThat(record.runs()).extracting(RunRecord::folderName).isEqualTo(manifest.runFolders());
            }
            listed.add(DesktopProcess.LISTED + entry.folder().getFileName() + " " + manifest.status());
        }
        assertThat(shown).containsAll(listed);
        assertSessionIsReadable();
    }

    /// What a window that nobody kills shows.
    private List<String> list() throws Exception {
        Process window = start(DesktopProcess.Task.LIST, -1);
        List<String> said = new ArrayList<>();
        Thread reader = Thread.ofVirtual().start(() -> read(window, said::add));
        boolean ended = window.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        window.destroyForcibly().waitFor();
        reader.join();
        assertThat(ended).as(said + errors()).isTrue();
        assertThat(window.exitValue()).isZero();
        return said;
    }

    private void assertSessionIsReadable() throws Exception {
        Path settings = DesktopProcess.settings(workspace);
        Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(settings)) {
            values.load(reader);
        }
        assertThat(values).containsEntry("session-workspace", workspace.toString()).containsEntry("session-running",
                "false");
        Program program = program();
        new SpecReader(new Registries(program.schedulers(), program.backends(), program.targets()))
                .read(settings.resolveSibling("session.yaml"));
        try (Stream<Path> files = Files.list(settings.getParent())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("settings.properties", "session.yaml", "session.json", "windows");
        }
        assertThat(settings.resolveSibling("windows")).isEmptyDirectory();
    }

    private Program program() {
        return new Program(new Workspace(workspace), EnvironmentVariables.ofProcess(), HastyWorker.in(workspace));
    }

    private void cli(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(out, true, StandardCharsets.UTF_8);
        int exit = new Cli(
                new CommandLineWiring(EnvironmentVariables.ofProcess(), (folders, environment, plugins) -> program()),
                new Terminal(new ByteArrayInputStream(new byte[0]), both, both, false, false, 100))
                .execute(Stream.concat(Stream.of("--workspace", workspace.toString()), Stream.of(arguments))
                        .toArray(String[]::new));
        assertThat(exit).as(out.toString(StandardCharsets.UTF_8)).isZero();
    }
}
