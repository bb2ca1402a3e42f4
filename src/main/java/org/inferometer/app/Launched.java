package org.inferometer.app;

import java.util.Arrays;
import org.inferometer.cli.ExitCodes;

/// The entry point under a launcher that owns the exit codes: a verdict is [#VERDICT] here, because Java ends with 1 if it cannot start.
///
/// The launcher makes 1 of it, and 3 of 1. The program ends when its launcher is gone, as after a SIGKILL.
public final class Launched {
    /// The code that only this program uses.
    public static final int VERDICT = 81;

    private Launched() {}

    /// Runs a command.
    ///
    /// @param arguments the process number of the launcher, 0 if it knows none; then the command
    public static void main(String[] arguments) {
        Main.run(code -> code == ExitCodes.VERDICT_FAILED ? VERDICT : code, () -> {
            endWith(Long.parseLong(arguments[0]));
            return Main.execute(Arrays.copyOfRange(arguments, 1, arguments.length));
        });
    }

    private static void endWith(long launcher) {
        if (launcher != 0) {
            ProcessHandle.of(launcher).ifPresentOrElse(
                    handle -> handle.onExit().thenRun(() -> System.exit(ExitCodes.RUN_FAILED)),
                    () -> System.exit(ExitCodes.RUN_FAILED));
        }
    }
}
