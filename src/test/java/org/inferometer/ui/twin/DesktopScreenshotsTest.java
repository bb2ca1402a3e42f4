package org.inferometer.ui.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The walk ends its process with a status, so it runs in one of its own.
class DesktopScreenshotsTest {
    private static final String LOOK = "1280x720-light";

    @TempDir
    Path folder;

    @Test
    void aBrokenWalkEndsWithTwo() throws Exception {
        // A file where the first step makes a folder.
        Files.writeString(folder.resolve("workspace-" + LOOK), "");

        assertThat(walk(LOOK)).startsWith("2\n").contains("A step failed");
    }

    @Test
    void aSizeThatDoesNotExistEndsWithTwo() throws Exception {
        assertThat(walk("640x480")).startsWith("2\n").contains("No size of the pictures is 640x480.");
    }

    private String walk(String size) throws IOException, InterruptedException {
        Path printed = folder.resolve("printed.txt");
        Process walk = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dglass.platform=Headless", "-Dprism.order=sw", "-Djava.awt.headless=true", "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                DesktopScreenshots.class.getName(), folder.toString(), size, "timeline")).redirectErrorStream(true)
                .redirectOutput(printed.toFile()).start();
        try {
            assertThat(walk.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            walk.destroyForcibly();
        }
        return walk.exitValue() + "\n" + Files.readString(printed);
    }
}
