package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.util.logging.LogManager;
import org.inferometer.cli.Cli;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.VectorProcess;

/// The entry point of command line, desktop and worker.
public final class Main {
    private Main() {}

    /// Runs a command and exits with its code.
    public static void main(String[] arguments) throws IOException {
        Terminal terminal = Terminal.ofProcess(System.getenv());
        configureLogging();
        System.exit(VectorProcess.needed(arguments) ? VectorProcess.run(Main.class, terminal, arguments)
                : new Cli(new CommandLineWiring(), terminal).execute(arguments));
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
