package org.inferometer.run;

import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.inferometer.options.OptionException;
import org.inferometer.record.PlannedSubject;
import org.inferometer.record.RunPlan;
import org.inferometer.target.ServerStart;
import org.inferometer.target.TargetKind.ConfiguredTarget;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.units.EnvironmentVariables;

/// Chooses the variables of the `.env` file that a worker gets: those that its target uses. A worker of an engine gets none.
public record WorkerVariables(TargetKinds kinds, EnvironmentVariables environment) {
    /// How the server of a plan is started; empty if it starts none, or if its options have faults, which the worker states.
    Optional<ServerStart> server(RunPlan plan) {
        return switch (plan.subject()) {
            case PlannedSubject.PlannedEngine _ -> Optional.empty();
            case PlannedSubject.PlannedTarget(var target) -> {
                try {
                    yield kinds.all().isEmpty() ? Optional.empty() : kinds.find(target.name()).server(target);
                } catch (OptionException | IllegalArgumentException e) {
                    yield Optional.empty();
                }
            }
        };
    }

    /// Removes the secrets that the target of a plan uses and those of the `.env` file from texts.
    UnaryOperator<String> mask(RunPlan plan) {
        UnaryOperator<String> known = environment.mask();
        if (plan.subject() instanceof PlannedSubject.PlannedTarget(var target) && !kinds.all().isEmpty()) {
            try {
                ConfiguredTarget configured = kinds.find(target.name()).configure(target);
                return text -> configured.withoutSecrets(known.apply(text));
            } catch (OptionException | IllegalArgumentException e) {
                return known;
            }
        }
        return known;
    }

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
