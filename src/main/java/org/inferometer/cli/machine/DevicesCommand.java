package org.inferometer.cli.machine;

import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.report.DevicesText;
import org.inferometer.report.MachineView;
import picocli.CommandLine.Command;

/// `devices`: CPU, GPUs, backends and readiness.
@Command(name = "devices",
        description = "Show CPU, GPUs and backends, and check whether the machine is ready for measurements.",
        footer = {"", "Examples:", "  inferometer devices", "  inferometer devices --json", ""})
public final class DevicesCommand extends JsonCommand {
    public DevicesCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() {
        MachineView machine = services().inspection().get();
        print(machine, () -> DevicesText.of(machine, terminal().columns()));
        return ExitCodes.DONE;
    }
}
