package org.inferometer.cli.machine;

import java.util.concurrent.Callable;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.RootCommand;
import org.inferometer.report.DevicesText;
import org.inferometer.report.MachineView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `devices`: CPU, GPUs, backends and readiness.
@Command(name = "devices",
        description = "Show CPU, GPUs and backends, and check whether the machine is ready for measurements.",
        footer = {"", "Examples:", "  inferometer devices", "  inferometer devices --json", ""})
public final class DevicesCommand implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    JsonOption json = new JsonOption();

    public DevicesCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        MachineView machine = root.services().inspection().get();
        json.print(root.terminal(), machine, () -> DevicesText.of(machine, root.terminal().columns()));
        return ExitCodes.DONE;
    }
}
