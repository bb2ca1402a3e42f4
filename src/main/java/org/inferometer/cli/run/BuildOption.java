package org.inferometer.cli.run;

import java.io.IOException;
import java.util.Optional;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.UsageException;
import org.inferometer.run.BenchmarkService;
import org.inferometer.units.QuantityText;
import picocli.CommandLine.Option;

/// `--yes`, and the question before a large build.
public final class BuildOption {
    @Option(names = "--yes", description = "Build engines of more than 2 GiB without a question.")
    boolean yes;

    /// @param bytes of the engines that would be built first
    /// @throws UsageException if they are many and nobody approves
    public void require(long bytes, Terminal terminal) throws UsageException {
        if (yes || bytes <= BenchmarkService.LARGE_BUILD_BYTES) {
            return;
        }
        String size = QuantityText.bytes(bytes);
        Optional<Boolean> approved;
        try {
            approved = terminal.ask("Engines of " + size + " are not built yet. Build them now?");
        } catch (IOException e) {
            approved = Optional.empty();
        }
        if (!approved.orElse(false)) {
            throw new UsageException("Engines of " + size + " would be built first"
                    + (approved.isEmpty() ? ", and no terminal answers whether to. To build them, add --yes."
                            : ". Not approved; nothing was built."));
        }
    }
}
