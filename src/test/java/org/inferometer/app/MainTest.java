package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @Test
    void commandsStartWithoutTheVectorModule(@TempDir Path workspace) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process =
                new ProcessBuilder(java, "-XX:TieredStopAtLevel=1", "-Xmx256m", "--enable-native-access=ALL-UNNAMED",
                        "-cp", System.getProperty("java.class.path"), Main.class.getName(), "--workspace",
                        workspace.toString(), "results", "list").redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output).isEqualTo(
                "No results in " + workspace.resolve("results") + ". Make one with \"inferometer run quick\"." + "\n");
        assertThat(process.waitFor()).isZero();
    }
}
