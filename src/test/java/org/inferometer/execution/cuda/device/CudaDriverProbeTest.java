package org.inferometer.execution.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CudaDriverProbeTest {
    @Test
    void aMissingDriverIsToldInOneSentence() {
        CudaReport report = new CudaDriverProbe("libno-such-driver.so.1").probe();
        assertThat(report).isEqualTo(new CudaReport(false,
                "No NVIDIA driver was found (libno-such-driver.so.1 cannot be loaded); install one, or use the host backend.",
                "", List.of()));
    }

    @Test
    void aLibraryThatIsNoDriverIsNotCalled() {
        assertThat(new CudaDriverProbe("libc.so.6").probe().reason())
                .startsWith("No NVIDIA driver was found (libc.so.6");
    }

    @Test
    void thisMachineIsProbedInSilence() {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream catcher = new PrintStream(printed, true, StandardCharsets.UTF_8);
        System.setOut(catcher);
        System.setErr(catcher);
        try {
            CudaReport report = new CudaDriverProbe().probe();
            assertThat(report.available()).isEqualTo(!report.devices().isEmpty());
            assertThat(report.reason()).endsWith(".");
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
