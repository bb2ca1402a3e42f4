package org.inferometer.run.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.inferometer.run.LocalRunHost;
import org.inferometer.target.ServerStart;
import org.inferometer.target.ServerStart.StartedServer;
import org.inferometer.target.ServerStart.StopSignal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A server that is started for each of many runs leaves no process, port, file or thread.
@Tag("endurance")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(900)
@EnabledOnOs(OS.LINUX)
class RestartedServersTest {
    private static final int STARTS = Boolean.getBoolean("inferometer.endurance") ? 50 : 3;

    @TempDir
    Path folder;

    /// An experiment's process: what it holds after the second start and after the last one. Arguments: a folder, the number of starts.
    static final class Starts {
        private Starts() {}

        public static void main(String[] arguments) throws Exception {
            ServerStart start = new ServerStart(StandInServer.command("fine"), Map.of(), 0, "/health",
                    Duration.ofSeconds(60), StopSignal.TERM, Duration.ofSeconds(5), true, true);
            int starts = Integer.parseInt(arguments[1]);
            try (RunningServers servers = new RunningServers(LocalRunHost.keeperCommand(Path.of(arguments[0])))) {
                for (int i = 1; i <= starts; i++) {
                    StartedServer server = servers.require(start, Map.of(), () -> false, said -> {}).orElseThrow();
                    servers.runEnded(Path.of(arguments[0]), UnaryOperator.identity());
                    if (ProcessTable.isAlive(server.pid()) || ProcessTable.isAlive(server.keeper())
                            || Files.exists(Path.of(server.log()))) {
                        throw new IllegalStateException("left: " + server);
                    }
                    int port = URI.create(server.address()).getPort();
                    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
                    if (i == 2 || i == starts) {
                        System.out.println(held());
                    }
                }
            }
        }

        private static String held() throws Exception {
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
                return descriptors.count() + " descriptors, " + ProcessHandle.current().descendants().count()
                        + " processes, " + Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                                .filter(name -> !name.startsWith("process reaper")).sorted().toList();
            }
        }
    }

    @Test
    void fiftyStartsHoldNoMoreThanTwo() throws Exception {
        Path errors = folder.resolve("errors.txt");
        Process process = new ProcessBuilder(List.of(LocalRunHost.javaProgram(), "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), Starts.class.getName(), folder.toString(),
                Integer.toString(STARTS))).redirectError(errors.toFile()).start();
        List<String> held =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
        assertThat(held).hasSize(2);
        assertThat(held.getLast()).isEqualTo(held.getFirst()).contains(" 0 processes");
    }
}
