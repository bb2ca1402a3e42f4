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
    void oneAtATimeHoldsIt() throws IOException {
        Path file = folder.resolve("measuring.lock");
        try (MachineLock first = MachineLock.tryTake(file).orElseThrow()) {
            assertThat(MachineLock.tryTake(file)).isEmpty();
            assertThat(first).isNotNull();
        }
        try (MachineLock second = MachineLock.tryTake(file).orElseThrow()) {
            assertThat(second).isNotNull();
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void everyUserMayLockWhatTheFirstMade() throws IOException {
        Path file = folder.resolve("measuring.lock");
        MachineLock.tryTake(file).orElseThrow().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-rw-rw-");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void theRightsOfAFileThatIsThereAreItsMakersAffair() throws IOException {
        Path file = Files.createFile(folder.resolve("measuring.lock"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        MachineLock.tryTake(file).orElseThrow().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-r-----");
    }

    @Test
    void whatCannotBeOpenedIsNamedWithItsPurposeAndAWayOut() throws IOException {
        Path file = Files.createDirectory(folder.resolve("measuring.lock"));
        assertThatThrownBy(() -> MachineLock.tryTake(file)).isInstanceOf(IOException.class)
                .hasMessageMatching("The file that keeps two experiments on this machine apart, \\Q" + file
                        + "\\E, cannot be opened \\(.+\\)\\. "
                        + "If another user's program left it, let that user or an administrator remove it\\.");
    }
}
