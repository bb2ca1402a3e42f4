package org.inferometer.run.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.inferometer.load.RequestTexts;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunManifest.SystemUnderTest;
import org.inferometer.record.RunPlan;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.server.WatchedServer;
import org.inferometer.target.ServerStart.StartedServer;
import org.inferometer.target.Target;
import org.inferometer.target.TargetKind.ConfiguredTarget;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.target.TargetKind.TargetSetup;
import org.inferometer.units.AnchoredClock;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Workload;
import org.inferometer.workload.WorkloadDraw;
import org.jspecify.annotations.Nullable;

/// Executes a run against a target outside this process; this process is only the client.
final class TargetExecution {
    private static final int OPEN_LOOP_WARM_UP = 4;

    private final TargetKinds kinds;
    private final RecordStore store;
    private final MachineDescription machine;
    private final WarmUp warmUp;

    TargetExecution(TargetKinds kinds, RecordStore store, MachineDescription machine, WarmUp warmUp) {
        this.kinds = kinds;
        this.store = store;
        this.machine = machine;
        this.warmUp = warmUp;
    }

    TargetExecution warmingUp(WarmUp other) {
        return new TargetExecution(kinds, store, machine, other);
    }

    /// Whether a server must have been started for a target.
    ///
    /// @throws OptionException with faults of the target
    boolean needsServer(Selection driven) throws OptionException {
        return kinds.find(driven.name()).server(driven).isPresent();
    }

    /// Runs the plan on the calling thread until the record is complete. An unreachable target is stated in the record.
    ///
    /// @param server that was started for the run; absent for targets that start none
    /// @throws IOException if a prompt file cannot be read or the record cannot be written
    /// @throws OptionException with faults of the target
    WorkerFrame.Finished execute(RunPlan plan, Selection driven, @Nullable StartedServer server, Path runFolder,
            Consumer<WorkerFrame> frames, AtomicBoolean cancelled, AnchoredClock clock)
            throws IOException, OptionException {
        ConfiguredTarget target = kinds.find(driven.name()).configure(driven);
        Workload workload = new WorkloadDraw(target.tokenizer(), promptSeed(plan)).draw(plan.workload(),
                plan.procedure().warmUpRequests(), new Seed(plan.procedure().workloadSeed()));
        int inFlight = switch (plan.workload().arrivals()) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> concurrency;
            case ArrivalProcess.OpenLoop open -> OPEN_LOOP_WARM_UP;
        };
        SystemUnderTest system = new SystemUnderTest(driven.toString(), "", target.model(), "", false,
                RunManifest.Pools.UNKNOWN, null, target.variables(), null, null);
        RunManifest manifest = RunManifest.started(plan, machine, system, workload.hash(), clock.anchorWall());
        return new MeasuredRun(store, clock, warmUp, frames, cancelled,
                writer -> new RequestTexts(new RequestTexts.Source.Target(target::withoutSecrets), writer))
                .run(runFolder, manifest, workload, ComputingDevice.elsewhere(), inFlight, phases -> {
                    TargetSetup setup = new TargetSetup(clock, phases.requests(), phases.target(),
                            plan.procedure().sampleEveryMillis(), plan.procedure().keepText(), promptSeed(plan).value(),
                            server);
                    Target opened = target.open(setup);
                    return server == null ? opened : WatchedServer.of(opened, server, setup, target::withoutSecrets);
                });
    }

    /// Every run of every experiment has its own.
    private static Seed promptSeed(RunPlan plan) {
        return new Seed(plan.procedure().workloadSeed()).part(plan.index().experiment()).part(plan.index().run());
    }
}
