package org.inferometer.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.measurement.verdict.RunPrecision;
import org.inferometer.options.Access;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.ExperimentManifest.ExperimentTimes;
import org.inferometer.record.HarnessCeiling;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunPlan;
import org.inferometer.record.SelfCheckStore;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.units.Clock;
import org.inferometer.workload.RecordedSpan;
import org.inferometer.workload.WorkloadExtents;
import org.inferometer.workload.WorkloadSpec;

/// Runs experiments on this machine.
public final class LocalBenchmarkService implements BenchmarkService {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd_HHmmss", Locale.ROOT);

    private final Path results;
    private final EngineCatalog engines;
    private final Backends backends;
    private final SchedulerRegistry schedulers;
    private final TargetKinds targets;
    private final WorkloadExtents extents = new WorkloadExtents();
    private final RecordStore store;
    private final SelfCheckStore selfChecks;
    private final MachineDescription machine;
    private final RunHost host;
    private final Clock clock;

    /// @param results parent of the experiment folders
    public LocalBenchmarkService(Path results, EngineCatalog engines, SchedulerRegistry schedulers, Backends backends,
            TargetKinds targets, RecordStore store, SelfCheckStore selfChecks, MachineDescription machine, RunHost host,
            Clock clock) {
        this.results = results;
        this.engines = engines;
        this.backends = backends;
        this.schedulers = schedulers;
        this.targets = targets;
        this.store = store;
        this.selfChecks = selfChecks;
        this.machine = machine;
        this.host = host;
        this.clock = clock;
    }

    /// A planner that reads each engine once.
    private Planner planner() {
        return new Planner(engines.snapshot(), schedulers, backends, targets, extents, host.workerHeapBytes());
    }

    @Override
    public List<PlanFault> check(ExperimentSpec spec) {
        return faults(spec, planner());
    }

    private List<PlanFault> faults(ExperimentSpec spec, Planner planner) {
        return Stream.concat(planner.faults(spec).stream(), ResultPaths.fault(results, spec.name()).stream()).toList();
    }

    @Override
    public List<Access> accesses(ExperimentSpec spec) {
        return planner().accesses(spec);
    }

    @Override
    public Estimate estimate(ExperimentSpec spec) {
        Planner planner = planner();
        EngineCatalog known = engines.snapshot();
        long weights = 0;
        long kv = 0;
        long requests = 0;
        for (Cell cell : spec.cells()) {
            requests += (long) cell.workload().requests() * spec.runs();
            if (!(cell.subject() instanceof EngineSubject subject)) {
                continue;
            }
            try {
                EngineEntry entry = known.find(subject.engine());
                if (entry.shape().isPresent()) {
                    weights = Math.max(weights, weightBytes(entry));
                    kv = Math.max(kv, planner.engines().kvBytes(subject, cell.workload(), entry.shape().get()));
                }
            } catch (EngineFormatException e) {
                // check() reports it; the estimate skips unknown engines.

            }
        }
        long memory = spec.engines().isEmpty() ? 0 : spec.backends().stream()
                .mapToLong(backend -> backends.find(backend.name()).deviceMemoryBytes(backend)).max().orElse(0);
        return new Estimate(spec.cells().size() * spec.runs(), requests, weights, kv, memory,
                replayed(spec, span -> Optional.of(span.text() + ".")));
    }

    /// A sentence about each trace that is replayed, behind its name.
    private List<String> replayed(ExperimentSpec spec, Function<RecordedSpan, Optional<String>> sentence) {
        List<String> sentences = new ArrayList<>();
        for (WorkloadSpec workload : spec.workloads()) {
            try {
                Optional.ofNullable(extents.of(workload).replayed()).flatMap(sentence)
                        .ifPresent(text -> sentences.add(workload.name() + ": " + text));
            } catch (IOException e) {
                // check() reports it; the estimate skips unreadable files.
            }
        }
        return sentences;
    }

    @Override
    public long buildBytes(ExperimentSpec spec) {
        return engines.snapshot().entries().stream().filter(entry -> spec.engines().contains(entry.name()))
                .filter(entry -> entry.state() == EngineEntry.State.RECIPE_ONLY)
                .mapToLong(LocalBenchmarkService::weightBytes).sum();
    }

    @Override
    public List<String> warnings(ExperimentSpec spec) {
        return Stream.concat(ThreadWarning.of(spec, Runtime.getRuntime().availableProcessors()).stream(),
                replayed(spec, RecordedSpan::warning).stream()).toList();
    }

    @Override
    public List<SchedulerLanes> lanes(ExperimentSpec spec) {
        EnginePlanner planner = planner().engines();
        return spec.schedulers().stream()
                .flatMap(scheduler -> spec.backends().stream().map(backend -> planner.lanes(scheduler, backend)))
                .toList();
    }

    @Override
    public Optional<String> busy() {
        try (Closeable free = host.reserve()) {
            return Optional.empty();
        } catch (RunFailure e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            // The start says what is wrong with the file.
            return Optional.empty();
        }
    }

    @Override
    public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) throws PlanException {
        Planner planner = planner();
        List<PlanFault> faults = faults(spec, planner);
        if (!faults.isEmpty()) {
            throw new PlanException(faults);
        }
        Path folder = freeFolder(
                STAMP.format(clock.wall().atZone(ZoneId.systemDefault())) + "_" + ResultPaths.folderName(spec.name()));
        try {
            String experiment = folder.getFileName().toString();
            HarnessCeiling ceiling = selfChecks.ceiling(machine).orElse(null);
            List<RunPlan> plan =
                    spec.search() || spec.until() != null ? List.of() : planner.plan(spec, experiment, folder).stream()
                            .map(run -> run.withCeiling(ceiling).relativeTo(host.workspace())).toList();
            List<Cell> cells = spec.cells();
            RunQueue.Planning planning = (number, cell, repetition) -> planner
                    .plan(spec, cells.get(cell), folder, new RunPlan.RunIndex(experiment, number, cell, repetition))
                    .withCeiling(ceiling).relativeTo(host.workspace());
            ExperimentManifest planned = new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, experiment, spec,
                    plan, machine, ExperimentTimes.startedAt(clock.wall()), ExperimentOutcome.RUNNING, false);
            RunQueue queue = spec.search() ? new LoadSearch(spec, planning)
                    : RunPrecision.of(spec)
                            .<RunQueue>map(asked -> new AddedRuns(planned, asked, Planner.order(spec), planning))
                            .orElse(RunQueue.of(plan));
            ExperimentRun run = new ExperimentRun(folder, planned, queue, listener, engines, store, host, clock);
            run.start();
            return run;
        } catch (EngineFormatException e) {
            throw new PlanException(List.of(new PlanFault("engine", e.fault())));
        }
    }

    private static long weightBytes(EngineEntry entry) {
        return entry.descriptor().map(EngineDescriptor::weightBytes).or(() -> Optional.ofNullable(entry.recipe())
                .map(recipe -> new EngineBuilder().diskBytes(recipe.shape(), recipe.formats()))).orElse(0L);
    }

    private Path freeFolder(String id) {
        Path folder = results.resolve(id);
        for (int i = 2; folder.toFile().exists(); i++) {
            folder = results.resolve(id + "-" + i);
        }
        return folder;
    }
}
