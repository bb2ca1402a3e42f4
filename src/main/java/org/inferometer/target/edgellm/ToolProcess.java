package org.inferometer.target.edgellm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One process of a tool, with the end of what it says.
///
/// Two threads read its outputs, so that it never waits for a reader; each keeps the last 64 KiB.
final class ToolProcess {
    private static final long LAST_WORDS_MILLIS = 500;
    private static final long DEATH_SECONDS = 10;

    private final Process process;
    private final OutputTail output = new OutputTail();
    private final OutputTail errors = new OutputTail();
    private final List<Thread> readers;

    private ToolProcess(Process process) {
        this.process = process;
        this.readers = List.of(reading(process.getInputStream(), output), reading(process.getErrorStream(), errors));
    }

    /// Starts a program, without a shell.
    ///
    /// @param workingFolder where it runs; this process's own where it is absent
    /// @param whenEnded called once from some thread when it has ended, for whatever reason
    /// @throws IOException when it cannot be started
    static ToolProcess start(List<String> command, @Nullable Path workingFolder, Consumer<ToolProcess> whenEnded)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        if (workingFolder != null) {
            builder.directory(workingFolder.toFile());
        }
        Process process = builder.start();
        ToolProcess started = new ToolProcess(process);
        closeInput(process);
        process.onExit().thenRun(() -> whenEnded.accept(started));
        return started;
    }

    /// A tool that asks something gets the end of its input, not a wait.
    private static void closeInput(Process process) throws IOException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /// The exit status of a process that has ended.
    int status() {
        return process.exitValue();
    }

    /// The last line that it wrote on its error output, else on its output; empty when it said nothing.
    String lastLine() {
        for (Thread reader : readers) {
            try {
                // A child that outlives the tool may hold the pipe open for ever.
                reader.join(LAST_WORDS_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        String last = errors.lastLine();
        return last.isEmpty() ? output.lastLine() : last;
    }

    /// Ends it and its children at once, and waits until it is gone.
    ///
    /// @return whether it is gone
    boolean kill() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        for (ProcessHandle child : children) {
            // Those that came since the list was made.
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly();
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor(DEATH_SECONDS, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Thread reading(InputStream from, OutputTail tail) {
        Thread reader = new Thread(() -> tail.drain(from), "edgellm-output");
        reader.setDaemon(true);
        reader.start();
        return reader;
    }
}
