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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.inferometer.units.FileFault;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;

/// A worker process on this machine: an order goes in, frames come out. The caller closes it, so that no worker outlives its experiment.
final class WorkerProcess implements RunHost.Session {
    private static final int LAST_LINES = 20;
    private static final int GRACE_SECONDS = 2;
    // Of incubator modules, native access and the environment; warnings of this program and failed allocations stay.
    private static final Pattern JVM_WARNING = Pattern.compile("^WARNING: (Using incubator module"
            + "|A (restricted|terminally deprecated) method|.* has been called by |Use --|Restricted methods will be blocked"
            + "|Please consider reporting|.* will be removed in a future release)"
            + "|Picked up _?(JAVA|JDK_JAVA)_(TOOL_)?OPTIONS: |VM warning: (?!INFO: os::)|^\\s+at |^\\s+\\.\\.\\. \\d+ more");

    private final Process process;
    private final WorkerProtocol protocol = new WorkerProtocol();
    private final Writer input;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Thread errorReader;
    private final Supplier<Optional<CrashReport>> crash;
    private final UnaryOperator<String> mask;
    private WorkerFrame.@Nullable Finished finished;
    private @Nullable Consumer<WorkerFrame> log;

    /// Starts the worker and sends it the order.
    ///
    /// @param variables added to its environment
    /// @param mask removes secrets from its error output
    /// @param crash reads the report of a crashed JVM
    /// @throws IOException when no process can be started
    WorkerProcess(List<String> command, Map<String, String> variables, UnaryOperator<String> mask,
            WorkerProtocol.Order order, Supplier<Optional<CrashReport>> crash) throws IOException {
        this.mask = mask;
        this.crash = crash;
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(variables);
        process = builder.start();
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
    public WorkerExit listen(Consumer<WorkerFrame> frames) throws IOException, InterruptedException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            synchronized (lastLines) {
                log = frames;
                lastLines.forEach(line -> frames.accept(logged(line)));
            }
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                WorkerFrame frame = frame(line);
                finished = frame instanceof WorkerFrame.Finished last ? last : finished;
                // Not beside a line of the error output.
                synchronized (lastLines) {
                    frames.accept(frame);
                }
            }
        }
        int code = process.waitFor();
        errorReader.join();
        synchronized (lastLines) {
            return new WorkerExit(code, finished, String.join("\n", lastLines), crash.get().orElse(null));
        }
    }

    /// The worker must not wait for a reader of its error output that failed.
    private void pass(String line) {
        Consumer<WorkerFrame> listening = log;
        if (listening != null) {
            try {
                listening.accept(logged(line));
            } catch (RuntimeException e) {
                log = null;
            }
        }
    }

    private WorkerFrame frame(String line) {
        try {
            return protocol.frame(line);
        } catch (IllegalArgumentException e) {
            return logged(line);
        }
    }

    private static WorkerFrame.Log logged(String line) {
        return new WorkerFrame.Log("info", PlainText.of(line));
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
            keep("The worker closed its input: " + FileFault.describe(e) + ".");
        }
    }

    private void readErrors() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                keep(line);
            }
        } catch (IOException e) {
            keep("The output of the worker cannot be read: " + FileFault.describe(e) + ".");
        }
    }

    private void keep(String line) {
        synchronized (lastLines) {
            if (line.isBlank() || JVM_WARNING.matcher(line).find()) {
                return;
            }
            String shown = PlainText.of(mask.apply(line));
            lastLines.add(shown);
            if (lastLines.size() > LAST_LINES) {
                lastLines.remove();
            }
            pass(shown);
        }
    }
}
