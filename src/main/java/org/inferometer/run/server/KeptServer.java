package org.inferometer.run.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.inferometer.target.ServerStart;
import org.inferometer.units.FileFault;
import org.jspecify.annotations.Nullable;

/// A server process and its keeper. The caller closes it, which stops the server.
final class KeptServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(KeptServer.class.getName());
    private static final long KEEPER_SECONDS = 20;
    private static final long KILL_SECONDS = 5;

    private final ServerStart start;
    private final int port;
    private final Path log;
    private final Process keeper;
    private final long pid;
    private final ServerProcesses processes;
    private volatile OptionalInt status = OptionalInt.empty();

    private KeptServer(ServerStart start, int port, Path log, Process keeper, BufferedReader lines, long pid) {
        this.start = start;
        this.port = port;
        this.log = log;
        this.keeper = keeper;
        this.pid = pid;
        this.processes = ServerProcesses.of(pid, keeper.pid());
        Thread.ofPlatform().name("server-keeper").daemon().start(() -> listen(lines));
    }

    /// Starts the keeper, which starts the server.
    ///
    /// @param keeperCommand Java with the class path and [ServerKeeper]
    /// @param variables added to the environment
    /// @throws ServerFailure if the program cannot be started
    static KeptServer start(List<String> keeperCommand, ServerStart start, int port, Map<String, String> variables)
            throws ServerFailure {
        Path log;
        Process keeper;
        try {
            // Files for temporary use are readable by their owner alone.
            log = Files.createTempFile("inferometer-server-", ".log");
            List<String> line = new ArrayList<>(ServerProcesses.ownSession());
            line.addAll(keeperCommand);
            line.addAll(
                    List.of(log.toString(), start.stopSignal().name(), Long.toString(start.stopTimeout().toMillis())));
            line.addAll(start.commandAt(port));
            keeper = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            throw cannotStart(start, FileFault.describe(e) + ".", e);
        }
        try {
            Map<String, String> all = new HashMap<>(variables);
            all.putAll(start.variables());
            ServerKeeper.sendVariables(all, keeper.getOutputStream());
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(keeper.getInputStream(), StandardCharsets.UTF_8));
            String answer = answer(lines);
            if (answer.startsWith(ServerKeeper.STARTED)) {
                return new KeptServer(start, port, log, keeper, lines,
                        Long.parseLong(answer.substring(ServerKeeper.STARTED.length())));
            }
            Files.deleteIfExists(log);
            throw cannotStart(start, answer + ". Install it, or give its path with command.", null);
        } catch (IOException e) {
            throw cannotStart(start, FileFault.describe(e) + ".", e);
        }
    }

    private static ServerFailure cannotStart(ServerStart start, String why, @Nullable Throwable cause) {
        return new ServerFailure(start.program() + " cannot be started: " + why, cause);
    }

    /// `started PID`, or why it failed. The JVM of the keeper may print lines of its own before.
    private static String answer(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(ServerKeeper.STARTED)) {
                return line;
            }
            if (line.startsWith(ServerKeeper.FAILED)) {
                return line.substring(ServerKeeper.FAILED.length());
            }
        }
        return "its keeper ended";
    }

    private void listen(BufferedReader lines) {
        try (lines) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(ServerKeeper.ENDED)) {
                    status = OptionalInt.of(Integer.parseInt(line.substring(ServerKeeper.ENDED.length())));
                }
            }
        } catch (IOException e) {
            // The keeper has ended, and the server with it.
            return;
        }
    }

    ServerStart start() {
        return start;
    }

    int port() {
        return port;
    }

    Path log() {
        return log;
    }

    long pid() {
        return pid;
    }

    long keeper() {
        return keeper.pid();
    }

    /// The server's exit status; empty while it runs.
    OptionalInt status() {
        return keeper.isAlive() || status.isPresent() ? status : OptionalInt.of(-1);
    }

    /// Stops the server and waits for its end. Its log stays until it is closed.
    void stop() {
        boolean interrupted = false;
        try {
            try (OutputStream input = keeper.getOutputStream()) {
                input.write("stop\n".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "The keeper has ended", e);
        }
        try {
            keeper.waitFor(start.stopTimeout().plusSeconds(KEEPER_SECONDS).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        // A keeper that ended by itself leaves nothing. Before it is killed: it finds processes that have left the session.
        try {
            processes.kill(TimeUnit.SECONDS.toMillis(KILL_SECONDS));
        } catch (InterruptedException e) {
            interrupted = true;
        }
        keeper.destroyForcibly();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Stops the server, waits for its end and deletes its log.
    @Override
    public void close() {
        stop();
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "A log stays", e);
        }
    }
}
