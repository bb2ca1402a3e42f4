package org.inferometer.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.cli.CliFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Every option with a file or folder is known as one that is read, or as one that is written and noted meanwhile.
class OutputOptionsTest {
    private static final Set<String> READ =
            Set.of("--calibration", "--checkpoint", "--folder", "--test-list", "--text", "--workspace");

    @TempDir
    Path folder;

    @Test
    void everyOptionWithAFileIsReadOrWritten() throws IOException {
        Set<String> all = new TreeSet<>();
        try (CliFixture fixture = new CliFixture(folder)) {
            collect(fixture.cli(new ByteArrayOutputStream(), new ByteArrayOutputStream()).commands(), all);
        }
        assertThat(all).containsAll(Cli.OUTPUTS);
        all.removeAll(Cli.OUTPUTS);
        assertThat(all).isEqualTo(READ);
    }

    private static void collect(CommandLine command, Set<String> all) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (option.type() == Path.class || option.paramLabel().matches("DIR.*|FILE.*")) {
                all.add(option.longestName());
            }
        }
        command.getSubcommands().values().forEach(each -> collect(each, all));
    }
}
