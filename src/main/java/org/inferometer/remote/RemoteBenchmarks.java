package org.inferometer.remote;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;

/// Runs experiments on another machine. Engines, files, devices and the plan are those of that machine.
///
/// @param here the service of this machine, which tells what an experiment uses
/// @param results folder here that the records are brought to
public record RemoteBenchmarks(SshHost host, BenchmarkService here, Path results,
        Clock clock) implements BenchmarkService {
    /// Only the other machine can tell; it does so at the start.
    @Override
    public List<PlanFault> check(ExperimentSpec spec) {
        return List.of();
    }

    @Override
    public List<Access> accesses(ExperimentSpec spec) {
        return here.accesses(spec);
    }

    @Override
    public Estimate estimate(ExperimentSpec spec) {
        long requests = spec.cells().stream().mapToLong(cell -> cell.workload().requests()).sum() * spec.runs();
        return new Estimate(spec.cells().size() * spec.runs(), requests, 0, 0, 0);
    }

    /// Connects, which takes a second or more, and returns when the experiment is planned there.
    @Override
    public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) throws PlanException {
        try {
            SshConnection connection = SshConnection.open(host, RemoteOrder.toRun(spec));
            boolean started = false;
            try {
                RemoteExperiment experiment = new RemoteExperiment(host, connection, spec, results, listener, clock);
                experiment.awaitStart();
                started = true;
                return experiment;
            } finally {
                if (!started) {
                    connection.close();
                }
            }
        } catch (IOException e) {
            throw new PlanException(new PlanFault("--on", FileFault.sentence(e)), e);
        }
    }
}
