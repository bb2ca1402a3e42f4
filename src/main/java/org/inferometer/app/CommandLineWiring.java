package org.inferometer.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.CliWiring;
import org.inferometer.cli.Registries;
import org.inferometer.cli.ShutdownHooks;
import org.inferometer.record.ProgramVersion;
import org.inferometer.run.Worker;
import org.inferometer.selfcheck.AgreementChecks;
import org.inferometer.selfcheck.CudaRatioChecks;
import org.inferometer.selfcheck.HarnessChecks;
import org.inferometer.selfcheck.HostRatioChecks;
import org.inferometer.selfcheck.HttpClientChecks;
import org.inferometer.selfcheck.LoopCheck;
import org.inferometer.selfcheck.SelfCheck;
import org.inferometer.selfcheck.StepShareCheck;

/// Constructs the services of the command line.
final class CommandLineWiring implements CliWiring {
    @Override
    public CliServices services(Optional<Path> workspace) {
        Program program = new Program(Home.workspace(workspace));
        return new CliServices(program.workspace(), program.engines(),
                new Registries(program.schedulers(), program.backends(), program.targets()), program::benchmarks,
                program.reports(), program.schedulerSuite(), program.machine(), program::inspectMachine,
                selfCheck(program), (in, out) -> new Worker(program.execution(), in, out).run(),
                ShutdownHooks.ofProcess(), program.clock());
    }

    @Override
    public int desktop(Optional<Path> workspace) {
        return DesktopWiring.open(Home.workspace(workspace), this);
    }

    @Override
    public String version() {
        return "Inferometer " + ProgramVersion.text();
    }

    private static SelfCheck selfCheck(Program program) {
        return new SelfCheck(new HarnessChecks(program.clock()),
                new LoopCheck(program.clock(), program.schedulers(), program.store(), program.machine()),
                new StepShareCheck(program.engines(), program.execution(), program.store()),
                HttpClientChecks.part(program.clock()),
                // Host ratios before agreement: agreement's small shapes compile kernels that are slow for large ones.
                List.of(HostRatioChecks.part(program.engines(), program.clock()), AgreementChecks.host(program.clock()),
                        AgreementChecks.cuda(program.clock()),
                        CudaRatioChecks.part(program.engines(), program.clock())));
    }
}
