package org.inferometer.telemetry;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.inferometer.units.Clock;

/// A stand-in for nvidia-smi: a shell script whose answers a test gives.
public final class FakeSmi {
    /// Two cards as the driver's tool tells of them; the second is divided and tells little.
    static final String CARDS = """
            0, GPU-aa, NVIDIA L4, 550.54.15, 23034, 8.9, 72.00, 00000000:00:03.0, 1, 16, 4, 16, Enabled, Disabled, Enabled, Disabled, 72.00, 2040, 6251
            1, GPU-bb, NVIDIA A100-SXM4-40GB, 550.54.15, 40960, 8.0, [N/A], 00000000:00:04.0, 4, 16, 4, 16, Enabled, Enabled, Disabled, [Not Supported], [N/A], 1410, 1215
            """;
    static final String SAMPLE = "512, 87, 61.25, 1980, 64, 0x0000000000000004, 41, 6251";

    private FakeSmi() {}

    /// The way to two cards that only the tool tells of.
    public static GpuAccess access(Path folder, Clock clock) throws IOException {
        return new GpuAccess(List.of("libno-such-nvml.so"), usual(folder), folder, clock);
    }

    /// A tool that answers what is asked of cards, processes and readings, and repeats the readings when it is to loop.
    static SmiCommand usual(Path folder) throws IOException {
        return script(folder, 10_000, """
                case "$*" in
                *clocks_event_reasons.active*) echo 'Field "clocks_event_reasons.active" is not a valid field to query.'; exit 2 ;;
                *--query-compute-apps*) printf '4711, 300\\n4712, [N/A]\\nnonsense\\n' ;;
                *-lms*) while :; do echo '%s'; sleep 0.05; done ;;
                *utilization*) echo '%s' ;;
                *) printf '%%s' '%s' ;;
                esac
                """.formatted(SAMPLE, SAMPLE, CARDS));
    }

    /// A tool that is this shell script.
    static SmiCommand script(Path folder, long limitMillis, String script) throws IOException {
        assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "the stand-in is a shell script");
        Path file = Files.createTempFile(folder, "nvidia-smi", "");
        Files.writeString(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return new SmiCommand(file, limitMillis);
    }
}
