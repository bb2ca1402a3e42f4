package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    private static final String LEFT = ".writing-1-1700000000000-7.tmp";

    @Test
    void leftoversAreLookedForBesideTheFileOnly(@TempDir Path folder) throws IOException {
        Path beside = Files.createFile(folder.resolve(LEFT));
        Path below = Files.createFile(Files.createDirectory(folder.resolve("windows")).resolve(LEFT));
        new Settings(folder.resolve("settings.properties")).removeLeftovers();
        assertThat(beside).doesNotExist();
        assertThat(below).exists();
    }
}
