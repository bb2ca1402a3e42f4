package org.inferometer.cli.engines;

import org.inferometer.cli.SubcommandNeeded;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `engines`: needs one of its commands.
@Command(name = "engines",
        description = "Lists, builds, explains and checks engines: models in one precision, ready to run.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Examples:", "  inferometer engines list", "  inferometer engines build tiny-fp8 tiny-int4",
                "  inferometer engines inspect tiny-int4", "  inferometer engines verify tiny-fp8", ""})
public final class EnginesCommand implements Runnable {
    @Spec
    @Nullable
    CommandSpec spec;

    @Override
    public void run() {
        throw SubcommandNeeded.of(spec);
    }
}
