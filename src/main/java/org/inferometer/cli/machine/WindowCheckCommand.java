package org.inferometer.cli.machine;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.selfcheck.WindowCheck;
import org.inferometer.selfcheck.WindowCheckOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `window-check`: the process of one check of the window. Started by `selfcheck --ui`, not by users.
@Command(name = "window-check", hidden = true,
        description = "Open the window in the workspace and measure it: JSON lines on standard output. Used by selfcheck --ui.",
        footer = {"", "Example:", "  inferometer --workspace DIR window-check open", ""})
public final class WindowCheckCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(paramLabel = "NAME", description = "Name of the check.")
    String name = "";

    @Option(names = "--times", description = "Repetitions.")
    int times;

    @Option(names = "--seconds", description = "Duration of a measurement.")
    int seconds;

    @Option(names = "--requests", description = "Requests of the generated result.")
    int requests;

    public WindowCheckCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws UsageException, IOException, InterruptedException {
        WindowCheck check = WindowCheck.of(name).orElseThrow(() -> new UsageException(
                "No check of the window is named \"" + name + "\"; there are " + WindowCheck.ids() + "."));
        return root.measureWindow(check, new WindowCheckOptions(times, seconds, requests));
    }
}
