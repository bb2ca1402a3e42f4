package com.example;

import java.util.List;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.SchedulerProvider;

/// Adds `shortest-first`.
public final class ShortestFirstProvider implements SchedulerProvider {
    @Override
    public List<SchedulerDescription<?>> schedulers() {
        return List.of(ShortestFirstScheduler.DESCRIPTION);
    }
}
