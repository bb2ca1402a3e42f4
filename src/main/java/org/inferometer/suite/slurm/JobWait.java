package org.inferometer.suite.slurm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.inferometer.suite.slurm.JobWait.JobEnd.Kind;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Waits for jobs, one after another. One thread.
///
/// An interrupt ends a wait and leaves the job on the cluster.
public final class JobWait {
    /// When to look.
    ///
    /// @param first look at a job, after its submission
    /// @param interval between looks
    /// @param timeout of a job that no longer waits for its nodes; it is cancelled then
    /// @param logInterval between readings of the logs
    public record Times(Duration first, Duration interval, Duration timeout, Duration logInterval) {
        /// The framework's: 60 s, 180 s, 36,000 s, 60 s.
        public static final Times DEFAULT = new Times(Duration.ofSeconds(60), Duration.ofSeconds(180),
                Duration.ofSeconds(36_000), Duration.ofSeconds(60));

        public Times {
            if (interval.compareTo(Duration.ZERO) <= 0 || logInterval.compareTo(Duration.ZERO) <= 0) {
                throw new IllegalArgumentException("interval " + interval + ", logInterval " + logInterval);
            }
        }
    }

    /// Lets time pass.
    interface Pause {
        void await(long nanos) throws InterruptedException;
    }

    private static final int STOP_LOOKS = 45;
    private static final long STOP_LOOK_NANOS = 2_000_000_000;

    private final Slurm slurm;
    private final Clock clock;
    private final Times times;
    private final FatalLogLines fatal;
    private final Pause pause;

    public JobWait(Slurm slurm, Clock clock, Times times, FatalLogLines fatal) {
        this(slurm, clock, times, fatal, TimeUnit.NANOSECONDS::sleep);
    }

    /// For virtual time.
    JobWait(Slurm slurm, Clock clock, Times times, FatalLogLines fatal, Pause pause) {
        this.slurm = slurm;
        this.clock = clock;
        this.times = times;
        this.fatal = fatal;
        this.pause = pause;
    }

    /// Waits until the job ends, is forgotten, takes too long, or writes a fatal line. A failed look is noted and repeated.
    ///
    /// @param job the first look counts from its submission
    /// @param logs the files that exist now
    public JobEnd await(JobLedger.Entry job, Supplier<List<Path>> logs, JobListener listener)
            throws InterruptedException {
        String id = job.id();
        long start = clock.nanos();
        long timeout = times.timeout().toNanos();
        // The wall clock may have jumped since.
        Duration since = Duration.between(job.submitted(), clock.wall());
        Duration left = since.isNegative() ? times.first() : times.first().minus(since);
        long nextLook = left.isNegative() ? 0 : left.toNanos();
        long nextLogs = times.logInterval().toNanos();
        JobStatus last = null;
        long pending = 0; // until this time
        while (true) {
            long elapsed = clock.nanos() - start;
            if (elapsed >= nextLook || elapsed >= pending + timeout) {
                Look look = look(id, last, listener);
                if (look.end() != null) {
                    return look.end();
                }
                last = look.status();
                pending = last != null && last.state().isPending() ? elapsed : pending;
                nextLook = elapsed + times.interval().toNanos();
            }
            if (elapsed >= nextLogs) {
                Optional<String> line = fatal.first(logs.get());
                if (line.isPresent()) {
                    return cancel(job, Kind.FATAL_LOG, last,
                            "Job " + id + " cannot go on and was cancelled. " + line.get());
                }
                nextLogs = elapsed + times.logInterval().toNanos();
            }
            if (elapsed >= pending + timeout) {
                return cancel(job, Kind.TIMED_OUT, last, "Job " + id + " did not end within "
                        + times.timeout().toSeconds() + " s and was cancelled." + seen(last));
            }
            pause.await(Math.max(1, Math.min(Math.min(nextLook, nextLogs), pending + timeout) - elapsed));
        }
    }

    private record Look(@Nullable JobStatus status, @Nullable JobEnd end) {}

    private Look look(String id, @Nullable JobStatus last, JobListener listener) throws InterruptedException {
        try {
            JobStatus status = slurm.states(List.of(id)).get(id);
            if (status == null || status.state().isEnd()) {
                return new Look(status, ended(id, status, last));
            }
            if (last == null || !last.word().equals(status.word()) || !last.reason().equals(status.reason())) {
                listener.changed(status);
            }
            return new Look(status, null);
        } catch (SlurmException e) {
            listener.note(e.getMessage() + " The next look is in " + times.interval().toSeconds() + " s.");
            return new Look(last, null);
        }
    }

    /// squeue tells no exit code.
    private JobEnd ended(String id, @Nullable JobStatus listed, @Nullable JobStatus last)
            throws SlurmException, InterruptedException {
        Optional<JobStatus> end = slurm.end(id).or(() -> Optional.ofNullable(listed));
        if (end.isEmpty()) {
            return new JobEnd(Kind.FORGOTTEN, end, "Job " + id
                    + " is no longer known to Slurm, and its end was not recorded." + seen(last) + " See its logs.");
        }
        boolean success = end.get().state() == JobState.COMPLETED;
        return new JobEnd(Kind.ENDED, end, success ? "" : end.get().describe() + ".");
    }

    private static String seen(@Nullable JobStatus last) {
        return last == null ? ""
                : " Its last state was " + last.word() + (last.reason().isEmpty() ? "." : " (" + last.reason() + ").");
    }

    private JobEnd cancel(JobLedger.Entry job, Kind kind, @Nullable JobStatus last, String reason)
            throws InterruptedException {
        try {
            slurm.cancel(job.id(), job.token());
            boolean open = !hasStopped(job.id());
            return new JobEnd(kind, Optional.ofNullable(last),
                    open ? reason + " It has not ended yet. See: squeue -j " + job.id() : reason);
        } catch (SlurmException e) {
            return new JobEnd(kind, Optional.ofNullable(last),
                    reason + " But it may still run: " + e.getMessage() + " Repeat: scancel " + job.id());
        }
    }

    /// A cancelled job writes its record until it has ended: records are whole only then. At most 90 s, which is longer than Slurm leaves
    /// a job before it kills it.
    private boolean hasStopped(String id) throws InterruptedException {
        for (int look = 0; look < STOP_LOOKS; look++) {
            pause.await(STOP_LOOK_NANOS);
            try {
                JobStatus status = slurm.states(List.of(id)).get(id);
                if (status == null || status.state().isEnd()) {
                    return true;
                }
            } catch (SlurmException e) {
                System.getLogger(JobWait.class.getName()).log(System.Logger.Level.DEBUG,
                        "A look that fails is repeated", e);
            }
        }
        return false;
    }

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
            FATAL_LOG
        }

        /// Whether a person ended the job with `scancel`.
        public boolean isCancelled() {
            return kind == Kind.ENDED && status.filter(job -> job.state() == JobState.CANCELLED).isPresent();
        }

        /// Whether the job ended with success.
        public boolean isSuccess() {
            return kind == Kind.ENDED && status.filter(job -> job.state() == JobState.COMPLETED).isPresent();
        }
    }

    /// Receives the progress of a job, on the thread that waits for it.
    public interface JobListener {
        /// The state or its reason changed.
        default void changed(JobStatus status) {}

        /// Something that a person should read: a sentence.
        default void note(String sentence) {}
    }
}
