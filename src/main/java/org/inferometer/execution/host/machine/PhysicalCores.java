package org.inferometer.execution.host.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/// Counts the cores a lane's threads may use; two hardware threads of one core count once.
public final class PhysicalCores {
    private static final Path LINUX_CPUS = Path.of("/sys/devices/system/cpu");

    private PhysicalCores() {}

    /// Physical cores, at most the processors this process may use.
    public static int count() {
        return count(LINUX_CPUS, Runtime.getRuntime().availableProcessors());
    }

    /// @param cpus folder with `cpuN/topology/thread_siblings_list`; without such files every processor counts
    public static int count(Path cpus, int available) {
        Set<String> cores = new HashSet<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(cpus, "cpu[0-9]*")) {
            for (Path folder : folders) {
                Path siblings = folder.resolve("topology").resolve("thread_siblings_list");
                if (Files.isReadable(siblings)) {
                    cores.add(Files.readString(siblings).strip());
                }
            }
        } catch (IOException e) {
            return available;
        }
        return cores.isEmpty() ? available : Math.min(cores.size(), available);
    }
}
