package org.inferometer.cli.run;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.RootCommand;
import org.inferometer.units.FileFault;
import picocli.CommandLine.Command;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/// `worker`: the process of one measured run. Started by `run` and the desktop, not by users.
@Command(name = "worker", hidden = true,
        description = "Run one plan: JSON on standard input, JSON lines on standard output. Used by run and the desktop.",
        footer = {"", "Example:", "  inferometer worker", ""})
public final class WorkerModeCommand implements Callable<Integer> {
    private final RootCommand root;

    public WorkerModeCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws CommandException {
        ignoreInterrupts();
        try {
            return root.worker();
        } catch (IOException e) {
            throw new CommandException("The worker lost its standard streams: " + FileFault.describe(e), e);
        }
    }

    /// Ctrl+C in a terminal is sent to the whole process group. The parent stops this worker by a message, so that the record is
    /// completed.
    private static void ignoreInterrupts() {
        try {
            Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
        } catch (IllegalArgumentException notHere) {
            System.getLogger(WorkerModeCommand.class.getName()).log(System.Logger.Level.DEBUG,
                    "Interrupts cannot be ignored here", notHere);
        }
    }
}
