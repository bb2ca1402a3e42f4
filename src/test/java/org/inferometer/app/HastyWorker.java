package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.plugin.Plugins;
import org.inferometer.run.LocalRunHost;
import org.inferometer.run.RunHost;
import org.inferometer.run.WorkerVariables;
import org.inferometer.run.Workspace;
import org.inferometer.run.worker.WarmUp;
import org.inferometer.run.worker.Worker;
import org.inferometer.units.EnvironmentVariables;

/// The program's worker without the seconds in which kernels become fast: for tests of what a run does, not of how fast it is.
final class HastyWorker {
    private HastyWorker() {}

    /// Runs the plan on standard input and exits with the worker's code.
    public static void main(String[] arguments) throws IOException {
        List<Path> jars = Stream.of(arguments).filter(word -> word.endsWith(".jar")).map(Path::of).toList();
        Program program = new Program(new Workspace(Path.of("").toAbsolutePath()), EnvironmentVariables.ofProcess(),
                new Plugins(jars));
        System.exit(new Worker(program.execution().warmingUp(WarmUp.ONCE), System.in, System.out).run());
    }

    /// Such workers with a lock in a folder of their own, so that nothing else that measures on this machine is in the way.
    static RunHost in(Path folder) {
        return new LocalRunHost(FastJava.worker(HastyWorker.class), folder, List.of(folder.resolve("measuring.lock")));
    }

    /// Such workers with plug-ins.
    static RunHost in(Path folder, Plugins plugins) {
        List<String> command = new ArrayList<>(FastJava.worker(HastyWorker.class));
        command.addAll(plugins.arguments());
        return new LocalRunHost(command, folder, List.of(folder.resolve("measuring.lock")));
    }

    /// Such workers that get what their targets use of the `.env` file.
    static RunHost in(Path folder, EnvironmentVariables environment) {
        return new LocalRunHost(FastJava.worker(HastyWorker.class), folder, List.of(folder.resolve("measuring.lock")),
                new WorkerVariables(Program.targets(environment), environment));
    }

    /// The program's own workers, with such a lock.
    static RunHost thorough(Path folder) {
        return new LocalRunHost(FastJava.worker(Main.class), folder, List.of(folder.resolve("measuring.lock")));
    }
}
