package org.inferometer.ui.designer;

import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.run.BenchmarkService;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.ui.results.ExperimentDesk;
import org.inferometer.workload.WorkloadSpec;

/// What the Bench view works with.
///
/// @param workloads the presets, in the order in which they are offered
/// @param backends at least one, the default first
/// @param quick the preset of the first run
public record BenchServices(BenchmarkService benchmarks, RecipeImport engines, List<SchedulerDescription<?>> schedulers,
        List<WorkloadSpec> workloads, List<BackendChoice> backends, ExperimentSpec quick, ExperimentDesk desk) {}
