package org.inferometer.cli.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.cli.CliFixture;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsBundleCommandTest {
    @TempDir
    Path folder;
    private CliFixture cli;

    @BeforeEach
    void start() throws IOException {
        cli = new CliFixture(folder);
        SampleRecords.writeExperiment(folder.resolve("elsewhere").resolve("one"), 1);
    }

    @Test
    void bundlesAreWrittenAndImported() {
        String bundle = folder.resolve("x.inferometer").toString();
        CliFixture.Outcome written = cli.run("results", "bundle", folder.resolve("elsewhere/one").toString(), "-o",
                bundle, "--notes", "Look at the second cell.");
        assertThat(written.out()).startsWith("wrote x.inferometer\nRemoved from the copy: paths in ");
        assertThat(cli.run("results", "import", bundle).out())
                .isEqualTo("one: 4 runs of a bundle\n  Look at the second cell.\n");
        assertThat(cli.run("import", bundle, "--json").out()).contains("\"result\" : \"one\"");
        assertThat(folder.resolve("results/one/experiment.json")).isRegularFile();
        assertThat(cli.run("report", "one", "-o", "-", "--format", "csv").out()).isEqualTo(
                cli.run("report", folder.resolve("elsewhere/one").toString(), "-o", "-", "--format", "csv").out());
        assertThat(cli.run("results", "bundle", "one", "--exact", "-o", bundle).out()).contains("exact copies");
    }

    @Test
    void faultsAreSentences() throws IOException {
        String one = folder.resolve("elsewhere/one").toString();
        assertThat(cli.run("results", "bundle", one, "-o", "x.zip")).isEqualTo(
                new CliFixture.Outcome(2, "", "error: x.zip is not a bundle: its name must end in .inferometer.\n"));
        Path broken = Files.write(folder.resolve("b.inferometer"), new byte[100]);
        assertThat(cli.run("import", broken.toString())).isEqualTo(
                new CliFixture.Outcome(2, "", "error: b.inferometer: this is not a bundle of Inferometer.\n"));
    }
}
