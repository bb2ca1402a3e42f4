package org.inferometer.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RunPlan;
import org.inferometer.run.server.RunningServers;
import org.inferometer.run.server.ServerKeeper;
import org.inferometer.target.ServerStart;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.units.EnvironmentVariables;

/// Runs plans on this machine, for one experiment at a time. Safe to call from any thread.
public final class LocalRunHost implements RunHost {
    private static final int HEAP_PERCENT = 60;
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final List<String> command;
    private final Path workspace;
    private final List<Path> machineLocks;
    private final WorkerVariables variables;
    private final RunningServers servers;
    private final AtomicBoolean reserved = new AtomicBoolean();
    /// Of the experiment that reserved this host; changed by its thread alone, watched by another.
    private final List<MachineLock> taken = new CopyOnWriteArrayList<>();

    /// Workers with the environment of this process.
    ///
    /// @param machineLocks files that are locked while an experiment runs; all must be free
    public LocalRunHost(List<String> command, Path workspace, List<Path> machineLocks) {
        this(command, workspace, machineLocks,
                new WorkerVariables(new TargetKinds(List.of()), EnvironmentVariables.NONE));
    }

    /// @param command the Java program and the arguments of a worker
    /// @param machineLocks files that are locked while an experiment runs; all must be free
    /// @param variables added to the environment of workers
    public LocalRunHost(List<String> command, Path workspace, List<Path> machineLocks, WorkerVariables variables) {
        this.variables = variables;
        this.command = List.copyOf(command);
        this.workspace = workspace;
        this.servers = new RunningServers(keeperCommand(workspace));
        this.machineLocks = List.copyOf(machineLocks);
    }

    /// Workers of the running program: the same Java and class path, without the desktop.
    ///
    /// @param mainClass the program's main class
    /// @param options of the program, before the command
    public static LocalRunHost ofThisProgram(String mainClass, List<String> options, Path workspace,
            WorkerVariables variables) {
        return new LocalRunHost(workerCommand(mainClass, options), workspace,
                machineLocks(workspace, variables.environment()), variables);
    }

    /// The command of a worker of the running program.
    public static List<String> workerCommand(String mainClass, List<String> options) {
        return Stream
                .of(List.of(javaProgram(), "--add-modules", "jdk.incubator.vector",
                        "--enable-native-access=ALL-UNNAMED", "-XX:-CreateCoredumpOnCrash", "-XX:+UseSerialGC",
                        // Room for the garbage of a whole run of usual length: no collection falls into it.
                        "-Xmn256m", "-XX:MaxRAMPercentage=" + HEAP_PERCENT, "-Djava.awt.headless=true", "-cp",
                        System.getProperty("java.class.path"), mainClass), options, List.of("worker"))
                .flatMap(List::stream).toList();
    }

    /// The command of a keeper of servers: the running Java and class path, as small as possible.
    ///
    /// @param reports folder of the reports of a crashed keeper
    public static List<String> keeperCommand(Path reports) {
        return List.of(javaProgram(), "--enable-native-access=ALL-UNNAMED", "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + report(reports, "hs_err_pid"), "-XX:ReplayDataFile=" + report(reports, "replay_pid"),
                "-XX:+UseSerialGC", "-Xmx32m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                ServerKeeper.class.getName());
    }

    /// Java replaces %p.
    private static String report(Path folder, String name) {
        return folder.toAbsolutePath().resolve(name).toString().replace("%", "%%") + "%p.log";
    }

    /// The Java program that runs this process.
    public static String javaProgram() {
        return Path.of(System.getProperty("java.home"), "bin", onWindows() ? "java.exe" : "java").toString();
    }

    /// One file for all users of the machine, and one in the workspace for containers that share it: docs/decisions/0021.
    static List<Path> machineLocks(Path workspace, EnvironmentVariables environment) {
        List<Path> files = new ArrayList<>();
        String shared = onWindows() ? environment.value("ProgramData").orElse("C:\\ProgramData") : "/tmp";
        files.add(Path.of(shared, "inferometer-measuring.lock"));
        try {
            files.add(workspace.resolve(".measuring-" + Files.readString(BOOT_ID).strip() + ".lock"));
        } catch (IOException e) {
            // Not Linux: containers run in a machine of their own.
            return List.copyOf(files);
        }
        return List.copyOf(files);
    }

    private static boolean onWindows() {
        return File.separatorChar == '\\';
    }

    @Override
    public Path workspace() {
        return workspace;
    }

    @Override
    public long workerHeapBytes() {
        // As the JVM counts it, which respects the limit of a container.
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize() / 100
                * HEAP_PERCENT;
    }

    @Override
    public Closeable reserve() throws RunFailure, IOException {
        if (!reserved.compareAndSet(false, true)) {
            // Opening the files again would drop the locks that this process has on them.
            throw new RunFailure("Another experiment is running in this program. Wait, or stop it.");
        }
        Closeable all = () -> {
            try {
                // Before the machine is free for others.
                servers.close();
                MachineLock.closeAll(taken);
            } finally {
                taken.clear();
                reserved.set(false);
            }
        };
        try {
            for (Path file : machineLocks) {
                taken.add(MachineLock.take(file));
            }
            return all;
        } catch (IOException | RunFailure e) {
            all.close();
            throw e;
        }
    }

    @Override
    public void keepReserved() throws RunFailure, IOException {
        for (int i = 0; i < taken.size(); i++) {
            taken.set(i, taken.get(i).kept());
        }
    }

    @Override
    public void watchReservation() {
        taken.forEach(MachineLock::look);
    }

    @Override
    public Session start(RunPlan plan) throws IOException {
        Path runFolder = workspace.resolve(plan.folder()).toAbsolutePath();
        // The JVM does not create the folder of its report. An experiment that was moved or deleted is not made again.
        if (!Files.isDirectory(runFolder)) {
            Files.createDirectory(runFolder);
        }
        Path report = runFolder.resolve(RecordFiles.CRASH_REPORT);
        List<String> line = new ArrayList<>(command);
        // The JVM replaces %p.
        line.add(1, "-XX:ErrorFile=" + report.toString().replace("%", "%%"));
        // Not into the run's folder: a record has no such file.
        line.add(1, "-XX:ReplayDataFile=" + report(workspace, "replay_pid"));
        ServedSession.WorkerStart worker =
                server -> new WorkerProcess(line, variables.of(plan), variables.environment().mask(),
                        new WorkerProtocol.Order(WorkerProtocol.VERSION, workspace.toAbsolutePath().toString(),
                                WorkerReservation.ofThisProcess(machineLocks), plan, server),
                        () -> CrashReport.read(report, plan.subject(), workspace));
        Optional<ServerStart> server = variables.server(plan);
        if (server.isEmpty()) {
            // It would hold memory and cores that this run measures.
            servers.close();
            return worker.start(PreparedServer.NONE);
        }
        return new ServedSession(servers, server.get(), variables.of(plan), runFolder, variables.mask(plan), worker);
    }
}
