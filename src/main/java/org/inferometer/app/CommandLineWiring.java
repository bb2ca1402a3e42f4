package org.inferometer.app;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.CliWiring;
import org.inferometer.cli.Registries;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.record.ProgramVersion;
import org.inferometer.run.Worker;
import org.inferometer.run.Workspace;
import org.inferometer.selfcheck.BackendChecks;
import org.inferometer.selfcheck.HarnessChecks;
import org.inferometer.selfcheck.HttpClientChecks;
import org.inferometer.selfcheck.LoopCheck;
import org.inferometer.selfcheck.SelfCheck;

/// Constructs the services of the command line.
final class CommandLineWiring implements CliWiring {
    private final Function<Workspace, Program> programs;

    CommandLineWiring() {
        this(Program::new);
    }

    /// @param programs the parts for a workspace
    CommandLineWiring(Function<Workspace, Program> programs) {
        this.programs = programs;
    }

    @Override
    public CliServices services(Optional<Path> workspace) {
        Program program = programs.apply(Workspace.locate(workspace));
        return new CliServices(program.workspace(), program.engines(),
                new Registries(program.schedulers(), program.backends(), program.targets()), program::benchmarks,
                program.reports(), program.schedulerSuite(), program.machine(), program::inspectMachine,
                selfCheck(program), (in, out) -> new Worker(program.execution(), in, out).run(),
                ShutdownHooks.ofProcess(), program.clock());
    }

    @Override
    public int desktop(Optional<Path> workspace) {
        return DesktopWiring.open(Workspace.locate(workspace), this);
    }

    @Override
    public String version() {
        return "Inferometer " + ProgramVersion.text();
    }

    private static SelfCheck selfCheck(Program program) {
        return new SelfCheck(new HarnessChecks(program.clock()),
                new LoopCheck(program.clock(), program.schedulers(), program.store(), program.machine()),
                HttpClientChecks.part(program.clock()), BackendChecks.parts(program.backends().all(), program.clock()));
    }
}
