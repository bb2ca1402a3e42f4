package org.inferometer.cli.suite;

import org.inferometer.cli.SubcommandNeeded;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `suite`: needs one of its commands.
@Command(name = "suite", description = "Checks folders of experiment files (*.yaml).",
        synopsisSubcommandLabel = "COMMAND", footer = {"", "Examples:", "  inferometer suite validate experiments", ""})
public final class SuiteCommand implements Runnable {
    @Spec
    @Nullable
    CommandSpec spec;

    @Override
    public void run() {
        throw SubcommandNeeded.of(spec);
    }
}
