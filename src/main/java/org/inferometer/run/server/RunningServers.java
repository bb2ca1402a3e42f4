package org.inferometer.run.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.inferometer.record.RecordFiles;
import org.inferometer.target.ServerStart;
import org.inferometer.target.ServerStart.StartedServer;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;
import org.inferometer.units.SystemClock;
import org.jspecify.annotations.Nullable;

/// The server of an experiment: started when a run needs it, kept while the next run needs the same one, stopped otherwise.
///
/// Used by the experiment's thread. Closing stops it.
public final class RunningServers implements AutoCloseable {
    private static final long PROBE_EVERY_MILLIS = 100;
    private static final int KEPT_PROBES = 5;
    private static final long REPORT_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final List<String> keeperCommand;
    private final Clock clock = new SystemClock();
    private @Nullable KeptServer server;
    private boolean ready;
    private long startNanos;
    private long logFrom;
    private int runs;

    /// @param keeperCommand Java with its class path and the main class [ServerKeeper]
    public RunningServers(List<String> keeperCommand) {
        this.keeperCommand = List.copyOf(keeperCommand);
    }

    /// The server of a run, started if the present one differs or has ended. Blocks until it is ready.
    ///
    /// @param variables added to its environment
    /// @param cancelled ends the wait and the server
    /// @param progress receives a sentence now and then
    /// @return empty if cancelled
    /// @throws ServerFailure if it cannot be started or does not become ready
    public Optional<StartedServer> require(ServerStart start, Map<String, String> variables, BooleanSupplier cancelled,
            Consumer<String> progress) throws ServerFailure, InterruptedException {
        KeptServer present = server;
        if (present != null && ready && present.start().equals(start)) {
            if (answers(present)) {
                logFrom = ServerLog.size(present.log());
                return Optional.of(started(present));
            }
            progress.accept(start.program() + " is no longer ready. It is started again.");
        }
        close();
        ready = false;
        int port = start.port() == 0 ? freePort(start) : start.port();
        requireFree(start, port);
        progress.accept("Starting " + start.program() + " on port " + port + ".");
        long begun = clock.nanos();
        KeptServer fresh = KeptServer.start(keeperCommand, start, port, variables);
        server = fresh;
        logFrom = 0;
        runs = 0;
        if (!becomesReady(fresh, begun, cancelled, progress)) {
            return Optional.empty();
        }
        startNanos = clock.nanos() - begun;
        ready = true;
        return Optional.of(started(fresh));
    }

    private StartedServer started(KeptServer kept) {
        // Without what it wrote while it started: it went on after each of those errors.
        long runFrom = ServerLog.size(kept.log());
        return new StartedServer(address(kept.port()), kept.start().commandAt(kept.port()), kept.pid(), kept.keeper(),
                kept.log().toString(), runFrom, startNanos, runs, kept.start().processesAreHere());
    }

    /// Saves the output that belongs to a run, and stops a server that is fresh for each run, did not become ready or has ended.
    ///
    /// @param runFolder where its log is kept
    /// @param mask removes secrets from a line
    public void runEnded(Path runFolder, UnaryOperator<String> mask) throws IOException {
        KeptServer present = server;
        if (present == null) {
            return;
        }
        runs++;
        boolean ends = !ready || present.start().freshForEachRun() || present.status().isPresent();
        if (ends) {
            present.stop();
        }
        try {
            ServerLog.copy(present.log(), logFrom, runFolder.resolve(RecordFiles.SERVER_LOG), mask);
        } finally {
            if (ends) {
                close();
            }
        }
    }

    /// Stops the server, if there is one.
    @Override
    public void close() {
        KeptServer present = server;
        server = null;
        if (present != null) {
            present.close();
        }
    }

    /// Whether a server that was ready still is. It may still be busy with requests that were cancelled.
    private static boolean answers(KeptServer present) throws InterruptedException {
        try (ReadyCheck check = new ReadyCheck(readyAddress(present))) {
            for (int i = 0; i < KEPT_PROBES && present.status().isEmpty(); i++) {
                if (ReadyCheck.isReady(check.status())) {
                    return true;
                }
                TimeUnit.MILLISECONDS.sleep(PROBE_EVERY_MILLIS);
            }
            return false;
        }
    }

    private boolean becomesReady(KeptServer fresh, long begun, BooleanSupplier cancelled, Consumer<String> progress)
            throws ServerFailure, InterruptedException {
        ServerStart start = fresh.start();
        String answer = "it answered nothing";
        long report = begun + REPORT_EVERY_NANOS;
        try (ReadyCheck check = new ReadyCheck(readyAddress(fresh))) {
            while (!cancelled.getAsBoolean()) {
                if (fresh.status().isPresent()) {
                    throw ended(fresh, fresh.status().getAsInt());
                }
                int code = check.status();
                if (ReadyCheck.isReady(code)) {
                    return true;
                }
                answer = code == 0 ? answer : start.readyPath() + " answered " + code;
                long now = clock.nanos();
                if (now - begun > start.readyTimeout().toNanos()) {
                    throw new ServerFailure(
                            start.program() + " was not ready within " + start.readyTimeout().toSeconds() + " s: "
                                    + answer + lastLine(ServerLog.ending(fresh.log(), 0).line())
                                    + " Raise ready_timeout, or see " + RecordFiles.SERVER_LOG + ".");
                }
                if (now >= report) {
                    report = now + REPORT_EVERY_NANOS;
                    progress.accept(start.program() + " is starting, " + TimeUnit.NANOSECONDS.toSeconds(now - begun)
                            + " s" + lastLine(ServerLog.lastLine(fresh.log())));
                }
                TimeUnit.MILLISECONDS.sleep(PROBE_EVERY_MILLIS);
            }
        }
        return false;
    }

    private static ServerFailure ended(KeptServer fresh, int status) {
        return new ServerFailure(fresh.start().program() + " ended with status " + status + signal(status)
                + " before it was ready" + ServerLog.ending(fresh.log(), 0).describe()
                + (status == 0 ? ". Its command must stay in the foreground." : ".") + " See " + RecordFiles.SERVER_LOG
                + ".");
    }

    /// " (SIGKILL)": as the system ends a process when memory runs out.
    private static String signal(int status) {
        return switch (status) {
            case 134 -> " (SIGABRT)";
            case 135 -> " (SIGBUS)";
            case 137 -> " (SIGKILL, as without memory)";
            case 139 -> " (SIGSEGV)";
            case 143 -> " (SIGTERM)";
            default -> "";
        };
    }

    private static String lastLine(String line) {
        return line.isEmpty() ? "." : ". Its log: " + line.replaceFirst("\\.$", "") + ".";
    }

    private static int freePort(ServerStart start) throws ServerFailure {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new ServerFailure(start.program() + ": no port is free (" + FileFault.describe(e) + ").", e);
        }
    }

    private static void requireFree(ServerStart start, int port) throws ServerFailure {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new ServerFailure("Port " + port + " for " + start.program()
                    + " is taken by another program. End that program, choose another port, or leave port out for a free one.",
                    e);
        }
    }

    private static URI readyAddress(KeptServer kept) {
        return URI.create(address(kept.port()) + kept.start().readyPath());
    }

    private static String address(int port) {
        return "http://127.0.0.1:" + port;
    }
}
