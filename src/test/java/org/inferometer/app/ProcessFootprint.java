package org.inferometer.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a Java process holds at an instant.
///
/// @param sockets open ones
/// @param descriptors others by what they lead to, without jars, which class loaders open once
/// @param threads by name, without those of Java itself that come and go
/// @param residentBytes of the process
/// @param instances reachable ones by class
/// @param liveBytes of all of them
record ProcessFootprint(int sockets, Map<String, Long> descriptors, Map<String, Long> threads, long residentBytes,
        Map<String, Long> instances, long liveBytes) {
    // Files that are open for an instant are not open at each look.
    private static final int LOOKS = 20;
    private static final List<String> PASSING =
            List.of("C1 ", "C2 ", "GC Thread", "G1 ", "ForkJoinPool", "process reaper");

    /// Collects the garbage of a process and looks at the rest. Linux, and a Java of this user.
    static ProcessFootprint of(long pid) throws IOException, InterruptedException {
        Map<String, Long> instances = new HashMap<>();
        long liveBytes = 0;
        for (String line : histogram(pid)) {
            String[] columns = line.strip().split("\\s+");
            if (columns.length >= 4 && columns[0].endsWith(":")) {
                instances.merge(columns[3], Long.parseLong(columns[1]), Long::sum);
            } else if (columns.length == 3 && columns[0].equals("Total")) {
                liveBytes = Long.parseLong(columns[2]);
            }
        }
        Path process = Path.of("/proc", Long.toString(pid));
        Map<String, Long> descriptors = descriptors(process);
        for (int look = 1; look < LOOKS; look++) {
            Map<String, Long> again = descriptors(process);
            descriptors.replaceAll((kind, count) -> Math.min(count, again.getOrDefault(kind, 0L)));
        }
        int sockets = descriptors.getOrDefault("socket", 0L).intValue();
        descriptors.remove("socket");
        descriptors.values().removeIf(count -> count == 0);
        return new ProcessFootprint(sockets, descriptors, threads(process), residentBytes(process), instances,
                liveBytes);
    }

    /// What grew by more than `most`.
    static Map<String, Long> growth(Map<String, Long> first, Map<String, Long> last, long most) {
        return last.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), entry.getValue() - first.getOrDefault(entry.getKey(), 0L)))
                .filter(entry -> entry.getValue() > most)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum, TreeMap::new));
    }

    private static List<String> histogram(long pid) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", Long.toString(pid), "GC.class_histogram")
                .redirectErrorStream(true).start();
        List<String> lines = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        if (jcmd.waitFor() != 0) {
            throw new IOException("No histogram of process " + pid + ": " + lines);
        }
        return lines;
    }

    private static Map<String, Long> descriptors(Path process) throws IOException {
        List<String> kinds = new ArrayList<>();
        try (Stream<Path> all = Files.list(process.resolve("fd"))) {
            for (Path descriptor : all.toList()) {
                try {
                    String to = Files.readSymbolicLink(descriptor).toString();
                    if (!to.endsWith(".jar")) {
                        kinds.add(to.replaceFirst(":\\[.*", ""));
                    }
                } catch (NoSuchFileException e) {
                    // Closed since it was listed.
                }
            }
        }
        return counted(kinds);
    }

    private static Map<String, Long> threads(Path process) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> all = Files.list(process.resolve("task"))) {
            for (Path thread : all.toList()) {
                try {
                    names.add(Files.readString(thread.resolve("comm")).strip());
                } catch (IOException e) {
                    // Ended since it was listed.
                }
            }
        }
        names.removeIf(name -> PASSING.stream().anyMatch(name::startsWith));
        return counted(names);
    }

    private static long residentBytes(Path process) throws IOException {
        return Files.readAllLines(process.resolve("status")).stream().filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10).findFirst().orElse(0);
    }

    private static Map<String, Long> counted(List<String> names) {
        return names.stream().collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }
}
