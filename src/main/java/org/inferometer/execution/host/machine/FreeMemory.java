package org.inferometer.execution.host.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// Memory that this process can still allocate.
public final class FreeMemory {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final Path CGROUP = Path.of("/sys/fs/cgroup");

    private FreeMemory() {}

    /// Physical memory available without swapping, within the container's limit. Empty
    /// if the system does not report it.
    public static OptionalLong physical() {
        return physical(MEMINFO, CGROUP);
    }

    public static OptionalLong physical(Path meminfo, Path cgroup) {
        OptionalLong available = field(meminfo, "MemAvailable:", 1024);
        OptionalLong limit = number(cgroup.resolve("memory.max"));
        OptionalLong used = number(cgroup.resolve("memory.current"));
        if (limit.isEmpty() || used.isEmpty()) {
            return available;
        }
        // The system evicts file pages before it enforces the limit; mapped packed weights of earlier runs count as active.
        Path statistics = cgroup.resolve("memory.stat");
        long reclaimable =
                field(statistics, "inactive_file", 1).orElse(0) + field(statistics, "active_file", 1).orElse(0);
        long left = Math.max(0, limit.getAsLong() - used.getAsLong() + reclaimable);
        return OptionalLong.of(Math.min(left, available.orElse(Long.MAX_VALUE)));
    }

    /// Free Java heap, growth included.
    public static long heap() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    }

    private static OptionalLong field(Path file, String name, long unit) {
        try {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length >= 2 && words[0].equals(name)) {
                    return OptionalLong.of(Long.parseLong(words[1]) * unit);
                }
            }
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }

    private static OptionalLong number(Path file) {
        try {
            return OptionalLong.of(Long.parseLong(Files.readString(file).strip()));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
