package org.inferometer.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.inferometer.record.RunPlan;

/// One measured run in a process of its own, seen from outside: the plan goes in, frames come out.
///
/// Whoever started it closes it: a worker that nobody listens to would compute on beside whatever is measured next.
final class WorkerProcess implements AutoCloseable {
    private static final int LAST_LINES = 20;
    private static final int GRACE_SECONDS = 2;

    private final Process process;
    private final WorkerProtocol protocol = new WorkerProtocol();
    private final Writer input;
    private final Deque<String> lastWords = new ArrayDeque<>();
    private final Thread errorReader;

    /// Starts the worker and hands it the plan.
    ///
    /// @throws IOException when no process can be started
    WorkerProcess(WorkerCommand command, RunPlan plan) throws IOException {
        String order = protocol.line(plan);
        process = new ProcessBuilder(command.words()).start();
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        try {
            errorReader = Thread.ofPlatform().name("worker-errors").daemon().start(this::keepLastWords);
        } catch (OutOfMemoryError e) {
            process.destroyForcibly();
            throw e;
        }
        send(order);
    }

    /// Passes every frame on until the worker has ended; its exit code.
    int listen(Consumer<WorkerFrame> frames) throws IOException, InterruptedException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                frames.accept(frame(line));
            }
        }
        int exit = process.waitFor();
        errorReader.join();
        return exit;
    }

    private WorkerFrame frame(String line) {
        try {
            return protocol.frame(line);
        } catch (IllegalArgumentException e) {
            return new WorkerFrame.Log("info", line);
        }
    }

    /// Asks the worker to stop; kills it when it has not ended after a grace of two seconds. Blocks for as long; an interrupt ends the
    /// grace and is kept for the caller.
    void cancel() {
        send(WorkerProtocol.CANCEL);
        try {
            if (process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // By its handle: the process itself would close the pipes under whoever listens.
        process.toHandle().destroyForcibly();
    }

    /// Ends a worker that still runs, as [#cancel] does, and returns once it is gone.
    @Override
    public void close() {
        if (process.isAlive()) {
            cancel();
            process.onExit().join();
        }
    }

    /// The last lines that the worker wrote to its standard error.
    String lastWords() {
        synchronized (lastWords) {
            return String.join("\n", lastWords);
        }
    }

    private void send(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            // A worker that died before it could listen is reported by its exit code.
            keep("The worker no longer listens: " + e.getMessage());
        }
    }

    private void keepLastWords() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                keep(line);
            }
        } catch (IOException e) {
            keep(String.valueOf(e.getMessage()));
        }
    }

    private void keep(String line) {
        synchronized (lastWords) {
            lastWords.add(line);
            if (lastWords.size() > LAST_LINES) {
                lastWords.remove();
            }
        }
    }
}
