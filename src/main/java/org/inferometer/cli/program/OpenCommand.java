package org.inferometer.cli.program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `open`: shows a bundle or a result in the desktop.
@Command(name = "open",
        description = "Open a bundle or a result in the desktop. A bundle is imported into the workspace.",
        footer = {"", "A bundle opens without the word open, too.", "", "Examples:",
                "  inferometer open shared.inferometer", "  inferometer open sample-results/eight-a-second", ""})
final class OpenCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(paramLabel = "FILE", description = "A bundle (.inferometer), or the folder of a result.")
    Path file = Path.of("");

    OpenCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws UsageException {
        if (!Files.exists(file)) {
            throw new UsageException(file + " does not exist. Name a bundle (.inferometer) or the folder of a result.");
        }
        return root.open(file);
    }
}
