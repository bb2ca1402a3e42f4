package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.util.logging.LogManager;
import org.inferometer.cli.Cli;
import org.inferometer.cli.Terminal;

/// The program's entry: command line, desktop and worker in one.
public final class Main {
    private Main() {}

    /// Runs what the arguments say and exits with its code.
    public static void main(String[] arguments) throws IOException {
        configureLogging();
        Terminal terminal = Terminal.ofProcess(System.getenv());
        System.exit(VectorProcess.needed(arguments) ? VectorProcess.run(terminal, arguments)
                : new Cli(new CommandLineWiring(), terminal).execute(arguments));
    }

    /// Warnings of libraries go to the log on standard error; JavaFX's remark that it runs from the class path, as is meant, does not.
    private static void configureLogging() throws IOException {
        if (System.getProperty("java.util.logging.config.file") != null) {
            return;
        }
        try (InputStream settings = Main.class.getResourceAsStream("logging.properties")) {
            LogManager.getLogManager().readConfiguration(settings);
        }
    }
}
