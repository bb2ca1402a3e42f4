package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

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
    void whatCannotBeOpenedIsNamedWithItsPurposeAndAWayOut() throws IOException, RunFailure {
        Path file = Files.createDirectory(folder.resolve("measuring.lock"));
        assertThatThrownBy(() -> MachineLock.take(file)).isInstanceOf(IOException.class)
                .hasMessageMatching("The lock file \\Q" + file + "\\E cannot be opened \\(.+\\)\\. "
                        + "It keeps two experiments on this machine apart\\. Let its owner or an administrator remove it\\.");
    }
}
