package org.inferometer.ui.designer;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.SavedPresets;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.OptionDescription;
import org.inferometer.run.BenchmarkService;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.ui.designer.BackendForm.BackendChoice;
import org.inferometer.workload.WorkloadSpec;

/// What an experiment can be made of, and the service that runs it.
///
/// @param engineFolder engines of the workspace; may not exist yet
/// @param engines lists the engines; called in the background
/// @param workloads the presets, in reading order
/// @param backends at least one, the default first
/// @param quick the preset of the quick benchmark
/// @param backendOptions options of all backends by name, also of those that this machine cannot use
/// @param presets those saved in the workspace
/// @param reader of their files
public record DesignerServices(BenchmarkService benchmarks, Path engineFolder, Supplier<List<EngineEntry>> engines,
        List<SchedulerDescription<?>> schedulers, List<WorkloadSpec> workloads, List<BackendChoice> backends,
        Map<String, List<OptionDescription>> backendOptions, ExperimentSpec quick, SavedPresets presets,
        SpecReader reader) {
    public DesignerServices {
        backendOptions = Map.copyOf(backendOptions);
    }
}
