package org.inferometer.run.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Lists the processes of the machine and reads what they hold. Thread-safe.
final class ProcessTable {
    private static final Path PROC = Path.of("/proc");
    private static final long TICK_NANOS = 10_000_000; // USER_HZ is 100 on every Linux that /proc shows.
    private static final int PARENT = 1;
    private static final int SESSION = 3;
    private static final int USER_TIME = 11;
    private static final int CHILDREN_SYSTEM_TIME = 14;
    private static final int START = 19;

    private ProcessTable() {}

    /// What the processes of a server use together.
    ///
    /// @param memoryBytes private pages of all, pages that forks share once, and the largest share of other shared and file pages
    /// @param cpuNanos CPU time so far, with that of children that have ended
    record Usage(long memoryBytes, long cpuNanos) {}

    /// All living processes of the machine; empty where the system does not list them.
    static Optional<List<Row>> rows() {
        if (!Files.isDirectory(PROC.resolve("self"))) {
            return Optional.empty();
        }
        List<Row> rows = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
            folders.forEach(folder -> row(Long.parseLong(folder.getFileName().toString())).ifPresent(rows::add));
        } catch (IOException | DirectoryIteratorException e) {
            return Optional.empty();
        }
        return Optional.of(rows);
    }

    /// When a process started, in ticks of the system; -1 where the system does not say, or if it has ended.
    static long startTicks(long pid) {
        return row(pid).map(row -> row.startTicks).orElse(-1L);
    }

    /// Whether a process runs: not one that has ended and waits to be collected.
    static boolean isAlive(long pid) {
        return Files.isDirectory(PROC.resolve("self")) ? row(pid).isPresent()
                : ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /// Private pages by process that others of the same server count too: after a fork both have all of them, until one writes. Takes
    /// the system tens of milliseconds for each 10 GB.
    static Map<Long, Long> repeatedBytes(Set<Long> members) {
        Map<Long, Long> repeated = new HashMap<>();
        for (long pid : members) {
            // Of a single process nothing is counted twice.
            repeated.put(pid, members.size() < 2 ? 0
                    : bytes(pid, "smaps_rollup", "Anonymous:") - bytes(pid, "smaps_rollup", "Pss_Anon:"));
        }
        return repeated;
    }

    /// What processes use; empty where the system does not say. Processes that have ended count nothing.
    ///
    /// @param repeated the processes, with their bytes of [#repeatedBytes]
    static Optional<Usage> usage(Map<Long, Long> repeated) {
        if (!Files.isDirectory(PROC.resolve("self"))) {
            return Optional.empty();
        }
        long own = 0;
        long shared = 0;
        long cpu = 0;
        boolean any = false;
        for (long pid : repeated.keySet()) {
            Optional<Row> row = row(pid);
            if (row.isEmpty()) {
                continue;
            }
            any = true;
            cpu += row.get().cpuNanos;
            own += Math.max(0, bytes(pid, "status", "RssAnon:") - repeated.getOrDefault(pid, 0L));
            shared = Math.max(shared, bytes(pid, "status", "RssFile:", "RssShmem:", "HugetlbPages:"));
        }
        return any ? Optional.of(new Usage(own + shared, cpu)) : Optional.empty();
    }

    /// A line of `/proc/PID/stat`.
    record Row(long pid, long parent, long session, long cpuNanos, long startTicks) {}

    /// Empty for a process that has ended, also for one that waits to be collected.
    private static Optional<Row> row(long pid) {
        // The name, in parentheses, may hold blanks, parentheses and line ends.
        String line = text(PROC.resolve(Long.toString(pid)).resolve("stat"));
        String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
        if (fields.length <= START || fields[0].equals("Z") || fields[0].equals("X")) {
            return Optional.empty();
        }
        long ticks = 0;
        for (int i = USER_TIME; i <= CHILDREN_SYSTEM_TIME; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return Optional.of(new Row(pid, Long.parseLong(fields[PARENT]), Long.parseLong(fields[SESSION]),
                ticks * TICK_NANOS, Long.parseLong(fields[START])));
    }

    /// Empty if the process has ended.
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /// The sum of lines of a file of a process, which are in kB; 0 without them.
    private static long bytes(long pid, String file, String... names) {
        long kilobytes = 0;
        for (String line : text(PROC.resolve(Long.toString(pid)).resolve(file)).split("\n")) {
            if (Arrays.stream(names).anyMatch(line::startsWith)) {
                kilobytes += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return kilobytes * 1024;
    }
}
