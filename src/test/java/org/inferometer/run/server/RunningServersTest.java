package org.inferometer.run.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.run.LocalRunHost;
import org.inferometer.target.ServerStart;
import org.inferometer.target.ServerStart.StartedServer;
import org.inferometer.target.ServerStart.StopSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that misbehave at each stage of their life.
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
class RunningServersTest {
    @TempDir
    Path folder;

    private final RunningServers servers = new RunningServers(LocalRunHost.keeperCommand(Path.of("target")));
    private final List<String> progress = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.close();
    }

    private static ServerStart start(String behaviour) {
        return new ServerStart(StandInServer.command(behaviour), Map.of(), 0, "/health", Duration.ofSeconds(30),
                StopSignal.TERM, Duration.ofSeconds(5), false, true);
    }

    private StartedServer require(ServerStart start) throws Exception {
        return servers.require(start, Map.of(), () -> false, progress::add).orElseThrow();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("server.log"));
    }

    private static boolean lives(long pid) {
        return ProcessTable.isAlive(pid);
    }

    @Test
    void slowServerIsAwaitedKeptAndStopped() throws Exception {
        StartedServer first = require(start("slow"));
        servers.runEnded(folder, UnaryOperator.identity());
        StartedServer again = require(start("slow"));
        assertThat(first.logFrom()).as("what it wrote while it started is no reason of a later end").isPositive();

        assertThat(progress).singleElement().asString().matches("Starting java on port \\d+\\.");
        assertThat(again).isEqualTo(new StartedServer(first.address(), first.command(), first.pid(), first.keeper(),
                first.log(), again.logFrom(), first.startNanos(), 1, true));
        assertThat(again.logFrom()).isEqualTo(Files.size(Path.of(first.log()))).isPositive();
        assertThat(log()).startsWith("behaviour slow ");
        assertThat(lives(first.pid())).isTrue();
        servers.close();
        assertThat(lives(first.pid())).isFalse();
        assertThat(Path.of(first.log())).doesNotExist();
    }

    @Test
    void anotherServerReplacesTheFirst() throws Exception {
        StartedServer first = require(start("fine"));
        servers.runEnded(folder, UnaryOperator.identity());
        ServerStart other = new ServerStart(StandInServer.command("fine"), Map.of("A", "b"), 0, "/health",
                Duration.ofSeconds(30), StopSignal.TERM, Duration.ofSeconds(5), true, true);
        StartedServer second = require(other);

        assertThat(lives(first.pid())).isFalse();
        assertThat(second.runsBefore()).isZero();
        servers.runEnded(folder, UnaryOperator.identity());
        assertThat(lives(second.pid())).as("fresh for each run").isFalse();
    }

    @Test
    void deathWhileLoadingIsTheReason() {
        assertThatThrownBy(() -> require(start("dies-loading"))).isInstanceOf(ServerFailure.class).hasMessage(
                "java ended with status 3 before it was ready: ValueError: the weights of layer 3 are missing."
                        + " See server.log.");
    }

    @Test
    void logOfAFailedStartIsKept() throws Exception {
        assertThatThrownBy(() -> require(start("dies-loading"))).isInstanceOf(ServerFailure.class);
        servers.runEnded(folder, line -> line.replace("weights", "***"));

        assertThat(log()).contains("ValueError: the *** of layer 3 are missing\nbye\n");
    }

    @Test
    void serverThatIsNeverReadyIsGivenUp() {
        ServerStart hasty = new ServerStart(StandInServer.command("never-ready"), Map.of(), 0, "/health",
                Duration.ofSeconds(2), StopSignal.TERM, Duration.ofSeconds(5), false, true);

        assertThatThrownBy(() -> require(hasty)).isInstanceOf(ServerFailure.class).message()
                .matches("java was not ready within 2 s: /health answered 503\\. Its log: behaviour never-ready"
                        + " \\d+\\. Raise ready_timeout, or see server\\.log\\.");
    }

    @Test
    void serverThatWasNotReadyIsNotMeasuredByTheNextRun() throws Exception {
        ServerStart hasty = new ServerStart(StandInServer.command("never-ready"), Map.of(), 0, "/health",
                Duration.ofSeconds(1), StopSignal.TERM, Duration.ofSeconds(5), false, true);
        assertThatThrownBy(() -> require(hasty)).isInstanceOf(ServerFailure.class);
        long port = number("on port (\\d+)", progress.getFirst());
        servers.runEnded(folder, UnaryOperator.identity());

        new ServerSocket((int) port, 1, InetAddress.getLoopbackAddress()).close(); // Nothing listens: it has ended.
        assertThatThrownBy(() -> require(hasty)).isInstanceOf(ServerFailure.class)
                .hasMessageContaining("was not ready within 1 s");
    }

    @Test
    void serverThatIsNoLongerReadyIsStartedAgain() throws Exception {
        StartedServer first = require(start("ready-once"));
        servers.runEnded(folder, UnaryOperator.identity());
        StartedServer second = require(start("ready-once"));

        assertThat(lives(first.pid())).isFalse();
        assertThat(second.runsBefore()).isZero();
        assertThat(progress).hasSize(3).contains("java is no longer ready. It is started again.");
    }

    @Test
    void readyPageWithoutAnEndIsReady() throws Exception {
        assertThat(lives(require(start("endless-page")).pid())).isTrue();
    }

    @Test
    void daemonsEndWithTheirServer() throws Exception {
        StartedServer started = require(start("daemon"));
        long daemon = number("forked (\\d+)", Files.readString(Path.of(started.log())));
        assertThat(lives(daemon)).isTrue();
        servers.close();

        assertThat(lives(daemon)).isFalse();
    }

    /// What the log names so far; it may follow the server's readiness.
    private static List<Path> forked(StartedServer server) throws IOException {
        return Pattern.compile("forked (\\d+)").matcher(Files.readString(Path.of(server.log()))).results()
                .map(found -> Path.of("/proc", found.group(1))).toList();
    }

    @Test
    void childrenThatAServerLosesAreCollected() throws Exception {
        StartedServer started = require(start("loses-children"));
        List<Path> lost = forked(started);
        while (lost.size() < 3 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(10_000_000);
            lost = forked(started);
        }
        assertThat(lost).hasSize(3);
        while (lost.stream().anyMatch(Files::exists) && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(10_000_000);
        }

        assertThat(lost).noneMatch(Files::exists);
        assertThat(lives(started.pid())).isTrue();
    }

    @Test
    void launcherThatEndsIsToldToStay() {
        ServerStart launcher = new ServerStart(List.of("sh", "-c", "sleep 600 & echo started", "{port}"), Map.of(), 0,
                "/health", Duration.ofSeconds(30), StopSignal.TERM, Duration.ofSeconds(5), false, true);

        assertThatThrownBy(() -> require(launcher)).hasMessage("sh ended with status 0 before it was ready."
                + " Its last line: started. Its command must stay in the foreground. See server.log.");
    }

    private static long number(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void variablesOfTheServerDoNotReachItsKeeper() throws Exception {
        ServerStart talking =
                new ServerStart(StandInServer.command("fine"), Map.of("JAVA_TOOL_OPTIONS", "-Xlog:gc*:stdout"), 0,
                        "/health", Duration.ofSeconds(30), StopSignal.TERM, Duration.ofSeconds(5), false, true);

        assertThat(Files.readString(Path.of(require(talking).log()))).contains("-Xlog:gc*:stdout", "Using Serial");
    }

    @Test
    void aKilledProcessGroupLeavesItsKeeper() throws Exception {
        long keeper = ProcessHandle.of(require(start("fine")).pid()).orElseThrow().parent().orElseThrow().pid();

        assertThat(Files.readString(Path.of("/proc/" + keeper + "/stat"))).as("process group and session of its own")
                .contains(" " + keeper + " " + keeper + " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "HUP", "KILL"})
    void aKilledKeeperEndsItsServer(String signal) throws Exception {
        assumeThat(signal.equals("HUP") && ignoresHangup()).as("nohup started these tests").isFalse();
        Path log = Files.createFile(folder.resolve("log"));
        Process keeper = keeper(log, "fine");
        long pid = Long.parseLong(keeper.inputReader().readLine().replace("started ", ""));
        new ProcessBuilder("sh", "-c", "kill -" + signal + " " + keeper.pid()).start().waitFor();

        assertThat(keeper.waitFor(30, TimeUnit.SECONDS)).isTrue();
        ProcessHandle.of(pid).ifPresent(server -> server.onExit().orTimeout(20, TimeUnit.SECONDS).join());
        assertThat(lives(pid)).isFalse();
    }

    /// Children inherit it.
    private static boolean ignoresHangup() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:")).findFirst().orElseThrow();
        return (Long.parseUnsignedLong(ignored.substring(7).strip(), 16) & 1) != 0;
    }

    @Test
    void deafServerIsKilled() throws Exception {
        ServerStart deaf = new ServerStart(StandInServer.command("deaf"), Map.of(), 0, "/health",
                Duration.ofSeconds(30), StopSignal.TERM, Duration.ofMillis(300), false, true);
        StartedServer started = require(deaf);
        servers.close();

        assertThat(lives(started.pid())).isFalse();
    }

    @Test
    void anInterruptEndsAServerThatWantsOne() throws Exception {
        ServerStart polite = new ServerStart(StandInServer.command("polite"), Map.of(), 0, "/health",
                Duration.ofSeconds(30), StopSignal.INT, Duration.ofSeconds(30), false, true);
        StartedServer started = require(polite);
        long begun = System.nanoTime();
        servers.close();

        assertThat(lives(started.pid())).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).as("by the signal, not by the timeout")
                .isLessThan(Duration.ofSeconds(25));
    }

    @Test
    void childrenEndWithTheirServer() throws Exception {
        StartedServer started = require(start("parent"));
        Set<Long> members = ServerProcesses.of(started.pid(), started.keeper()).living();
        ProcessHandle.of(started.pid()).orElseThrow().destroyForcibly();
        servers.close();

        assertThat(members).hasSize(2);
        assertThat(members).noneMatch(RunningServersTest::lives);
    }

    @Test
    void takenPortIsRefused() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServerStart fixed = new ServerStart(StandInServer.command("fine"), Map.of(), taken.getLocalPort(),
                    "/health", Duration.ofSeconds(30), StopSignal.TERM, Duration.ofSeconds(5), false, true);
            assertThatThrownBy(() -> require(fixed)).hasMessage("Port " + taken.getLocalPort()
                    + " for java is taken by another program. End that program, choose another port, or leave port out"
                    + " for a free one.");
        }
    }

    @Test
    void unknownProgramsAreRefused() {
        ServerStart unknown = new ServerStart(List.of("no-such-server-program"), Map.of(), 0, "/health",
                Duration.ofSeconds(30), StopSignal.TERM, Duration.ofSeconds(5), false, true);

        assertThatThrownBy(() -> require(unknown)).isInstanceOf(ServerFailure.class)
                .hasMessage("no-such-server-program cannot be started: no such program is in PATH."
                        + " Install it, or give its path with command.");
    }

    @Test
    void cancellingEndsTheWait() throws Exception {
        assertThat(servers.require(start("never-ready"), Map.of(), () -> !progress.isEmpty(), progress::add)).isEmpty();
    }

    @Test
    void keeperStopsTheServerWhenItsParentIsGone() throws Exception {
        Path log = Files.createFile(folder.resolve("log"));
        Process keeper = keeper(log, "fine");
        String first = keeper.inputReader().readLine();
        long pid = Long.parseLong(first.replace("started ", ""));
        assertThat(lives(pid)).isTrue();
        // As the system does it for a parent that was killed.
        keeper.getOutputStream().close();

        assertThat(keeper.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(lives(pid)).isFalse();
        assertThat(log).doesNotExist();
    }

    private static Process keeper(Path log, String behaviour) throws IOException {
        List<String> command = new ArrayList<>(LocalRunHost.keeperCommand(Path.of("target")));
        command.addAll(List.of(log.toString(), "TERM", "5000"));
        command.addAll(start(behaviour).commandAt(freePort()));
        Process keeper = new ProcessBuilder(command).start();
        ServerKeeper.sendVariables(Map.of(), keeper.getOutputStream());
        return keeper;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void memoryAndTimeOfAllProcessesAreRead() throws Exception {
        StartedServer started = require(start("parent"));
        Set<Long> members = ServerProcesses.of(started.pid(), started.keeper()).living();
        ProcessTable.Usage usage = ProcessTable.usage(ProcessTable.repeatedBytes(members)).orElseThrow();

        assertThat(usage.memoryBytes()).isBetween(20L << 20, 500L << 20);
        assertThat(usage.cpuNanos()).isBetween(10_000_000L, 60_000_000_000L);
        assertThat(ProcessTable.usage(Map.of())).isEmpty();
    }

    @Test
    void processesWithHostileNamesAreFound() throws Exception {
        Path program = Files.copy(Path.of("/bin/sh").toRealPath(), folder.resolve("a\nb) Z 1 1"));
        Process process = new ProcessBuilder(program.toString(), "-c", "read line; :").start();
        ServerProcesses found = ServerProcesses.of(process.pid(), process.pid());
        boolean alive = found.isLeaderAlive();
        Set<Long> living = new ServerProcesses(process.pid(), found.leaderTicks(), 0, 0).living();
        process.destroyForcibly();

        assertThat(alive).isTrue();
        assertThat(living).containsExactly(process.pid());
    }

    @Test
    void memoryThatForksShareIsCountedOnce() throws Exception {
        // Two subshells are forks that hold the same 30 MB.
        Process parent = new ProcessBuilder("sh", "-c", "x=$(head -c 30000000 /dev/zero | tr '\\0' a);"
                + " (sleep 600; :) & (sleep 600; :) & echo ready; wait; echo $x").start();
        assertThat(parent.inputReader().readLine()).isEqualTo("ready");
        Set<Long> members = ServerProcesses.of(parent.pid(), ProcessHandle.current().pid()).living().stream()
                .filter(pid -> pid == parent.pid() || ProcessHandle.of(pid).flatMap(ProcessHandle::parent)
                        .filter(own -> own.pid() == parent.pid()).isPresent())
                .collect(Collectors.toSet());
        long once = ProcessTable.usage(ProcessTable.repeatedBytes(members)).orElseThrow().memoryBytes();
        long each = ProcessTable.usage(members.stream().collect(Collectors.toMap(pid -> pid, pid -> 0L))).orElseThrow()
                .memoryBytes();
        parent.descendants().forEach(ProcessHandle::destroyForcibly);
        parent.destroyForcibly();

        assertThat(members).hasSize(3);
        assertThat(each).isBetween(90_000_000L, 400_000_000L);
        assertThat(once).isBetween(30_000_000L, each / 2);
    }

    @Test
    void aNumberThatWentToAnotherProcessIsNotKilled() throws Exception {
        StartedServer started = require(start("fine"));
        ServerProcesses own = ServerProcesses.of(started.pid(), started.keeper());

        assertThat(own.leaderTicks()).isPositive();
        assertThat(own.living()).containsExactly(started.pid());
        assertThat(
                new ServerProcesses(own.leader(), own.leaderTicks() - 1, own.keeper(), own.keeperTicks() - 1).living())
                .isEmpty();
    }
}
