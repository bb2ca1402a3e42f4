package org.inferometer.cli.run;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.inferometer.cli.CommandFailed;
import org.inferometer.cli.RootCommand;
import picocli.CommandLine.Command;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/// `worker`: the process in which one measured run happens. People do not call it; `run` and the desktop do.
@Command(name = "worker", hidden = true,
        description = "Runs one plan: reads it as JSON from standard input, writes JSON lines to standard output. Used by run and the desktop.",
        footer = {"", "Example:", "  inferometer worker", ""})
public final class WorkerModeCommand implements Callable<Integer> {
    private final RootCommand root;

    public WorkerModeCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws CommandFailed {
        ignoreInterrupts();
        try {
            return root.services().worker().run(root.terminal().in(), root.terminal().out());
        } catch (IOException e) {
            throw new CommandFailed("The worker lost its standard streams: " + e.getMessage(), e);
        }
    }

    /// Ctrl+C in a terminal reaches the whole group of processes. The one that started this worker asks it to stop by a message, so
    /// that the record is completed; dying of the signal would tear it.
    private static void ignoreInterrupts() {
        try {
            Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
        } catch (IllegalArgumentException notHere) {
            System.getLogger(WorkerModeCommand.class.getName()).log(System.Logger.Level.DEBUG,
                    "Interrupts cannot be ignored here", notHere);
        }
    }
}
