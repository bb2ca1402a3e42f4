package org.inferometer.cli.machine;

import java.io.IOException;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.SshHost;
import org.inferometer.report.DevicesText;
import org.inferometer.report.DevicesText.MachineView;
import org.inferometer.units.FileFault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `devices`: CPU, GPUs, backends and readiness, of this machine or of another.
@Command(name = "devices",
        description = "Show CPU, GPUs and backends, and check whether the machine is ready for measurements.",
        footer = {"", "Examples:", "  inferometer devices", "  inferometer devices --json",
                "  inferometer devices --on ssh:gpu1", ""})
public final class DevicesCommand extends JsonCommand {
    @Option(names = "--on", paramLabel = "ssh:HOST",
            description = "Show CPU, GPUs, backends and engines of another machine through ssh.")
    @Nullable
    String on;

    public DevicesCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException {
        if (on != null) {
            RemoteMachine offer = asked(on);
            print(offer, () -> RemoteMachineText.of(offer, terminal().columns()));
            return ExitCodes.DONE;
        }
        MachineView machine = services().inspection().get();
        print(machine, () -> DevicesText.of(machine, terminal().columns()));
        return ExitCodes.DONE;
    }

    private static RemoteMachine asked(String on) throws UsageException, CommandException {
        try {
            return RemoteMachine.ask(SshHost.parse(on));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--on: " + e.getMessage());
        } catch (IOException e) {
            throw new CommandException(FileFault.sentence(e), e);
        }
    }
}
