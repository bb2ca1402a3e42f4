package org.inferometer.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.inferometer.record.RunStatus;

/// A worker process that measures nothing: it says its process number on its first line and then behaves as asked.
final class ScriptedWorker {
    /// What it does with commands.
    enum Manner {
        /// Ends before any comes.
        HASTY,
        /// Ends when it is cancelled.
        OBEDIENT,
        /// Hears none, and goes on until its parent is gone.
        DEAF,
        /// Ends its run with a sentence and without a record.
        REFUSING,
        /// Ends with lines on its standard error.
        CRASHING
    }

    private ScriptedWorker() {}

    /// @param arguments the manner
    public static void main(String[] arguments) throws IOException {
        Manner manner = Manner.valueOf(arguments[0]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Objects.requireNonNull(lines.readLine(), "A plan comes first.");
        System.out.println(ProcessHandle.current().pid());
        switch (manner) {
            case REFUSING -> System.out.println(
                    new WorkerProtocol().line(new WorkerFrame.Finished(RunStatus.FAILED, "The engine is damaged.")));
            case CRASHING -> {
                System.err.println("WARNING: Using incubator modules: jdk.incubator.vector");
                System.err.println("WARNING: A restricted method in java.lang.System has been called");
                System.err.println();
                System.err.println("WARNING: The clock is coarse.");
                System.err.println("Error: Could not find the main class.");
                System.exit(1);
            }
            case HASTY, OBEDIENT, DEAF -> {}
        }
        for (String line = ""; line != null && (manner == Manner.OBEDIENT || manner == Manner.DEAF); line =
                lines.readLine()) {
            if (manner == Manner.OBEDIENT && line.equals(WorkerProtocol.CANCEL)) {
                return;
            }
        }
    }

    /// Starts one.
    static List<String> command(Manner manner) {
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("java.class.path"), ScriptedWorker.class.getName(), manner.name());
    }

    /// The process that said this frame.
    static long pid(WorkerFrame frame) {
        return Long.parseLong(((WorkerFrame.Log) frame).message());
    }

    /// Whether that process still runs.
    static boolean lives(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
