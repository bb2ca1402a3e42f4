package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.CliWiring;
import org.inferometer.cli.DesktopStart;
import org.inferometer.cli.Registries;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.record.ProgramVersion;
import org.inferometer.run.Worker;
import org.inferometer.run.Workspace;
import org.inferometer.selfcheck.BackendChecks;
import org.inferometer.selfcheck.GeneratedExperiment;
import org.inferometer.selfcheck.HarnessChecks;
import org.inferometer.selfcheck.HttpClientChecks;
import org.inferometer.selfcheck.LoopCheck;
import org.inferometer.selfcheck.SelfCheck;
import org.inferometer.selfcheck.WindowCheck;
import org.inferometer.selfcheck.WindowCheckOptions;
import org.inferometer.selfcheck.WindowChecks;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.selfcheck.WindowMeasurement;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.units.EnvFile;
import org.inferometer.units.EnvironmentVariables;
import tools.jackson.databind.json.JsonMapper;

/// Constructs the services of the command line.
final class CommandLineWiring implements CliWiring {
    private final EnvironmentVariables environment;
    private final BiFunction<Workspace, EnvironmentVariables, Program> programs;

    /// @param environment variables of the process
    CommandLineWiring(EnvironmentVariables environment) {
        this(environment, Program::new);
    }

    /// @param programs the parts for a workspace and its variables
    CommandLineWiring(EnvironmentVariables environment, BiFunction<Workspace, EnvironmentVariables, Program> programs) {
        this.environment = environment;
        this.programs = programs;
    }

    @Override
    public CliServices services(Optional<Path> workspace) {
        Program program = programs.apply(Workspace.locate(workspace, environment), variables(workspace));
        return new CliServices(program.workspace(), program.engines(),
                new Registries(program.schedulers(), program.backends(), program.targets()), program::benchmarks,
                program.reports(), program.schedulerSuite(), program.machine(), program::inspectMachine,
                selfCheck(program), () -> windowChecks(program), program.environment(), ShutdownHooks.ofProcess(),
                program.clock(), Relaunch.words());
    }

    @Override
    public int desktop(Optional<Path> workspace, DesktopStart start) {
        return DesktopWiring.open(Workspace.locate(workspace, environment), variables(workspace), start, this);
    }

    private EnvironmentVariables variables(Optional<Path> workspace) {
        return Workspace.isChosen(workspace, environment)
                ? environment.with(EnvFile.read(Workspace.locate(workspace, environment).root())) : environment;
    }

    @Override
    public int worker(Optional<Path> workspace, InputStream in, PrintStream out) throws IOException {
        return new Worker(programs.apply(Workspace.locate(workspace, environment), environment).execution(), in, out)
                .run();
    }

    @Override
    public int measureWindow(Path workspace, WindowCheck check, WindowCheckOptions options, PrintStream out)
            throws IOException, InterruptedException {
        JsonMapper mapper = JsonMapper.builder().build();
        DesktopServices services = DesktopWiring.services(
                programs.apply(Workspace.locate(Optional.of(workspace), environment), environment),
                new Settings(workspace.resolve("ui.properties")));
        WindowMeasurement.run(services, check, options, samples -> out.println(mapper.writeValueAsString(samples)));
        return 0;
    }

    @Override
    public String version() {
        return "Inferometer " + ProgramVersion.text();
    }

    private WindowChecks windowChecks(Program program) {
        return new WindowChecks(new OwnWindow(DesktopWiring.displayAvailable(environment)),
                new GeneratedExperiment(program.store(), program.machine(), program.clock()), program::benchmarks);
    }

    private static SelfCheck selfCheck(Program program) {
        return new SelfCheck(new HarnessChecks(program.clock()),
                new LoopCheck(program.clock(), program.schedulers(), program.store(), program.machine()),
                HttpClientChecks.part(program.clock()), BackendChecks.parts(program.backends().all(), program.clock()));
    }
}
