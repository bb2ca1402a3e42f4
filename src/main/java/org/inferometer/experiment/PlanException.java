package org.inferometer.experiment;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/// A plan that cannot be run: all its faults at once.
public final class PlanException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<PlanFault> faults;
    private final boolean unreadable;

    /// @param faults at least one
    public PlanException(List<PlanFault> faults) {
        super(faults.stream().map(PlanFault::toString).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
        this.unreadable = false;
    }

    /// A plan whose file cannot be read.
    ///
    /// @param fault names the file
    public PlanException(PlanFault fault, IOException cause) {
        super(fault.toString(), cause);
        this.faults = List.of(fault);
        this.unreadable = true;
    }

    /// Whether the file of the plan cannot be read: its content is not known.
    public boolean isUnreadable() {
        return unreadable;
    }

    /// The faults, in the order of the plan.
    public List<PlanFault> faults() {
        return faults;
    }
}
