package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.SystemClock;

/// A real Slurm in a folder with a space, by src/test/slurm/cluster.sh. The tests are skipped where Slurm is not installed.
public final class TestCluster implements AutoCloseable {
    private static final Duration SCRIPT = Duration.ofSeconds(60);
    private static final long MOST_NANOS = 20_000_000_000L;

    private final Path folder;

    private TestCluster(Path folder) {
        this.folder = folder;
    }

    /// Starts a cluster.
    ///
    /// @param nodes fake nodes of four GPUs; none for this machine as one node
    public static TestCluster start(Path parent, int... nodes) throws Exception {
        String path = EnvironmentVariables.ofProcess().value("PATH").orElse("");
        assumeTrue(
                Arrays.stream(path.split(File.pathSeparator))
                        .anyMatch(each -> Files.isExecutable(Path.of(each, "slurmctld"))),
                "slurmctld is not on the PATH; Debian: apt-get install slurm-wlm");
        TestCluster cluster = new TestCluster(parent.resolve("a cluster"));
        List<String> more = new ArrayList<>();
        Arrays.stream(nodes).forEach(count -> more.add(String.valueOf(count)));
        assertThat(cluster.script("start", more))
                .isEqualTo("SLURM_CONF=" + cluster.folder.resolve("slurm.conf") + "\n");
        return cluster;
    }

    private String script(String command, List<String> more) throws SlurmException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("src/test/slurm/cluster.sh", command, folder.toString()));
        words.addAll(more);
        CommandOutput output = CommandOutput.of(words, Map.of(), SCRIPT);
        assertThat(output.error()).isEmpty();
        return output.out();
    }

    /// Its commands.
    public Slurm slurm() {
        return new SlurmCommands(environment());
    }

    /// What its commands need.
    public Map<String, String> environment() {
        return Map.of("SLURM_CONF", folder.resolve("slurm.conf").toString());
    }

    /// Writes a script of bash.
    public Path script(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), "#!/bin/bash\n" + text + "\n");
    }

    /// Asks for a job until it is as expected, at most 20 s.
    JobStatus until(String id, Predicate<JobStatus> expected) throws SlurmException, InterruptedException {
        SystemClock clock = new SystemClock();
        for (long start = clock.nanos();;) {
            JobStatus status = slurm().states(List.of(id)).get(id);
            if (status != null && expected.test(status)) {
                return status;
            }
            assertThat(clock.nanos() - start).as("job %s is %s", id, status).isLessThan(MOST_NANOS);
        }
    }

    @Override
    public void close() throws Exception {
        script("stop", List.of());
    }
}
