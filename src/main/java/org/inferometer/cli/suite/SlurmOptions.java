package org.inferometer.cli.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.UsageException;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.slurm.JobWait;
import org.inferometer.units.CommandWords;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of jobs on a Slurm cluster.
final class SlurmOptions {
    private static final int FIRST_LOOK_SECONDS = 60;

    @Option(names = "--slurm",
            description = "Run each test as a job of the Slurm cluster that this machine submits to.")
    boolean slurm;

    @Option(names = "--partition", paramLabel = "NAME",
            description = "Partition of the jobs. Default: SLURM_PARTITION, else the test's, else Slurm's.")
    @Nullable
    String partition;

    @Option(names = "--account", paramLabel = "NAME",
            description = "Account of the jobs. Default: SLURM_ACCOUNT, else the test's, else Slurm's.")
    @Nullable
    String account;

    @Option(names = "--job-time", paramLabel = "TIME",
            description = "Time limit of a job, as 02:00:00. Default: the test's, else Slurm's.")
    @Nullable
    String time;

    @Option(names = "--slurm-args", paramLabel = "WORDS",
            description = "More options of sbatch: \"--gres=gpu:1 --mem=64G\".")
    @Nullable
    String extra;

    @Option(names = "--batch-size", paramLabel = "N",
            description = "Jobs that are submitted together; 0 for all. Default: DISAGG_BATCH_SIZE, else 5.")
    @Nullable
    Integer batchSize;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "36000",
            description = "Longest run of a job, which is cancelled then; time in the queue does not count. Default: 36000.")
    int timeoutSeconds = 36_000;

    @Option(names = "--poll", paramLabel = "SECONDS", defaultValue = "180",
            description = "Time between looks at a job. Default: 180.")
    int pollSeconds = 180;

    @Option(names = "--program", paramLabel = "COMMAND",
            description = "Command that starts Inferometer on a node. Default: this program.")
    @Nullable
    String program;

    SlurmSettings settings(CliServices services) throws UsageException {
        List<String> faults = new ArrayList<>();
        if (timeoutSeconds < 1 || pollSeconds < 1) {
            faults.add("--timeout and --poll need a number of seconds from 1.");
        }
        Optional<SlurmSettings> made = Optional.empty();
        try {
            SlurmSettings standard = SlurmSettings.of(services.environment(),
                    batchSize == null ? OptionalInt.empty() : OptionalInt.of(batchSize), services.program(),
                    services.workspace().root());
            made = Optional.of(program == null ? standard : standard.startedBy(CommandWords.of(program)));
        } catch (IllegalArgumentException e) {
            faults.add(String.valueOf(e.getMessage()));
        }
        UsageException.throwIfAny(faults);
        return made.orElseThrow().requesting(orEmpty(partition), orEmpty(account), orEmpty(time), orEmpty(extra))
                .looking(new JobWait.Times(Duration.ofSeconds(Math.min(FIRST_LOOK_SECONDS, pollSeconds)),
                        Duration.ofSeconds(pollSeconds), Duration.ofSeconds(timeoutSeconds), Duration.ofSeconds(60)));
    }

    private static String orEmpty(@Nullable String option) {
        return option == null ? "" : option;
    }
}
