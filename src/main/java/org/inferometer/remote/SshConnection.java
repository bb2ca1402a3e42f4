package org.inferometer.remote;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.inferometer.units.FileFault;
import org.inferometer.units.OneLine;

/// A running ssh with the other side's program at its end. One thread reads; any thread may cancel or close.
final class SshConnection implements AutoCloseable {
    private static final int MOST_ERROR_BYTES = 16 << 10;
    /// Login scripts may print before the program does.
    private static final int MOST_GREETING_LINES = 200;
    private static final int SSH_FAILED = 255;
    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;
    /// A record must advance by this much within its limit.
    static final long ADVANCE_BYTES = 64 << 20;

    /// How long the other side may take before the connection is ended.
    ///
    /// @param answer until it greets, or lists its engines and results
    /// @param build for each 1 % of a build
    /// @param progress until a run begins or ends, enters its next phase, or counts 0.1 % more requests and tokens
    /// @param record for each 64 MiB of a record: 4 GiB come within five hours
    /// @param stop from a cancellation to the record
    record Limits(Duration answer, Duration build, Duration progress, Duration record, Duration stop) {
        static final Limits STANDARD = new Limits(Duration.ofSeconds(60), Duration.ofMinutes(10), Duration.ofHours(1),
                Duration.ofMinutes(4), Duration.ofMinutes(10));
    }

    private final SshHost host;
    private final Process process;
    private final BufferedInputStream in;
    private final Thread errorReader;
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final Limits limits;
    private volatile String late = "";

    private SshConnection(SshHost host, Process process, Limits limits) {
        this.host = host;
        this.limits = limits;
        this.process = process;
        this.in = new BufferedInputStream(process.getInputStream(), 1 << 16);
        this.errorReader = Thread.ofPlatform().name("ssh-errors").daemon().start(this::readErrors);
    }

    /// Connects and gives the order.
    ///
    /// @throws IOException in one sentence: no ssh, no such machine, no program there, or another version of it
    static SshConnection open(SshHost host, RemoteOrder order) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(host.commandLine()).start();
        } catch (IOException e) {
            throw new IOException("ssh cannot be started: " + FileFault.reason(e) + ". Install an ssh client.", e);
        }
        return over(process, host, order, Limits.STANDARD);
    }

    /// As [#open], over a process that runs already.
    static SshConnection over(Process process, SshHost host, RemoteOrder order, Limits limits) throws IOException {
        SshConnection connection = new SshConnection(host, process, limits);
        boolean ready = false;
        try (Deadline answer = connection.answerInTime()) {
            connection.greet();
            connection.write(RemoteProtocol.line(order));
            ready = true;
            return connection;
        } finally {
            if (!ready) {
                connection.close();
            }
        }
    }

    /// How long the other side may take.
    Limits limits() {
        return limits;
    }

    /// Ends the connection unless the other side answers in time.
    Deadline answerInTime() {
        Deadline deadline = new Deadline();
        deadline.begin(limits.answer(), "did not answer within " + limits.answer().toSeconds() + " s.");
        return deadline;
    }

    private void greet() throws IOException {
        for (int i = 0; i < MOST_GREETING_LINES; i++) {
            Optional<String> line;
            try {
                line = RemoteProtocol.readGreeting(in);
            } catch (IOException e) {
                throw ended(e);
            }
            if (line.isEmpty()) {
                throw new IOException(failure());
            }
            if (line.get().startsWith("{\"event\":\"hello\"")) {
                if (RemoteProtocol.event(line.get()) instanceof RemoteEvent.Hello hello
                        && hello.protocol() != RemoteProtocol.VERSION) {
                    throw new IOException(host.text() + ": " + RemoteProtocol.versions(hello.protocol()));
                }
                return;
            }
        }
        throw new IOException(host.text() + ": the program there does not answer as Inferometer does. Give its path: "
                + host.text() + ",command=/path/to/inferometer.");
    }

    /// The next event; empty when the connection has ended.
    Optional<RemoteEvent> next() throws IOException {
        Optional<String> line;
        try {
            line = RemoteProtocol.readLine(in);
        } catch (IOException e) {
            throw ended(e);
        }
        return line.isEmpty() ? Optional.empty() : Optional.of(RemoteProtocol.event(line.get()));
    }

    /// Copies the bytes that follow a [RemoteEvent.Bundle].
    ///
    /// @throws IOException also if the connection ends before
    void copy(long bytes, OutputStream out) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long left = bytes;
        long next = bytes;
        try (Deadline deadline = new Deadline()) {
            while (left > 0) {
                if (left <= next) {
                    deadline.begin(limits.record(), "sent too little of the record.");
                    next = left - ADVANCE_BYTES;
                }
                int read = read(buffer, (int) Math.min(buffer.length, left));
                if (read < 0) {
                    throw new IOException(failure());
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
    }

    private int read(byte[] buffer, int most) throws IOException {
        try {
            return in.read(buffer, 0, most);
        } catch (IOException e) {
            throw ended(e);
        }
    }

    /// The end of the process closes its output under a reader.
    private IOException ended(IOException fault) {
        return late.isEmpty() ? fault : new IOException(failure(), fault);
    }

    /// Asks the other side to stop the experiment.
    void cancel() {
        try {
            write((RemoteProtocol.CANCEL + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            System.getLogger(SshConnection.class.getName()).log(System.Logger.Level.DEBUG, "The connection is lost", e);
        }
    }

    private synchronized void write(byte[] line) throws IOException {
        process.getOutputStream().write(line);
        process.getOutputStream().flush();
    }

    /// Ends the connection when its time is over. Any thread.
    final class Deadline implements AutoCloseable {
        private CompletableFuture<Void> met = CompletableFuture.completedFuture(null);

        /// Begins the time again.
        ///
        /// @param fault follows the name of the machine: "did not answer within 60 s."
        synchronized void begin(Duration limit, String fault) {
            met.complete(null);
            met = new CompletableFuture<>();
            met.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS).exceptionally(timeout -> {
                late = fault;
                process.destroy();
                return null;
            });
        }

        @Override
        public synchronized void close() {
            met.complete(null);
        }
    }

    /// Why the connection ended, in one sentence.
    String failure() {
        // Its time may end while it ends.
        int code = exitCode();
        if (!late.isEmpty()) {
            return host.text() + " " + late;
        }
        return switch (code) {
            case SSH_FAILED -> "ssh to " + host.host() + " failed" + said() + ".";
            case NOT_FOUND, NOT_EXECUTABLE -> host.text() + " has no program " + host.command()
                    + ". Give its path: --on " + host.text() + ",command=/path/to/inferometer.";
            case -1, 0 -> "The connection to " + host.host() + " ended" + said() + ".";
            default -> "The connection to " + host.host() + " ended: exit code " + code + said() + ".";
        };
    }

    private int exitCode() {
        try {
            if (process.waitFor(5, TimeUnit.SECONDS)) {
                errorReader.join(1000);
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return -1;
    }

    private String said() {
        String text;
        synchronized (errors) {
            text = errors.toString(StandardCharsets.UTF_8);
        }
        List<String> lines =
                text.lines().filter(line -> !line.isBlank() && !line.startsWith("WARNING: Using incubator")).toList();
        return lines.isEmpty() ? "" : ": " + OneLine.of(lines.getLast()).replaceFirst("\\.$", "");
    }

    private void readErrors() {
        try (InputStream from = process.getErrorStream()) {
            byte[] buffer = new byte[1 << 12];
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                synchronized (errors) {
                    if (errors.size() > MOST_ERROR_BYTES) {
                        errors.reset();
                    }
                    errors.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            System.getLogger(SshConnection.class.getName()).log(System.Logger.Level.DEBUG, "ssh has ended", e);
        }
    }

    /// Ends ssh. The other side goes on.
    @Override
    public void close() {
        process.destroy();
    }
}
