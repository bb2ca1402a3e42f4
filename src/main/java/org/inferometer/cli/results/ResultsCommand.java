package org.inferometer.cli.results;

import org.inferometer.cli.SubcommandNeeded;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `results`: needs one of its commands.
@Command(name = "results", description = "Lists, shows and prunes what was measured.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Examples:", "  inferometer results list", "  inferometer results show latest",
                "  inferometer results steps latest --run 1 --limit 20",
                "  inferometer results prune --older-than 30d --dry-run", ""})
public final class ResultsCommand implements Runnable {
    @Spec
    @Nullable
    CommandSpec spec;

    @Override
    public void run() {
        throw SubcommandNeeded.of(spec);
    }
}
