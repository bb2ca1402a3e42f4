package org.inferometer.suite.slurm;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.suite.slurm.Slurm.SlurmException.Kind;
import org.inferometer.suite.slurm.Slurm.SlurmFeatures;
import org.jspecify.annotations.Nullable;

/// A cluster that a test scripts; it keeps the calls.
public final class ScriptedSlurm implements Slurm {
    public final List<String> calls = new ArrayList<>();
    /// Jobs by token.
    final Map<String, String> jobs = new HashMap<>();
    /// What a submission does: accepted, accepted and then lost, or thrown.
    public @Nullable SlurmException failure;
    public boolean acceptsBeforeFailure;
    public boolean answersFind = true;
    private final Answers answers;

    public interface Answers {
        /// The job now; null if it is not listed.
        @Nullable
        JobStatus state() throws SlurmException;

        default Optional<JobStatus> end() {
            return Optional.empty();
        }
    }

    public ScriptedSlurm(Answers answers) {
        this.answers = answers;
    }

    public static JobStatus status(String word, String reason) {
        return new JobStatus("7", JobState.of(word), word, reason, "", "", "");
    }

    @Override
    public SlurmFeatures features() {
        return new SlurmFeatures("22.05.8", false, false, false);
    }

    @Override
    public String submit(JobRequest request, String token) throws SlurmException {
        calls.add("submit " + request.name());
        if (failure == null || acceptsBeforeFailure) {
            jobs.put(token, String.valueOf(jobs.size() + 100));
        }
        if (failure != null) {
            throw failure;
        }
        return jobs.get(token);
    }

    /// From when a job was looked for last.
    @Nullable
    Instant foundSince;

    @Override
    public Map<String, JobStatus> states(Collection<String> ids) throws SlurmException {
        calls.add("states");
        JobStatus status = answers.state();
        return status == null ? Map.of() : Map.of(status.id(), status);
    }

    @Override
    public Optional<JobStatus> end(String id) {
        return answers.end();
    }

    @Override
    public void cancel(String id, String token) throws SlurmException {
        calls.add("cancel " + id);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public Optional<String> find(String token, Instant since) throws SlurmException {
        calls.add("find");
        foundSince = since;
        if (!answersFind) {
            throw new SlurmException(Kind.UNANSWERED, "squeue failed.");
        }
        return Optional.ofNullable(jobs.get(token));
    }
}
