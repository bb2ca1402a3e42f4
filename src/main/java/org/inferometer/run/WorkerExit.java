package org.inferometer.run;

import java.util.Map;
import java.util.Optional;
import org.inferometer.record.RunStatus;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// The end of a worker.
///
/// @param code exit code; above 128 it is 128 plus the signal that killed the worker
/// @param finished the worker's own last message; absent if it died before
/// @param standardError the end of its standard error, without the JVM's warnings; may be empty
/// @param crash the JVM's own report; absent if it wrote none
public record WorkerExit(int code, WorkerFrame.@Nullable Finished finished, String standardError,
        @Nullable CrashReport crash) {
    private static final int FIRST_SIGNAL = 128;
    private static final int LONGEST_OUTPUT = 600;
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(Map.entry(1, "SIGHUP; its terminal was closed"),
            Map.entry(2, "SIGINT; another program stopped it"), Map.entry(3, "SIGQUIT; another program stopped it"),
            Map.entry(4, "SIGILL; native code is not made for this CPU"),
            Map.entry(6, "SIGABRT; the JVM or native code ended it"),
            Map.entry(7, "SIGBUS; a mapped file was truncated or its disk failed"),
            Map.entry(8, "SIGFPE; native code divided by zero"),
            Map.entry(9, "SIGKILL; the machine may be out of memory"), Map.entry(11, "SIGSEGV; native code crashed"),
            Map.entry(15, "SIGTERM; another program ended it"), Map.entry(24, "SIGXCPU; its CPU time is limited"),
            Map.entry(25, "SIGXFSZ; the size of its files is limited"));

    /// Whether the worker says that its run failed, or died.
    boolean failed() {
        return finished == null ? code != 0 : finished.status() == RunStatus.FAILED;
    }

    /// Why the run failed: the worker's own sentence, else the JVM's report, its standard error, or the signal.
    String cause() {
        String own = finished == null ? "" : finished.failure();
        if (!own.isEmpty()) {
            return own;
        }
        if (crash != null) {
            return crash.sentence();
        }
        if (!standardError.isEmpty()) {
            return "The worker failed: " + OneLine.of(standardError, LONGEST_OUTPUT) + " ("
                    + signal().map(words -> "killed by " + words).orElse("exit code " + code) + ")";
        }
        return signal().map(words -> "The worker was killed (" + words + ").")
                .orElse("The worker ended with exit code " + code + ".");
    }

    private Optional<String> signal() {
        int signal = code - FIRST_SIGNAL;
        return signal <= 0 ? Optional.empty() : Optional.of(SIGNALS.getOrDefault(signal, "signal " + signal));
    }
}
