package org.inferometer.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// `inferometer` itself: the options that every command has, and the services that all of them work with.
@Command(name = "inferometer",
        description = "Measures how fast large language models are served, and shows why. Without a command it opens the desktop.",
        footer = {"", "Exit codes: 0 done, 1 a verdict or a check failed, 2 wrong use, 3 a run failed.",
                "Progress goes to standard error; results, and with --json nothing else, to standard output.", "",
                "Examples:", "  inferometer run quick", "  inferometer results show latest",
                "  inferometer help schedulers", ""})
public final class RootCommand implements Callable<Integer> {
    private final CliWiring wiring;
    private final Terminal terminal;
    private @Nullable CliServices services;

    @Option(names = "--workspace", paramLabel = "DIR",
            description = "Folder with engines and results. Default: INFEROMETER_WORKSPACE, else the installation's.")
    @Nullable
    Path workspace;

    @Option(names = "--verbose", scope = ScopeType.INHERIT,
            description = "Show details of faults and the workers' small talk on standard error.")
    boolean verbose;

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Show this help.")
    boolean helpAsked;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Show the version.")
    boolean versionAsked;

    RootCommand(CliWiring wiring, Terminal terminal) {
        this.wiring = wiring;
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return wiring.desktop(Optional.ofNullable(workspace));
    }

    public Terminal terminal() {
        return terminal;
    }

    String version() {
        return wiring.version();
    }

    public boolean verbose() {
        return verbose;
    }

    /// The services of the chosen workspace, put together when first asked for.
    public CliServices services() {
        if (services == null) {
            services = wiring.services(Optional.ofNullable(workspace));
        }
        return services;
    }
}
