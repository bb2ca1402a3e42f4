package org.inferometer.ui.goals;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/// Memory of this process.
final class JavaHeap {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";
    private static final int COLLECTIONS = 3;
    private static final double MEBIBYTE = 1 << 20;

    private JavaHeap() {}

    /// Time in garbage collections since the process started.
    static long collectingMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
    }

    /// Heap in use after three collections, between which the JavaFX thread draws.
    static double usedMebibytes(MeasuredWindow window) throws InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) {
            window.probe().pulse(window.scene());
            System.gc();
        }
        return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / MEBIBYTE;
    }

    /// Memory of the process in RAM; empty where the system does not tell.
    static OptionalDouble residentMebibytes() {
        try {
            return Files.readAllLines(STATUS).stream().filter(line -> line.startsWith(RESIDENT))
                    .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0).findFirst();
        } catch (IOException notLinux) {
            return OptionalDouble.empty();
        }
    }
}
