package org.inferometer.suite.slurm;

import java.util.Optional;

/// How waiting for a job ended.
///
/// @param status the job's last known state
/// @param reason a sentence; empty if the job completed
public record JobEnd(Kind kind, Optional<JobStatus> status, String reason) {
    /// Why waiting ended.
    public enum Kind {
        /// The job ended by itself, or another cancelled it; the status tells how.
        ENDED,
        /// Slurm does not know the job any more, and nothing recorded its end.
        FORGOTTEN,
        /// It took too long and was cancelled.
        TIMED_OUT,
        /// A log told that it cannot go on, and it was cancelled.
        FATAL_LOG,
        /// It was cancelled from here.
        CANCELLED
    }

    /// Whether a person ended the job, from here or with `scancel`.
    public boolean isCancelled() {
        return kind == Kind.CANCELLED
                || (kind == Kind.ENDED && status.filter(job -> job.state() == JobState.CANCELLED).isPresent());
    }

    /// Whether the job ended with success.
    public boolean isSuccess() {
        return kind == Kind.ENDED && status.filter(job -> job.state() == JobState.COMPLETED).isPresent();
    }
}
