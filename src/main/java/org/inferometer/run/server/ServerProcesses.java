package org.inferometer.run.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The processes of a server: its session, and all descendants of it and of its keeper. Thread-safe.
///
/// On Linux the keeper inherits processes that have lost their parent, so that daemons are found too. Elsewhere only descendants are.
///
/// @param leader number of the server's first process
/// @param leaderTicks when it started; -1 if it had ended before that was read
/// @param keeper number of the keeper
/// @param keeperTicks when it started
record ServerProcesses(long leader, long leaderTicks, long keeper, long keeperTicks) {
    private static final long WATCH_MILLIS = 20;
    private static final List<Path> SYSTEM = List.of(Path.of("/usr/bin"), Path.of("/bin"));

    /// The processes of a server that runs, or has just ended.
    static ServerProcesses of(long leader, long keeper) {
        return new ServerProcesses(leader, ProcessTable.startTicks(leader), keeper, ProcessTable.startTicks(keeper));
    }

    /// The word that starts a command in a session of its own, which signals to other process groups do not reach; none where there is
    /// no such program.
    static List<String> ownSession() {
        return systemProgram("setsid").stream().toList();
    }

    /// The path of a program of the system, whatever PATH says.
    static Optional<String> systemProgram(String name) {
        return SYSTEM.stream().map(folder -> folder.resolve(name)).filter(Files::isExecutable).findFirst()
                .map(Path::toString);
    }

    /// The living ones; none of a process that got a number of theirs later. The number of a session with processes is given to no
    /// other process.
    Set<Long> living() {
        Optional<List<ProcessTable.Row>> rows = ProcessTable.rows();
        if (rows.isEmpty()) {
            return descendants();
        }
        boolean reused = rows.get().stream().anyMatch(row -> row.pid() == leader && row.startTicks() != leaderTicks);
        Set<Long> living = new HashSet<>();
        for (ProcessTable.Row row : rows.get()) {
            boolean isKeeper = row.pid() == keeper && row.startTicks() == keeperTicks;
            if (isKeeper || (!reused && (row.pid() == leader || row.session() == leader))) {
                living.add(row.pid());
            }
        }
        boolean grown = true;
        while (grown) {
            grown = false;
            for (ProcessTable.Row row : rows.get()) {
                grown |= living.contains(row.parent()) && living.add(row.pid());
            }
        }
        living.remove(keeper);
        return living;
    }

    private Set<Long> descendants() {
        Set<Long> living = new HashSet<>();
        ProcessHandle.of(leader).filter(ProcessHandle::isAlive).ifPresent(handle -> Stream
                .concat(Stream.of(handle), handle.descendants()).map(ProcessHandle::pid).forEach(living::add));
        return living;
    }

    /// Whether the first process runs.
    boolean isLeaderAlive() {
        return ProcessTable.isAlive(leader) && ProcessTable.startTicks(leader) == leaderTicks;
    }

    /// Kills all of them, also those that are started meanwhile, and waits for their end.
    ///
    /// @param most milliseconds to wait
    void kill(long most) throws InterruptedException {
        for (long left = most; left > 0; left -= WATCH_MILLIS) {
            Set<Long> living = living();
            if (living.isEmpty()) {
                return;
            }
            living.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            Thread.sleep(WATCH_MILLIS);
        }
    }
}
