package org.inferometer.cli.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.cli.CliFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteCommandTest {
    private final Path folder;
    private final CliFixture cli;

    SuiteCommandTest(@TempDir Path folder) {
        this.folder = folder;
        this.cli = new CliFixture(folder);
    }

    @Test
    void allFaultsOfAllFilesAreReported() throws IOException {
        Files.writeString(folder.resolve("good.yaml"),
                "engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [short]\nruns: 2\n");
        Files.writeString(folder.resolve("odd.yaml"), "engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [shrt]\n");
        CliFixture.Outcome outcome = cli.run("suite", "validate", folder.toString());
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out()).contains("good.yaml").contains("valid").contains("INVALID")
                .contains("odd.yaml:3: Unknown workload \"shrt\".");
        Files.delete(folder.resolve("odd.yaml"));
        assertThat(cli.run("suite", "validate", folder.toString()).exit()).isZero();
    }

    @Test
    void missingFolderIsAUsageError() {
        assertThat(cli.run("suite", "validate", "gone").exit()).isEqualTo(2);
    }
}
