package org.inferometer.ui.twin;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.inferometer.suite.slurm.JobRequest;
import org.inferometer.suite.slurm.JobStatus;
import org.inferometer.suite.slurm.Slurm;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.suite.slurm.Slurm.SlurmFeatures;

/// No cluster: every command is missing.
public final class SlurmTwin implements Slurm {
    private static SlurmException missing() {
        return new SlurmException(SlurmException.Kind.MISSING, "sbatch is not on the PATH.");
    }

    @Override
    public SlurmFeatures features() throws SlurmException {
        throw missing();
    }

    @Override
    public String submit(JobRequest request, String token) throws SlurmException {
        throw missing();
    }

    @Override
    public Map<String, JobStatus> states(Collection<String> ids) throws SlurmException {
        throw missing();
    }

    @Override
    public Optional<JobStatus> end(String id) throws SlurmException {
        throw missing();
    }

    @Override
    public void cancel(String id, String token) throws SlurmException {
        throw missing();
    }

    @Override
    public Optional<String> find(String token, Instant since) throws SlurmException {
        throw missing();
    }
}
