package org.inferometer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// `inferometer` itself: the options of every command, and the services that commands share.
@Command(name = "inferometer",
        description = "Measure how fast large language models are served, and why. Without a command the desktop opens.",
        footer = {"", "Exit codes: 0 success, 1 verdict or check failed, 2 usage error, 3 run failed.",
                "Results go to standard output, progress to standard error. With --json, standard output is one JSON document.",
                "", "Examples:", "  inferometer run quick", "  inferometer results show latest",
                "  inferometer help schedulers", ""})
public final class RootCommand implements Callable<Integer> {
    private final CliWiring wiring;
    private final Terminal terminal;
    private @Nullable CliServices services;

    @Option(names = "--workspace", paramLabel = "DIR", scope = ScopeType.INHERIT,
            description = "Folder with engines and results. Default: INFEROMETER_WORKSPACE, else the installation. "
                    + "Its file .env gives variables (NAME=value) that the environment does not set.")
    @Nullable
    Path workspace;

    @Option(names = "--plugin", paramLabel = "JAR",
            description = "Jar with schedulers; may be given several times. Jars in the workspace's folder plugins are loaded as well.")
    List<Path> plugins = new ArrayList<>();

    @Option(names = "--reset-ui", description = "Open the desktop with its first settings: looks, window and session.")
    boolean resetUi;

    @Option(names = "--new-window",
            description = "Open a window even if this workspace has one; else that one comes to the front and opens the file.")
    boolean newWindow;

    @Option(names = "--verbose", scope = ScopeType.INHERIT,
            description = "Print stack traces and all worker log messages to standard error.")
    boolean verbose;

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Show this help.")
    boolean helpRequested;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Show the version.")
    boolean versionRequested;

    public RootCommand(CliWiring wiring, Terminal terminal) {
        this.wiring = wiring;
        this.terminal = terminal;
    }

    private Place place() {
        return new Place(Optional.ofNullable(workspace), plugins);
    }

    @Override
    public Integer call() {
        return wiring.desktop(place(), new DesktopStart(Optional.empty(), resetUi, newWindow));
    }

    /// Opens the desktop with a bundle or the folder of a result.
    ///
    /// @return the exit code
    public int open(Path file) {
        return wiring.desktop(place(), new DesktopStart(Optional.of(file), resetUi, newWindow));
    }

    public Terminal terminal() {
        return terminal;
    }

    public String version() {
        return wiring.version();
    }

    public boolean verbose() {
        return verbose;
    }

    /// Runs one measured run, as a worker.
    ///
    /// @return the exit code
    public int worker() throws IOException {
        return wiring.worker(place(), terminal.in(), terminal.out());
    }

    /// The text without secrets of the `.env` file.
    public String masked(String text) {
        return services == null ? text : services.environment().mask().apply(text);
    }

    /// The services of the chosen workspace, constructed at the first call.
    public CliServices services() {
        if (services == null) {
            services = wiring.services(place());
            services.environment().warnings().forEach(warning -> terminal.err().println("warning: " + warning));
        }
        return services;
    }
}
