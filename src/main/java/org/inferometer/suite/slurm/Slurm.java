package org.inferometer.suite.slurm;

import java.io.Serial;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// A Slurm cluster. Any thread.
///
/// An interrupt during [#submit] leaves open whether the job was submitted.
public interface Slurm {
    /// What it can do; asked once.
    SlurmFeatures features() throws SlurmException, InterruptedException;

    /// Submits a job. [JobRequest#arguments] has the notes about what is left out.
    ///
    /// @param token of letters, digits and hyphens; marks the job
    /// @return the job's number
    String submit(JobRequest request, String token) throws SlurmException, InterruptedException;

    /// The jobs that the controller lists, by number. Ended jobs are listed for a while (`MinJobAge`, 300 s by default).
    Map<String, JobStatus> states(Collection<String> ids) throws SlurmException, InterruptedException;

    /// The end of a job from accounting, else from the controller, else from the file of completed jobs; empty if none tells it.
    Optional<JobStatus> end(String id) throws SlurmException, InterruptedException;

    /// Cancels a job; no effect if it has ended or is unknown. Numbers come from files of others, too: a job without the token is refused.
    ///
    /// @param token the job's comment
    void cancel(String id, String token) throws SlurmException, InterruptedException;

    /// The number of the job with a token; empty if no job has it.
    ///
    /// @param since before its submission
    Optional<String> find(String token, Instant since) throws SlurmException, InterruptedException;

    /// What an installation of Slurm can do.
    ///
    /// @param version "22.05.8"; empty if not told
    /// @param segment whether `sbatch` takes `--segment` (blocks of a topology)
    /// @param containers whether `srun` takes `--container-image` (the pyxis plugin)
    /// @param accounting whether `sacct` reads a database of jobs
    public record SlurmFeatures(String version, boolean segment, boolean containers, boolean accounting) {
        private static final Pattern VERSION = Pattern.compile("\\b\\d+\\.\\d+(\\.\\d+)?\\S*");
        private static final Pattern SEGMENT = Pattern.compile("(?m)^[ \\t]*(-\\w,[ \\t]*)?--segment\\b");
        private static final Pattern CONTAINERS = Pattern.compile("(?m)^[ \\t]*(-\\w,[ \\t]*)?--container-image\\b");

        /// From what the commands print.
        ///
        /// @param version of `sbatch --version`
        static SlurmFeatures of(String version, String sbatchHelp, String srunHelp, boolean accounting) {
            return new SlurmFeatures(
                    VERSION.matcher(version).results().map(found -> found.group()).findFirst().orElse(""),
                    SEGMENT.matcher(sbatchHelp).find(), CONTAINERS.matcher(srunHelp).find(), accounting);
        }
    }

    /// A command of Slurm failed. The message is a sentence with Slurm's own words.
    public static final class SlurmException extends Exception {
        /// What the failure means.
        public enum Kind {
            /// Slurm answered and refused. The same request is refused again.
            REFUSED,
            /// Slurm did not answer, or the answer was lost. The request may have been carried out.
            UNANSWERED,
            /// The command is not installed. Nothing was requested.
            MISSING
        }

        @Serial
        private static final long serialVersionUID = 1;

        private final Kind kind;

        public SlurmException(Kind kind, String sentence) {
            super(sentence);
            this.kind = kind;
        }

        /// What the failure means.
        public Kind kind() {
            return kind;
        }
    }
}
