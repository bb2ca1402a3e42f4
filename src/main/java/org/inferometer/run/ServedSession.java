package org.inferometer.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.inferometer.run.server.RunningServers;
import org.inferometer.run.server.ServerFailure;
import org.inferometer.target.ServerStart;
import org.inferometer.target.ServerStart.StartedServer;
import org.inferometer.units.FileFault;
import org.jspecify.annotations.Nullable;

/// A session whose server is started first. The worker records it if the server cannot be started.
final class ServedSession implements RunHost.Session {
    private final RunningServers servers;
    private final ServerStart start;
    private final Map<String, String> variables;
    private final Path runFolder;
    private final UnaryOperator<String> mask;
    private final WorkerStart worker;
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private RunHost.@Nullable Session running; // under this object's monitor

    /// Starts the worker.
    @FunctionalInterface
    interface WorkerStart {
        RunHost.Session start(PreparedServer server) throws IOException;
    }

    /// @param variables added to the server's environment
    /// @param mask removes secrets from its log
    ServedSession(RunningServers servers, ServerStart start, Map<String, String> variables, Path runFolder,
            UnaryOperator<String> mask, WorkerStart worker) {
        this.servers = servers;
        this.start = start;
        this.variables = variables;
        this.runFolder = runFolder;
        this.mask = mask;
        this.worker = worker;
    }

    @Override
    public WorkerExit listen(Consumer<WorkerFrame> frames) throws IOException, InterruptedException {
        PreparedServer prepared = prepare(frames);
        try {
            RunHost.Session session = worker.start(prepared);
            synchronized (this) {
                running = session;
            }
            if (cancelled.get()) {
                session.cancel();
            }
            return session.listen(frames);
        } finally {
            keepLog(frames);
        }
    }

    private PreparedServer prepare(Consumer<WorkerFrame> frames) throws InterruptedException {
        try {
            Optional<StartedServer> started = servers.require(start, variables, cancelled::get,
                    sentence -> frames.accept(new WorkerFrame.Log("progress", mask.apply(sentence))));
            return new PreparedServer(started.orElse(null), "");
        } catch (ServerFailure e) {
            return new PreparedServer(null, mask.apply(String.valueOf(e.getMessage())));
        }
    }

    private void keepLog(Consumer<WorkerFrame> frames) {
        try {
            servers.runEnded(runFolder, mask);
        } catch (IOException e) {
            frames.accept(
                    new WorkerFrame.Log("warning", "The server's log cannot be kept: " + FileFault.describe(e) + "."));
        }
    }

    @Override
    public void cancel() {
        cancelled.set(true);
        RunHost.Session session;
        synchronized (this) {
            session = running;
        }
        if (session != null) {
            session.cancel();
        }
    }

    @Override
    public void close() {
        RunHost.Session session;
        synchronized (this) {
            session = running;
        }
        if (session != null) {
            session.close();
        }
    }
}
