package org.inferometer.cli;

import org.inferometer.execution.Backends;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.TargetKinds;

/// The schedulers, backends and targets that can be selected by name.
///
/// @param backends the default first
public record Registries(SchedulerRegistry schedulers, Backends backends, TargetKinds targets) {}
