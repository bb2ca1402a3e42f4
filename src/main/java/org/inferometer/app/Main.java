package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntUnaryOperator;
import java.util.logging.LogManager;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.VectorProcess;
import org.inferometer.cli.program.Cli;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.OneLine;

/// The entry point of command line, desktop and worker.
public final class Main {
    private static final String OUT_OF_MEMORY =
            "error: Out of memory. Raise the heap, for example with INFEROMETER_JAVA_OPTIONS=-Xmx8g.";

    private Main() {}

    /// Runs a command and exits with its code.
    public static void main(String[] arguments) {
        run(IntUnaryOperator.identity(), () -> execute(arguments));
    }

    /// A command with the exit code that it returns.
    interface Command {
        int run() throws IOException;
    }

    /// Runs a command and ends the process.
    ///
    /// @param codes gives the code of the process for a code of a command
    static void run(IntUnaryOperator codes, Command command) {
        try {
            System.exit(codes.applyAsInt(command.run()));
        } catch (OutOfMemoryError e) {
            fail(OUT_OF_MEMORY);
        } catch (IOException | RuntimeException | Error e) {
            fail("error: The program cannot start: " + OneLine.of(e.toString()) + ".");
        }
    }

    /// Not by an uncaught error: the JVM would exit with 1, which means a verdict.
    private static void fail(String message) {
        try {
            System.err.println(message);
        } finally {
            Runtime.getRuntime().halt(ExitCodes.RUN_FAILED);
        }
    }

    static int execute(String... arguments) throws IOException {
        EnvironmentVariables environment = EnvironmentVariables.ofProcess();
        Terminal terminal = Terminal.ofProcess(environment);
        configureLogging();
        return VectorProcess.needed(arguments)
                ? VectorProcess.run(Launched.class, Launched.VERDICT, terminal, arguments)
                : new Cli(new CommandLineWiring(environment), terminal).execute(arguments);
    }

    /// Library warnings go to standard error, except the one of JavaFX about running from the class path.
    private static void configureLogging() throws IOException {
        if (System.getProperty("java.util.logging.config.file") != null) {
            return;
        }
        try (InputStream settings = Main.class.getResourceAsStream("logging.properties")) {
            LogManager.getLogManager().readConfiguration(settings);
        }
    }
}
