package org.inferometer.suite.slurm;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

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
}
