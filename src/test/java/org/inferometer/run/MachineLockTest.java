package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineLockTest {
    @TempDir
    Path folder;

    @Test
    void oneAtATimeHoldsIt() throws IOException, RunFailure {
        Path file = folder.resolve("measuring.lock");
        try (MachineLock first = MachineLock.take(file)) {
            assertThatThrownBy(() -> MachineLock.take(file)).isInstanceOf(RunFailure.class)
                    .hasMessageMatching("Another experiment is running on this machine \\(process "
                            + ProcessHandle.current().pid() + ", since \\d\\d:\\d\\d\\)\\. Wait, or stop it\\.");
            assertThat(first).isNotNull();
        }
        try (MachineLock second = MachineLock.take(file)) {
            assertThat(second).isNotNull();
        }
    }

    @Test
    void firstExperimentOfAWorkspaceMakesItsFolder() throws IOException, RunFailure {
        Path file = folder.resolve("new-workspace").resolve("measuring.lock");
        MachineLock.take(file).close();
        assertThat(file).isRegularFile();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void everyUserMayLockWhatTheFirstMade() throws IOException, RunFailure {
        Path file = folder.resolve("measuring.lock");
        MachineLock.take(file).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-rw-rw-");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void theRightsOfAFileThatIsThereAreItsMakersAffair() throws IOException, RunFailure {
        Path file = Files.createFile(folder.resolve("measuring.lock"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        MachineLock.take(file).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-r-----");
    }

    @Test
    void workerKeepsTheLockOfItsKilledExperiment() throws Exception {
        Path file = folder.resolve("measuring.lock");
        MachineLock experiment = MachineLock.take(file);
        try (MachineLock worker = MachineLock.takeForWorker(file)) {
            experiment.close();
            assertThat(worker).isNotNull();
            assertThatThrownBy(() -> MachineLock.take(file)).isInstanceOf(RunFailure.class).hasMessageMatching(
                    "A worker whose experiment was killed is still measuring on this machine \\(process "
                            + ProcessHandle.current().pid() + ", since \\d\\d:\\d\\d\\)\\. Wait, or stop it\\.");
        }
        MachineLock.take(file).close();
    }

    @Test
    void workerOfADeadExperimentMeasuresNothing() {
        WorkerReservation orphan =
                new WorkerReservation(Long.MAX_VALUE, List.of(folder.resolve("measuring.lock").toString()));
        assertThatThrownBy(orphan::hold).isInstanceOf(RunFailure.class).hasMessage(
                "The experiment (process " + Long.MAX_VALUE + ") ended before its worker began. Nothing was measured.");
    }

    @Test
    void anyTextInTheFileIsHarmless() throws Exception {
        Path file = folder.resolve("measuring.lock");
        try (MachineLock first = MachineLock.take(file)) {
            assertThat(first).isNotNull();
            Files.writeString(file, "\u001b[2J -9 999999999999999999999999");
            assertThatThrownBy(() -> MachineLock.take(file))
                    .hasMessage("Another experiment is running on this machine. Wait, or stop it.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mkfifo measuring.lock", "ln -s other measuring.lock", "mkdir measuring.lock",
            "mknod measuring.lock c 1 5"})
    @EnabledOnOs(OS.LINUX)
    @Timeout(2)
    void anythingButARegularFileIsRefusedAtOnce(String command) throws Exception {
        Process made = new ProcessBuilder("sh", "-c", command).directory(folder.toFile()).start();
        assumeTrue(made.waitFor() == 0, "A device needs an administrator.");
        Path file = folder.resolve("measuring.lock");
        String sentence = "The lock file " + file + " cannot be opened (not a regular file). "
                + "It keeps two experiments on this machine apart. Let its owner or an administrator remove it.";
        assertThatThrownBy(() -> MachineLock.take(file)).isInstanceOf(IOException.class).hasMessage(sentence);
        assertThatThrownBy(() -> MachineLock.takeForWorker(file)).isInstanceOf(IOException.class).hasMessage(sentence);
    }

    @Test
    void whatCannotBeOpenedIsNamedWithItsPurposeAndAWayOut() throws IOException, RunFailure {
        Path file = Files.createDirectory(folder.resolve("measuring.lock"));
        assertThatThrownBy(() -> MachineLock.take(file)).isInstanceOf(IOException.class)
                .hasMessageMatching("The lock file \\Q" + file + "\\E cannot be opened \\(.+\\)\\. "
                        + "It keeps two experiments on this machine apart\\. Let its owner or an administrator remove it\\.");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void removedFileIsLockedAgainBeforeTheNextRun() throws IOException, RunFailure {
        Path file = folder.resolve("measuring.lock");
        MachineLock first = MachineLock.take(file);
        Files.delete(file);
        try (MachineLock again = first.kept()) {
            assertThat(again.kept()).isSameAs(again);
            assertThatThrownBy(() -> MachineLock.take(file)).isInstanceOf(RunFailure.class)
                    .hasMessageStartingWith("Another experiment is running on this machine");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void runBesideAnExperimentWithANewFileIsFailed() throws IOException, RunFailure {
        Path file = folder.resolve("measuring.lock");
        try (MachineLock first = MachineLock.take(file)) {
            Files.delete(file);
            MachineLock.take(file).close();
            assertThatThrownBy(first::kept).isInstanceOf(RunFailure.class)
                    .hasMessage("The lock file " + file + " was replaced during the measurement. Another experiment "
                            + "may have run at the same time. Leave the file in place and repeat the run.");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void anotherFileDuringTheRunIsNoticedAlsoIfItIsGone() throws IOException, RunFailure {
        Path file = folder.resolve("measuring.lock");
        Path aside = folder.resolve("aside");
        try (MachineLock first = MachineLock.take(file)) {
            Files.move(file, aside);
            MachineLock.take(file).close();
            first.look();
            Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
            assertThatThrownBy(first::kept).isInstanceOf(RunFailure.class)
                    .hasMessageStartingWith("The lock file " + file + " was replaced during the measurement.");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aWorkspaceThatVanishedIsNotMadeAgain() throws IOException, RunFailure {
        Path workspace = folder.resolve("workspace");
        Path file = workspace.resolve("measuring.lock");
        String sentence = "The folder " + workspace
                + " was moved or deleted during the measurement. Leave it in place until the experiment has ended.";
        try (MachineLock first = MachineLock.take(file)) {
            Files.move(workspace, folder.resolve("renamed"));
            assertThatThrownBy(first::kept).isInstanceOf(RunFailure.class).hasMessage(sentence);
            assertThatThrownBy(() -> MachineLock.takeForWorker(file)).isInstanceOf(RunFailure.class)
                    .hasMessage(sentence);
        }
        assertThat(workspace).doesNotExist();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fileWithASecondNameIsNotOverwritten() throws IOException {
        Path diary = Files.writeString(folder.resolve("diary"), "mine");
        Path file = Files.createLink(folder.resolve("measuring.lock"), diary);
        assertThatThrownBy(() -> MachineLock.take(file)).isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be opened (it has a second name)");
        assertThatThrownBy(() -> MachineLock.takeForWorker(file)).isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be opened (it has a second name)");
        assertThat(diary).hasContent("mine");
    }
}
