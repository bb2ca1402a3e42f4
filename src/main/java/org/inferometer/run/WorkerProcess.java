package org.inferometer.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A worker process on this machine: an order goes in, frames come out. The caller closes it, so that no worker outlives its experiment.
final class WorkerProcess implements RunHost.Session {
    private static final int LAST_LINES = 20;
    private static final int GRACE_SECONDS = 2;

    private final Process process;
    private final WorkerProtocol protocol = new WorkerProtocol();
    private final Writer input;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Thread errorReader;

    /// Starts the worker and sends it the order.
    ///
    /// @throws IOException when no process can be started
    WorkerProcess(List<String> command, WorkerProtocol.Order order) throws IOException {
        process = new ProcessBuilder(command).start();
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        try {
            errorReader = Thread.ofPlatform().name("worker-errors").daemon().start(this::readErrors);
        } catch (OutOfMemoryError e) {
            process.destroyForcibly();
            throw e;
        }
        send(protocol.line(order));
    }

    @Override
    public RunHost.WorkerExit listen(Consumer<WorkerFrame> frames) throws IOException, InterruptedException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                frames.accept(frame(line));
            }
        }
        int code = process.waitFor();
        errorReader.join();
        synchronized (lastLines) {
            return new RunHost.WorkerExit(code, String.join("\n", lastLines));
        }
    }

    private WorkerFrame frame(String line) {
        try {
            return protocol.frame(line);
        } catch (IllegalArgumentException e) {
            return new WorkerFrame.Log("info", line);
        }
    }

    @Override
    public void cancel() {
        send(WorkerProtocol.CANCEL);
        try {
            if (process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // By its handle: the process itself would close the pipes under the listener.
        process.toHandle().destroyForcibly();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            cancel();
            process.onExit().join();
        }
    }

    private void send(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            // A worker that died before it could listen is reported by its exit code.
            keep("The worker closed its input: " + e.getMessage());
        }
    }

    private void readErrors() {
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
        synchronized (lastLines) {
            if (line.startsWith("WARNING: ")) {
                // The JVM's own, of incubator modules and native access.
                return;
            }
            lastLines.add(line);
            if (lastLines.size() > LAST_LINES) {
                lastLines.remove();
            }
        }
    }
}
