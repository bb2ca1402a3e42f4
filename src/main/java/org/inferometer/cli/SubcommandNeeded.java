package org.inferometer.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// The fault of a command that does nothing by itself.
public final class SubcommandNeeded {
    private SubcommandNeeded() {}

    public static ParameterException of(@Nullable CommandSpec command) {
        CommandSpec known = Objects.requireNonNull(command);
        String names =
                String.join(", ", known.subcommands().values().stream().map(CommandLine::getCommandName).toList());
        return new ParameterException(known.commandLine(), "Say what to do: " + known.name() + " " + names + ".");
    }
}
