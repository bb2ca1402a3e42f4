package org.inferometer.suite.slurm;

/// Receives the progress of a job, on the thread that waits for it.
public interface JobListener {
    /// The state or its reason changed.
    default void changed(JobStatus status) {}

    /// Something that a person should read: a sentence.
    default void note(String sentence) {}
}
