package org.inferometer.cli.machine;

import java.util.concurrent.Callable;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.RootCommand;
import org.inferometer.report.DevicesText;
import org.inferometer.report.MachineView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `devices`: what can compute here, and whether the machine is fit to be measured on.
@Command(name = "devices",
        description = "Shows the CPU, the GPUs or why there are none, and whether the machine is fit to be measured on.",
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
        if (json.asked) {
            json.print(root.terminal(), machine);
            return ExitCodes.DONE;
        }
        root.terminal().out().print(DevicesText.of(machine, root.terminal().columns()));
        root.terminal().out().flush();
        return ExitCodes.DONE;
    }
}
