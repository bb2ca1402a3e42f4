package org.inferometer.run;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command that starts a worker: the same Java, the same class path, without the desktop.
///
/// @param words program and arguments
public record WorkerCommand(List<String> words) {
    /// The worker of the running program.
    ///
    /// @param mainClass the program's main class
    public static WorkerCommand ofThisProgram(String mainClass) {
        Path java = Path.of(System.getProperty("java.home"), "bin", File.separatorChar == '\\' ? "java.exe" : "java");
        List<String> words = new ArrayList<>(List.of(java.toString(), "--add-modules", "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC",
                // Room for the garbage of a whole run of usual length, so that no collection falls into it.
                "-Xmn256m", "-XX:MaxRAMPercentage=60", "-Djava.awt.headless=true", "-cp",
                System.getProperty("java.class.path"), mainClass, "worker"));
        return new WorkerCommand(List.copyOf(words));
    }
}
