package org.inferometer.ui.twin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.MachineDescription;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.RemoteMachine.OfferedBackend;
import org.inferometer.remote.RemoteMachine.OfferedEngine;
import org.inferometer.remote.SshHost;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.slurm.Slurm;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.ui.machines.MachineAccess;
import org.inferometer.units.EnvironmentVariables;

/// Other machines without ssh: each name has its answer, others do not exist.
public final class MachinesTwin implements MachineAccess {
    /// A machine with a GPU and one engine that this machine lacks.
    public static final RemoteMachine GPU_SERVER = new RemoteMachine(
            new MachineDescription("Debian GNU/Linux 12", "x86_64", "Example server CPU", 32, 64, 1L << 38, "25", 512,
                    List.of("NVIDIA H200"), "0.2.0"),
            List.of(new OfferedBackend("cuda", "GPU (cuda), NVIDIA H200", ""),
                    new OfferedBackend("host", "CPU (host), 32 cores", "")),
            List.of(new OfferedEngine("tiny-fp8", "FP8", EngineEntry.State.BUILT, "", true, 15_000_000),
                    new OfferedEngine("llama-8b-int4", "INT4", EngineEntry.State.BUILT, "", false, 5L << 30)));

    private final Map<String, RemoteMachine> answers = new LinkedHashMap<>();
    private final Function<SshHost, BenchmarkService> services;
    private Slurm slurm = new SlurmTwin();

    /// Machines that run nothing.
    public MachinesTwin() {
        this(host -> {
            throw new IllegalStateException("Nothing runs on " + host.text() + ".");
        });
    }

    /// @param services runs the experiments of each machine
    public MachinesTwin(Function<SshHost, BenchmarkService> services) {
        this.services = services;
    }

    /// The same with a cluster.
    public MachinesTwin with(Slurm cluster) {
        slurm = cluster;
        return this;
    }

    /// The same with a machine.
    public MachinesTwin with(String host, RemoteMachine answer) {
        answers.put(host, answer);
        return this;
    }

    @Override
    public RemoteMachine look(SshHost host) throws IOException {
        return Optional.ofNullable(answers.get(host.host()))
                .orElseThrow(() -> new IOException("ssh to " + host.host() + " failed: Could not resolve hostname."));
    }

    @Override
    public BenchmarkService benchmarks(SshHost host) {
        return services.apply(host);
    }

    /// A server that answers everything but gauges; others refuse their options.
    @Override
    public List<ProbeCheck> probe(Selection target) throws OptionException {
        if (!target.name().equals("http")) {
            throw new OptionException(List.of("No such target.", "Write http:url=URL."));
        }
        return List.of(ProbeCheck.passed("models", "llama."), ProbeCheck.absent("gauges", "None."));
    }

    @Override
    public SlurmSettings jobs() {
        return SlurmSettings.of(EnvironmentVariables.NONE, OptionalInt.empty(), List.of("inferometer"),
                Path.of("workspace"));
    }

    @Override
    public EnvironmentVariables environment() {
        return EnvironmentVariables.NONE;
    }

    @Override
    public Slurm slurm() {
        return slurm;
    }
}
