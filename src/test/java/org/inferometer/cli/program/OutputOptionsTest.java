package org.inferometer.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
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

    /// They write into the folder of the result that they name. Notes are gone when a command has ended; their folder stays.
    @Test
    void foldersOfResultsThatCommandsWriteToAreNoted() throws IOException {
        try (CliFixture fixture = new CliFixture(folder)) {
            String elsewhere = folder.resolve("elsewhere/result").toString();
            fixture.run("results", "show", elsewhere);
            assertThat(folder.resolve(".outputs")).doesNotExist();
            fixture.run("results", "note", elsewhere, "--star");
            assertThat(folder.resolve(".outputs")).isEmptyDirectory();
            Files.delete(folder.resolve(".outputs"));
            fixture.run("report", elsewhere);
            assertThat(folder.resolve(".outputs")).isEmptyDirectory();
        }
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
