package org.inferometer.target.edgellm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A process of a tool, and the end of its output.
///
/// Two threads read its outputs, so that it never blocks; each keeps the last 64 KiB.
final class ToolProcess {
    private static final long OUTPUT_MILLIS = 500;
    private static final long KILL_SECONDS = 10;

    private final Process process;
    private final OutputTail output = new OutputTail();
    private final OutputTail errors = new OutputTail();
    private final List<Thread> readers;

    private ToolProcess(Process process) {
        this.process = process;
        this.readers = List.of(reading(process.getInputStream(), output), reading(process.getErrorStream(), errors));
    }

    /// Starts a program without a shell.
    ///
    /// @param workingFolder of the process; absent for this process's own
    /// @param whenEnded called once, from any thread, when it has ended
    /// @throws IOException if it cannot be started
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

    /// Closes the input, so that a tool that reads it does not block.
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

    /// The last line of its error output, else of its output; empty without any.
    String lastLine() {
        for (Thread reader : readers) {
            try {
                // A surviving child process may keep the pipe open.
                reader.join(OUTPUT_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        String last = errors.lastLine();
        return last.isEmpty() ? output.lastLine() : last;
    }

    /// Kills the process and its children and waits for its end.
    ///
    /// @return whether it has ended
    boolean kill() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        for (ProcessHandle child : children) {
            // Children started after the list was made.
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly();
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
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
