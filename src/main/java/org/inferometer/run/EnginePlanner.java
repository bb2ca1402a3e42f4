package org.inferometer.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineDescriptor.EngineDefaults;
import org.inferometer.engine.EngineDescriptor.EngineText;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.tokenizer.Tokenizer.DrawnIds;
import org.inferometer.execution.Backend;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.QuantityText;
import org.inferometer.wording.AdvisedText;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.WorkloadExtent;
import org.inferometer.workload.WorkloadExtents;
import org.inferometer.workload.WorkloadSpec;

/// Resolves engines, schedulers and backends to limits, lanes and KV memory, and finds their faults.
final class EnginePlanner {
    private static final int OPEN_LOOP_ROWS = 32;
    private static final int MOST_DEFAULT_ROWS = 64;
    private static final int LEAST_STEP_POSITIONS = 512;
    private static final String ENGINES = ExperimentFields.ENGINES.name();
    private static final String SCHEDULERS = ExperimentFields.SCHEDULERS.name();
    private static final String BACKEND = ExperimentFields.BACKEND.name();
    /// Replaces a workload whose file cannot be read; that fault is reported separately.
    private static final WorkloadExtent UNREADABLE = new WorkloadExtent(1, 2);

    private final EngineCatalog engines;
    private final SchedulerRegistry schedulers;
    private final Backends backends;
    private final TargetPlanner targets;
    private final WorkloadExtents extents;
    private final Map<List<Selection>, SchedulerLanes> lanes = new HashMap<>();

    EnginePlanner(EngineCatalog engines, SchedulerRegistry schedulers, Backends backends, TargetPlanner targets,
            WorkloadExtents extents) {
        this.engines = engines;
        this.schedulers = schedulers;
        this.backends = backends;
        this.targets = targets;
        this.extents = extents;
    }

    /// Faults of single engines, schedulers and backends.
    List<PlanFault> faults(ExperimentSpec spec) {
        List<PlanFault> faults = new ArrayList<>();
        if (spec.engines().isEmpty()) {
            faults.add(new PlanFault(ENGINES, "No engine is given. Give at least one, or a target."));
        }
        if (spec.schedulers().isEmpty()) {
            faults.add(new PlanFault(SCHEDULERS, "No scheduler is given. Give at least one."));
        }
        if (spec.backends().isEmpty()) {
            faults.add(new PlanFault(BACKEND, "No backend is given. Give one."));
        }
        for (String engine : spec.engines()) {
            shape(engine, faults);
        }
        for (Selection scheduler : spec.schedulers()) {
            try {
                schedulers.create(scheduler);
            } catch (OptionException e) {
                elsewhere(SCHEDULERS, "a scheduler", scheduler.name()).ifPresentOrElse(faults::add,
                        () -> e.faults().forEach(fault -> faults.add(new PlanFault(SCHEDULERS, fault))));
            }
        }
        spec.backends().forEach(backend -> backendFaults(backend, faults));
        return faults;
    }

    /// Faults of the combinations. Their parts must have no faults.
    List<PlanFault> matrixFaults(ExperimentSpec spec) {
        List<PlanFault> faults = new ArrayList<>();
        for (Selection scheduler : spec.schedulers()) {
            spec.backends().forEach(backend -> laneFaults(spec, scheduler, backend, faults));
        }
        spec.backends().forEach(backend -> memoryFaults(spec, backend, faults));
        if (!faults.isEmpty()) {
            return faults;
        }
        spec.cells().forEach(cell -> {
            if (cell.subject() instanceof EngineSubject engine) {
                cellFaults(engine, cell.workload(), spec.label(cell), faults);
            }
        });
        return faults;
    }

    /// An engine without faults, resolved for a workload.
    PlannedEngine plan(ExperimentSpec spec, EngineSubject subject, WorkloadSpec workload) throws EngineFormatException {
        EngineEntry engine = engines.find(subject.engine());
        ModelShape shape = engine.shape().orElseThrow();
        return new PlannedEngine(subject.engine(), engine.folder().toAbsolutePath().toString(), subject.scheduler(),
                subject.backend(), kvBytes(subject, workload, shape), limits(subject, workload, shape),
                subject.limits(), lanes(subject.scheduler(), subject.backend()).layout());
    }

    /// The lanes that a scheduler needs, which may depend on the backend's lanes. Neither may have faults.
    SchedulerLanes lanes(Selection scheduler, Selection backend) {
        return lanes.computeIfAbsent(List.of(scheduler, backend), pair -> described(scheduler, backend));
    }

    private SchedulerLanes described(Selection scheduler, Selection backend) {
        Backend opened = backends.find(backend.name());
        try {
            LaneLayout layout = schedulers.find(scheduler.name()).layout(scheduler, opened.lanes(backend));
            return new SchedulerLanes(scheduler, layout, opened.threads(backend, layout));
        } catch (OptionException e) {
            throw new IllegalArgumentException("Invalid scheduler: " + e.getMessage(), e);
        }
    }

    /// The KV memory of a cell: as specified, else enough for all rows at maximum length in every pool, up to half the
    /// device memory.
    long kvBytes(EngineSubject subject, WorkloadSpec workload, ModelShape shape) {
        if (subject.limits().kvBytes() > 0) {
            return subject.limits().kvBytes();
        }
        Selection backend = subject.backend();
        return Math.min(sizing(subject, workload, shape).roomyBytes(),
                backends.find(backend.name()).deviceMemoryBytes(backend) / 2);
    }

    private KvSizing sizing(EngineSubject subject, WorkloadSpec workload, ModelShape shape) {
        Backend backend = backends.find(subject.backend().name());
        return new KvSizing(lanes(subject.scheduler(), subject.backend()).layout(), limits(subject, workload, shape),
                extent(workload).longestPrompt(), backend.blockTokens(subject.backend()),
                backend.kvBytesPerToken(shape, subject.backend()));
    }

    /// The limits of a cell: as specified, else those the engine was built with, else sufficient for the workload, with at least one row per computing lane.
    ///
    /// They do not depend on the number of lanes; scheduler options may give each lane the full limit.
    private Limits limits(EngineSubject subject, WorkloadSpec workload, ModelShape shape) {
        WorkloadExtent extent = extent(workload);
        int rows = switch (workload.arrivals()) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> Math.min(concurrency, MOST_DEFAULT_ROWS);
            case ArrivalProcess.OpenLoop open -> OPEN_LOOP_ROWS;
        };
        int computing = lanes(subject.scheduler(), subject.backend()).layout().computingLanes();
        EngineLimits asked = subject.limits();
        EngineDefaults built = defaults(subject.engine());
        int defaultRows = built.maxBatchSize() > 0 ? built.maxBatchSize() : rows;
        return new Limits(asked.maxBatchRows() > 0 ? asked.maxBatchRows() : Math.max(defaultRows, computing),
                asked.maxStepPositions() > 0 ? asked.maxStepPositions()
                        : Math.max(LEAST_STEP_POSITIONS, extent.longestPrompt()),
                asked.maxSequencePositions() > 0 ? asked.maxSequencePositions()
                        : built.maxLength() > 0 ? built.maxLength()
                        : Math.min(extent.longestTotal(), shape.maxPositions()));
    }

    private EngineDefaults defaults(String engine) {
        try {
            return engines.find(engine).descriptor().map(EngineDescriptor::defaults).orElse(EngineDefaults.NONE);
        } catch (EngineFormatException e) {
            // Told elsewhere.
            return EngineDefaults.NONE;
        }
    }

    private boolean readsNoText(String engine) {
        return text(engine).filter(text -> text.tokenizer().equals(DrawnIds.NAME)).isPresent();
    }

    /// Answers can end early only where the engine knows its ends and its text.
    private List<PlanFault> endFaults(String engine, EarlyEnd asked, String label) {
        List<PlanFault> faults = new ArrayList<>();
        text(engine).ifPresent(text -> {
            if (asked.endOfSequence() && text.endTokens().isEmpty()) {
                faults.add(new PlanFault(label, engine
                        + " knows no end of sequence, so its answers cannot end there. Leave ignore_eos=false out, or use an engine of a checkpoint that names its eos_token_id."));
            }
            if (!asked.texts().isEmpty() && text.tokenizer().equals(DrawnIds.NAME)) {
                faults.add(new PlanFault(label, engine
                        + " has no tokenizer, so its answers cannot end at a text. Leave stop out, or use an engine with a tokenizer."));
            }
        });
        return faults;
    }

    /// The text of an engine's tokens; that of a recipe's engine is known before it is built.
    private Optional<EngineText> text(String engine) {
        try {
            return Optional.of(engines.find(engine).descriptor().map(EngineDescriptor::text).orElse(EngineText.BYTES));
        } catch (EngineFormatException e) {
            // Told elsewhere.
            return Optional.empty();
        }
    }

    private void cellFaults(EngineSubject subject, WorkloadSpec workload, String label, List<PlanFault> faults) {
        ModelShape shape = shape(subject.engine(), faults).orElseThrow();
        if (workload.promptFile() != null && readsNoText(subject.engine())) {
            faults.add(new PlanFault(label, subject.engine() + " is made from a checkpoint whose tokenizer is not read,"
                    + " so the texts of a prompt file cannot be its prompts. Use drawn prompts."));
        }
        faults.addAll(endFaults(subject.engine(), workload.refinements().earlyEnd(), label));
        Limits limits = limits(subject, workload, shape);
        WorkloadExtent extent = extent(workload);
        int longest = extent.longestTotal();
        if (longest > shape.maxPositions()) {
            faults.add(new PlanFault(label, "Requests reach " + longest + " positions and " + subject.engine() + " has "
                    + shape.maxPositions() + ". Shorten the requests or choose another engine."));
        } else if (longest > limits.maxSequencePositions() && subject.limits().maxSequencePositions() == 0) {
            faults.add(new PlanFault(label,
                    new AdvisedText(
                            "Requests reach " + longest + " positions and " + subject.engine() + " was built for "
                                    + limits.maxSequencePositions() + ". Shorten the requests, or give ",
                            ExperimentFields.MAX_LENGTH.advice(), " " + longest + ".")));
        }
        try {
            schedulers
                    .faults(subject.scheduler(), limits, extent.longestPrompt(),
                            Math.min(longest, limits.maxSequencePositions()))
                    .forEach(sentence -> faults.add(new PlanFault(label, sentence)));
        } catch (OptionException e) {
            throw new IllegalArgumentException("Invalid scheduler: " + e.getMessage(), e);
        }
        sizing(subject, workload, shape).faults(kvBytes(subject, workload, shape))
                .forEach(fault -> faults.add(new PlanFault(label, fault)));
    }

    /// The backend must have the lanes that the scheduler needs, and the limits a row for each.
    private void laneFaults(ExperimentSpec spec, Selection scheduler, Selection backend, List<PlanFault> faults) {
        LaneLayout layout = lanes(scheduler, backend).layout();
        int asked = backends.find(backend.name()).lanes(backend);
        int computing = layout.computingLanes();
        if (asked > 0 && asked != computing && asked != layout.lanes().size()) {
            faults.add(new PlanFault(SCHEDULERS,
                    scheduler + " needs " + computing + (computing == 1 ? " lane" : " lanes") + " and " + backend
                            + " has " + asked + ". Leave the backend's lanes out, or change the scheduler's options."));
        }
        int rows = spec.limits().maxBatchRows().stream().mapToInt(asking -> asking).min().orElse(computing);
        if (rows < computing) {
            faults.add(new PlanFault("limits.max_batch_size",
                    rows + (rows == 1 ? " request" : " requests") + " in a step cannot use the " + computing
                            + " lanes of " + scheduler + ". Raise it to " + computing
                            + " or more, or use fewer lanes."));
        }
    }

    private void memoryFaults(ExperimentSpec spec, Selection backend, List<PlanFault> faults) {
        long memory = backends.find(backend.name()).deviceMemoryBytes(backend);
        spec.kvBytes().stream().filter(asked -> memory > 0 && asked > memory)
                .map(asked -> new PlanFault(ExperimentFields.KV_MEMORY.name(),
                        "A KV pool of " + QuantityText.bytes(asked) + " does not fit into the "
                                + QuantityText.bytes(memory) + " of " + backend.name() + ". Give less."))
                .forEach(faults::add);
    }

    private Optional<ModelShape> shape(String engine, List<PlanFault> faults) {
        try {
            EngineEntry entry = engines.find(engine);
            if (entry.state() == EngineEntry.State.DAMAGED) {
                faults.add(new PlanFault(ENGINES, engine + " is damaged: " + entry.problem()));
            }
            return entry.shape();
        } catch (EngineFormatException e) {
            faults.add(elsewhere(ENGINES, "an engine", engine).orElseGet(() -> new PlanFault(ENGINES, e.fault())));
            return Optional.empty();
        }
    }

    private void backendFaults(Selection selection, List<PlanFault> faults) {
        try {
            Backend backend = backends.find(selection.name());
            backend.absence().ifPresentOrElse(sentence -> faults.add(new PlanFault(BACKEND, sentence)),
                    () -> backend.faults(selection).forEach(sentence -> faults.add(new PlanFault(BACKEND, sentence))));
        } catch (IllegalArgumentException e) {
            faults.add(elsewhere(BACKEND, "a backend", selection.name())
                    .orElseGet(() -> new PlanFault(BACKEND, String.valueOf(e.getMessage()))));
        }
    }

    /// A fault whose name is that of a server or tool.
    private Optional<PlanFault> elsewhere(String where, String part, String name) {
        return targets.elsewhere(part, name).map(text -> new PlanFault(where, text));
    }

    private WorkloadExtent extent(WorkloadSpec workload) {
        try {
            return extents.of(workload);
        } catch (IOException e) {
            return UNREADABLE;
        }
    }
}
