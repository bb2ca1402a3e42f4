package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A stand-in for NVIDIA's management library, compiled on the spot; without a C compiler its tests are skipped.
public final class FakeNvml {
    private FakeNvml() {}

    /// Builds the library into a folder.
    ///
    /// @param defines variants, see the source
    public static String build(Path folder, String... defines) throws IOException, InterruptedException {
        assumeTrue(System.getProperty("os.name").startsWith("Linux"), "the stand-in library is built on Linux only");
        Path source = folder.resolve("fake_nvml.c");
        try (InputStream text = FakeNvml.class.getResourceAsStream("/nvml/fake_nvml.c")) {
            Files.write(source, text.readAllBytes());
        }
        Path library = folder.resolve("fake-nvml-" + String.join("-", defines) + ".so");
        List<String> command =
                new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString()));
        for (String define : defines) {
            command.add("-D" + define);
        }
        int code;
        try {
            code = new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException missing) {
            assumeTrue(false, "gcc is not installed, so the stand-in library cannot be built");
            return "";
        }
        assertThat(code).as("gcc").isZero();
        return library.toString();
    }
}
