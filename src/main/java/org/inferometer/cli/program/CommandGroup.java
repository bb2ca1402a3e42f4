package org.inferometer.cli.program;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// A command that only has subcommands: `engines`, `results` or `suite`.
final class CommandGroup implements Runnable {
    private final CommandLine line;

    /// @param examples command lines, without the program's name
    CommandGroup(String name, String description, List<String> examples, List<Object> subcommands) {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name(name);
        spec.usageMessage().description(description).synopsisSubcommandLabel("COMMAND")
                .footer("\nExamples:\n  inferometer " + String.join("\n  inferometer ", examples) + "\n");
        this.line = new CommandLine(spec);
        subcommands.forEach(line::addSubcommand);
    }

    CommandLine line() {
        return line;
    }

    @Override
    public void run() {
        CommandSpec spec = line.getCommandSpec();
        throw new ParameterException(line,
                spec.name() + " needs a subcommand: " + String.join(", ", spec.subcommands().keySet()) + ".");
    }
}
