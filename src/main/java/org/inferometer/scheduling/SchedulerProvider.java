package org.inferometer.scheduling;

import java.util.List;

/// Schedulers of a plug-in. Its jar names the class in `META-INF/services/org.inferometer.scheduling.SchedulerProvider`, and the class has
/// a public constructor without parameters.
public interface SchedulerProvider {
    /// The schedulers, with names that no other scheduler has.
    List<SchedulerDescription<?>> schedulers();
}
