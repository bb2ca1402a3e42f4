package org.inferometer.benchmark;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The command that starts a worker: the same Java, the same class path, without the desktop.
///
/// @param words program and arguments
public record WorkerCommand(List<String> words) {
    /// The worker of the running program.
    ///
    /// @param mainClass the program's main class
    public static WorkerCommand ofThisProgram(String mainClass) {
        Path java = Path.of(System.getProperty("java.home"), "bin", File.separatorChar == '\\' ? "java.exe" : "java");
        String classPath = System.getProperty("java.class.path");
        List<String> words = new ArrayList<>(List.of(java.toString()));
        words.addAll(archive(classPath));
        words.addAll(List.of(
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                // Room for the garbage of a whole run of usual length, so that no collection falls into it.
                "-Xmn256m",
                "-XX:MaxRAMPercentage=60",
                "-Djava.awt.headless=true",
                "-cp",
                classPath,
                mainClass,
                "worker"));
        return new WorkerCommand(List.copyOf(words));
    }

    /// Classes of the last worker, kept beside the program, which halve the next one's start. The JVM makes the archive anew where it
    /// does not fit, and does without it where it cannot; only jars can be archived.
    private static List<String> archive(String classPath) {
        Path program = Path.of(classPath.split(Pattern.quote(File.pathSeparator), 2)[0]).toAbsolutePath();
        Path folder = program.getParent();
        if (!program.toString().endsWith(".jar") || folder == null || !Files.isWritable(folder)) {
            return List.of();
        }
        return List.of(
                "-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + folder.resolve("inferometer-worker.jsa"), "-Xlog:cds=off",
                "-Xlog:cds+dynamic=off");
    }
}
