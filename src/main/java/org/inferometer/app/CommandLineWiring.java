package org.inferometer.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.cli.CatalogShelf;
import org.inferometer.cli.Choice;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.CliWiring;
import org.inferometer.cli.LibraryShelf;
import org.inferometer.cli.MachineServices;
import org.inferometer.cli.ResultServices;
import org.inferometer.cli.RunServices;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.cli.Vocabulary;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.SpecReader;
import org.inferometer.report.MachineView;
import org.inferometer.run.Worker;
import org.inferometer.selfcheck.AgreementChecks;
import org.inferometer.selfcheck.CudaRatioChecks;
import org.inferometer.selfcheck.HarnessChecks;
import org.inferometer.selfcheck.HostRatioChecks;
import org.inferometer.selfcheck.HttpClientChecks;
import org.inferometer.selfcheck.LoopCheck;
import org.inferometer.selfcheck.SelfCheck;
import org.inferometer.selfcheck.StepShareCheck;
import org.inferometer.telemetry.MachineProbe;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessChecks;

/// Puts the command line together.
final class CommandLineWiring implements CliWiring {
    @Override
    public CliServices services(Optional<Path> workspace) {
        Program program = new Program(Home.workspace(workspace));
        return new CliServices(program.workspace(), run(program), new CatalogShelf(program.engines()),
                new ResultServices(new LibraryShelf(), new ReportDesk(program.reports(), program.schedulerSuite())),
                new MachineServices(() -> look(program), selfCheck(program)),
                (in, out) -> new Worker(program.execution(), in, out).run());
    }

    @Override
    public int desktop(Optional<Path> workspace) {
        return DesktopWiring.open(Home.workspace(workspace), this);
    }

    @Override
    public String version() {
        return "Inferometer " + Version.text();
    }

    private static RunServices run(Program program) {
        List<Choice> schedulers = program.schedulers().descriptions().stream().map(Choice::of).toList();
        List<Choice> backends = program.backends().all().stream().map(Choice::of).toList();
        Vocabulary vocabulary = new Vocabulary(new Presets().all(), schedulers, backends,
                program.targets().all().stream().map(Choice::of).toList(),
                () -> program.engines().entries().stream().map(EngineEntry::name).toList());
        return new RunServices(vocabulary, new SpecReader()::read, program::benchmarks, ShutdownHooks.ofProcess(),
                program.clock());
    }

    /// The machine as `devices` shows it; takes about a second.
    static MachineView look(Program program) {
        MachineReport report = new MachineProbe(program.clock()).probe();
        List<MachineView.BackendFact> backends =
                program.backends().all().stream().map(backend -> new MachineView.BackendFact(backend.name(),
                        backend.absence().isEmpty(), List.of(backend.absence().orElse(backend.summary())))).toList();
        return new MachineView(ThisMachine.description(report, Version.text()), report, ReadinessChecks.of(report),
                backends);
    }

    private static MachineServices.SelfCheck selfCheck(Program program) {
        SelfCheck checks = new SelfCheck(new HarnessChecks(program.clock()),
                new LoopCheck(program.clock(), program.schedulers(), program.store(), program.machine()),
                new StepShareCheck(program.engines(), program.execution(), program.store()),
                HttpClientChecks.part(program.clock()),
                // Agreement computes many small shapes, for which kernels would be compiled that are then slow for large ones.
                List.of(HostRatioChecks.part(program.engines(), program.clock()), AgreementChecks.host(program.clock()),
                        AgreementChecks.cuda(program.clock()),
                        CudaRatioChecks.part(program.engines(), program.clock())));
        return new KeptSelfCheck(checks, program);
    }
}
