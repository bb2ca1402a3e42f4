package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnfinishedFolderTest {
    @TempDir
    Path folder;

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwx------", "rwxr-x---", "rwxrwxrwx"})
    @DisabledOnOs(OS.WINDOWS)
    void anEmptyFolderKeepsItsRights(String rights) throws IOException {
        Path target = Files.createDirectory(folder.resolve("target"));
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(rights));
        try (UnfinishedFolder unfinished = UnfinishedFolder.beside(target)) {
            assertThat(rights(unfinished.content())).as("while it is written").isEqualTo(rights);
        }
        UnfinishedFolder.write(target, Map.of("a.csv", new byte[]{1}));
        assertThat(rights(target)).isEqualTo(rights);
        assertThat(target.resolve("a.csv")).hasBinaryContent(new byte[]{1});
    }
}
