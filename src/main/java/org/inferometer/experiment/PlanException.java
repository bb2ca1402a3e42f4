package org.inferometer.experiment;

import java.util.List;
import java.util.stream.Collectors;

/// A plan that cannot be run: all its faults at once.
public final class PlanException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<PlanFault> faults;

    /// @param faults at least one
    public PlanException(List<PlanFault> faults) {
        super(faults.stream().map(PlanFault::toString).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    /// The faults, in the order of the plan.
    public List<PlanFault> faults() {
        return faults;
    }
}
