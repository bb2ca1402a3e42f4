package org.inferometer.cli.run;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.concurrent.Callable;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.RootCommand;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.RemoteSide;
import picocli.CommandLine.Command;

/// `remote`: the side of `run --on ssh:HOST` that runs. Started through ssh, not by users.
@Command(name = "remote", hidden = true,
        description = "Run an experiment for another machine: JSON lines on standard input and output. Used by run --on.",
        footer = {"", "Example:", "  inferometer remote", ""})
public final class RemoteCommand implements Callable<Integer> {
    private final RootCommand root;

    public RemoteCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws InterruptedException {
        CliServices services = root.services();
        new RemoteSide(services.benchmarks().apply(services.workspace().results()), services.workspace().results(),
                services.machine().inferometerVersion(),
                () -> RemoteMachine.of(services.machine(), services.registries().backends().all(),
                        services.engines().entries()),
                services.clock()).serve(root.terminal().in(),
                        // Records are bytes, and a lost connection must be noticed.
                        new FileOutputStream(FileDescriptor.out));
        return ExitCodes.DONE;
    }
}
