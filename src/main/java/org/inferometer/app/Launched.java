package org.inferometer.app;

import java.util.Arrays;
import org.inferometer.cli.ExitCodes;

/// The entry point under a launcher. Java itself exits with 1 if it cannot start, so a verdict exits with [#VERDICT].
///
/// The launcher turns [#VERDICT] into 1, and 1 into 3. The program ends when its launcher has ended, for example by SIGKILL.
public final class Launched {
    /// The exit code of a verdict. Java itself does not use it.
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
