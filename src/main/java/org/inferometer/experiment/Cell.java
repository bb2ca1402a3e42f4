package org.inferometer.experiment;

import org.inferometer.options.Selection;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// One combination of the matrix: an engine under a scheduler with a workload on a backend, or a target outside this process with a
/// workload.
///
/// @param engine the engine's name; of a target outside, the model as it was named
/// @param scheduler of a target outside, the target's own: its name, without options
/// @param backend of a target outside, the kind of target
/// @param target the target outside this process; absent for an engine in it
public record Cell(String engine, Selection scheduler, WorkloadSpec workload, Selection backend,
        @Nullable Selection target) {
    /// The model of a target that was not told which one.
    public static final String ONLY_MODEL = "its-model";

    /// A cell of an engine in this process.
    public Cell(String engine, Selection scheduler, WorkloadSpec workload, Selection backend) {
        this(engine, scheduler, workload, backend, null);
    }

    /// A cell of a target outside this process: its options `model` and `name` are its engine's and its scheduler's name.
    public static Cell of(Selection target, WorkloadSpec workload) {
        return new Cell(target.options().getOrDefault("model", ONLY_MODEL), schedulerOf(target), workload,
                Selection.of(target.name()), target);
    }

    /// How a target's own scheduling is called beside our schedulers.
    public static Selection schedulerOf(Selection target) {
        return Selection.of(target.options().getOrDefault("name", "server"));
    }

    /// A name for people and files: "tiny-int4 · continuous · short".
    public String label() {
        return engine + " · " + scheduler + " · " + workload.name();
    }
}
