package org.inferometer.run;

import java.util.Map;
import org.inferometer.options.OptionException;
import org.inferometer.record.PlannedSubject;
import org.inferometer.record.RunPlan;
import org.inferometer.target.TargetKinds;
import org.inferometer.units.EnvironmentVariables;

/// Chooses the variables of the `.env` file that a worker gets: those that its target uses. A worker of an engine gets none.
public record WorkerVariables(TargetKinds kinds, EnvironmentVariables environment) {
    /// The values by name.
    Map<String, String> of(RunPlan plan) {
        return switch (plan.subject()) {
            case PlannedSubject.PlannedEngine _ -> Map.of();
            case PlannedSubject.PlannedTarget(var target) -> {
                try {
                    yield kinds.all().isEmpty() ? Map.of()
                            : environment.fromFile(kinds.find(target.name()).configure(target).variables());
                } catch (OptionException | IllegalArgumentException e) {
                    // The worker finds the same faults and states them in the record.
                    yield Map.of();
                }
            }
        };
    }
}
