package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.options.Selection;
import org.inferometer.record.PlannedSubject;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashReportTest {
    private static final PlannedSubject ENGINE =
            SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("nowhere")).subject();

    @TempDir
    Path folder;

    @Test
    void busErrorNamesTheEngine() throws IOException {
        assertThat(sentence("#\n#  SIGBUS (0x7) at pc=0x0, pid=1, tid=2\n", ENGINE))
                .isEqualTo("The worker crashed (SIGBUS): a file in /home/measurer/engines/tiny-fp8 was truncated while "
                        + "it was mapped, or its disk failed. Check it with \"inferometer engines verify tiny-fp8\", or "
                        + "build the engine again. Details: " + folder.resolve("crash.log") + ".");
    }

    @Test
    void busErrorOfATargetPointsToTheDisks() throws IOException {
        assertThat(sentence("#  SIGBUS (0x7) at pc=0x0, pid=1\n", new PlannedTarget(Selection.of("null")))).startsWith(
                "The worker crashed (SIGBUS): a mapped file was truncated or its disk failed. Check the disks. ");
    }

    @Test
    void otherSignalsNameTheFrame() throws IOException {
        assertThat(sentence("#  SIGSEGV (0xb) at pc=0x0, pid=1\n# Problematic frame:\n# C  [libdnnl.so+0x1]\n", ENGINE))
                .startsWith(
                        "The worker's JVM crashed (SIGSEGV) in C [libdnnl.so+0x1]. Check the memory and the drivers ");
    }

    @Test
    void missingMemoryIsNoCrash() throws IOException {
        assertThat(sentence("# There is insufficient memory for the Java Runtime Environment to continue.\n", ENGINE))
                .startsWith("The worker's JVM got no more memory from the system. Lower the KV memory ");
    }

    @Test
    void withoutAFileThereIsNoReport() {
        assertThat(CrashReport.read(folder.resolve("crash.log"), ENGINE, folder)).isEmpty();
    }

    private String sentence(String head, PlannedSubject subject) throws IOException {
        Path file = Files.writeString(folder.resolve("crash.log"), head);
        return CrashReport.read(file, subject, folder).orElseThrow().sentence();
    }
}
