package org.inferometer.run.server;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.inferometer.target.ServerStart.StopSignal;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FileFault;
import sun.misc.Signal;

/// The process that starts a server and stops it when its input ends, or when it is told to end itself: also after the program that
/// asked for the server was killed. A parent that still wants the log writes a line first.
///
/// Arguments: the log file, the stop signal, the milliseconds it has to end, and the command. Its input begins with the variables of
/// the server, which neither this process nor the list of processes gets. It prints `started PID`, or `failed REASON`, and later
/// `ended STATUS`.
public final class ServerKeeper {
    static final String STARTED = "started ";
    static final String FAILED = "failed ";
    static final String ENDED = "ended ";

    private static final int FIRST_WORD = 3;
    private static final long KILL_MILLIS = 10_000;
    private static final long TIDY_MILLIS = 1000;
    private static final long LOG_MOST_BYTES = 256L << 20;
    private static final int LOG_KEPT_BYTES = 8 << 20;

    private final PrintStream out;
    private final Path log;
    private final StopSignal signal;
    private final long stopMillis;
    private volatile boolean keepsLog;

    private ServerKeeper(PrintStream out, Path log, StopSignal signal, long stopMillis) {
        this.out = out;
        this.log = log;
        this.signal = signal;
        this.stopMillis = stopMillis;
    }

    /// Runs until the input ends and the server is gone.
    public static void main(String[] arguments) throws IOException {
        // A terminal sends Ctrl+C to every process. A handler, since an ignored signal would stay ignored in the server.
        Signal.handle(new Signal("INT"), signal -> {});
        new ServerKeeper(System.out, Path.of(arguments[0]), StopSignal.valueOf(arguments[1]),
                Long.parseLong(arguments[2]))
                .keep(List.of(arguments).subList(FIRST_WORD, arguments.length), new DataInputStream(System.in));
    }

    /// Sends what a keeper reads first.
    static void sendVariables(Map<String, String> variables, OutputStream to) throws IOException {
        DataOutputStream data = new DataOutputStream(to);
        data.writeInt(variables.size() * 2);
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            for (String text : List.of(variable.getKey(), variable.getValue())) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                data.writeInt(bytes.length);
                data.write(bytes);
            }
        }
        data.flush();
    }

    private static Map<String, String> variables(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < texts.size(); i += 2) {
            variables.put(texts.get(i), texts.get(i + 1));
        }
        return variables;
    }

    private void keep(List<String> command, DataInputStream in) throws IOException {
        Process server;
        try {
            Map<String, String> variables = variables(in);
            if (!findsProgram(command.getFirst(), variables)) {
                throw new IOException("no such program is in PATH");
            }
            server = start(command, variables);
        } catch (IOException e) {
            say(FAILED + FileFault.describe(e));
            Files.deleteIfExists(log);
            return;
        }
        ServerProcesses processes = ServerProcesses.of(server.pid(), ProcessHandle.current().pid());
        // Also when this process is told to end, by a person or by a system that shuts down.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, processes), "stop"));
        say(STARTED + server.pid());
        server.onExit().thenAccept(ended -> say(ENDED + ended.exitValue()));
        Thread.ofPlatform().name("upkeep").daemon().start(() -> keepTidy(server));
        keepsLog = in.transferTo(OutputStream.nullOutputStream()) > 0;
    }

    private Process start(List<String> command, Map<String, String> variables) throws IOException {
        OrphanAdoption.begin();
        // A session of its own: Ctrl+C does not reach it, and its children are found after it has ended.
        List<String> line = new ArrayList<>(ServerProcesses.ownSession());
        // Also a keeper that is killed ends its server.
        line.addAll(ifItWorks("setpriv", "--pdeathsig", signal.name()));
        if (signal == StopSignal.INT) {
            // A background job of a shell ignores interrupts, and so would everything that it starts.
            line.addAll(ifItWorks("env", "--default-signal=INT"));
        }
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(variables);
        Process server = builder.start();
        server.getOutputStream().close();
        return server;
    }

    /// Words that start a command, if this system has the program and the option.
    private static List<String> ifItWorks(String program, String... options) {
        List<String> words = new ArrayList<>(List.of(ServerProcesses.systemProgram(program).orElse(program)));
        words.addAll(List.of(options));
        List<String> trial = new ArrayList<>(words);
        trial.add("true");
        try {
            return new ProcessBuilder(trial).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor() == 0 ? words : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /// Whether the program exists: `setsid` would start all the same and fail later.
    private static boolean findsProgram(String program, Map<String, String> variables) {
        if (program.indexOf('/') >= 0) {
            return Files.isExecutable(Path.of(program));
        }
        String path = variables.getOrDefault("PATH", EnvironmentVariables.ofProcess().value("PATH").orElse(""));
        return Arrays.stream(path.split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /// Asks the server to end, waits, then kills what is left of it.
    private void stop(Process server, ServerProcesses processes) {
        try {
            if (server.isAlive()) {
                switch (signal) {
                    case TERM -> server.destroy();
                    // Java sends no other signal than TERM and KILL.
                    case INT ->
                        new ProcessBuilder("/bin/sh", "-c", "kill -INT \"$1\"", "sh", Long.toString(server.pid()))
                                .start().waitFor();
                }
                server.waitFor(stopMillis, TimeUnit.MILLISECONDS);
            }
            processes.kill(KILL_MILLIS);
            if (!keepsLog) {
                // The parent was killed: no other process deletes it.
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            say(FAILED + FileFault.describe(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A server that writes without end does not fill the disk, and one that loses its children not the list of processes.
    private void keepTidy(Process server) {
        try {
            while (true) {
                Thread.sleep(TIDY_MILLIS);
                OrphanAdoption.collect(server);
                ServerLog.shorten(log, LOG_MOST_BYTES, LOG_KEPT_BYTES);
            }
        } catch (IOException | InterruptedException e) {
            // The log is gone, or the limit is not worth the end of the server.
            return;
        }
    }

    private synchronized void say(String line) {
        out.print(line + "\n");
        out.flush();
    }
}
