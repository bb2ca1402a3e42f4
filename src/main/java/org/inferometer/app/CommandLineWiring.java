package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.CliWiring;
import org.inferometer.cli.DesktopStart;
import org.inferometer.cli.Place;
import org.inferometer.cli.Registries;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.plugin.Plugins;
import org.inferometer.record.ProgramVersion;
import org.inferometer.run.Workspace;
import org.inferometer.run.worker.Worker;
import org.inferometer.selfcheck.BackendChecks;
import org.inferometer.selfcheck.HarnessChecks;
import org.inferometer.selfcheck.HttpClientChecks;
import org.inferometer.selfcheck.LoopCheck;
import org.inferometer.selfcheck.SelfCheck;
import org.inferometer.units.EnvFile;
import org.inferometer.units.EnvironmentVariables;

/// Constructs the services of the command line.
final class CommandLineWiring implements CliWiring {
    private final EnvironmentVariables environment;
    private final Programs programs;

    /// @param environment variables of the process
    CommandLineWiring(EnvironmentVariables environment) {
        this(environment, Program::new);
    }

    /// Constructs the parts for a workspace with its variables and plug-ins.
    @FunctionalInterface
    interface Programs {
        Program create(Workspace workspace, EnvironmentVariables environment, Plugins plugins);
    }

    CommandLineWiring(EnvironmentVariables environment, Programs programs) {
        this.environment = environment;
        this.programs = programs;
    }

    @Override
    public CliServices services(Place place) {
        Program program = programs.create(Workspace.locate(place.workspace(), environment),
                variables(place.workspace()), plugins(place));
        return new CliServices(program.workspace(), program.engines(),
                new Registries(program.schedulers(), program.backends(), program.targets()), program::benchmarks,
                program.reports(), program.schedulerSuite(), program.machine(), program::inspectMachine,
                selfCheck(program), program.environment(), ShutdownHooks.ofProcess(), program.clock(),
                Relaunch.words());
    }

    @Override
    public int desktop(Place place, DesktopStart start) {
        return DesktopWiring.open(Workspace.locate(place.workspace(), environment), variables(place.workspace()),
                plugins(place), start, this);
    }

    /// Those of the workspace only if the user chose it, as with `.env`: a folder of others may have jars.
    private Plugins plugins(Place place) {
        return Workspace.isChosen(place.workspace(), environment)
                ? Plugins.of(place.plugins(), Workspace.locate(place.workspace(), environment).plugins())
                : new Plugins(place.plugins());
    }

    private EnvironmentVariables variables(Optional<Path> workspace) {
        return Workspace.isChosen(workspace, environment)
                ? environment.with(EnvFile.read(Workspace.locate(workspace, environment).root())) : environment;
    }

    @Override
    public int worker(Place place, InputStream in, PrintStream out) throws IOException {
        // Only the jars that the parent loaded.
        Plugins named = new Plugins(place.plugins());
        return new Worker(
                programs.create(Workspace.locate(place.workspace(), environment), environment, named).execution(), in,
                out).run();
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
