package org.inferometer.cli;

import java.util.List;

/// A command that cannot be carried out as it was written: exit code 2.
public final class WrongUse extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<String> faults;

    /// @param faults at least one sentence for people
    public WrongUse(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    public WrongUse(String fault) {
        this(List.of(fault));
    }

    public List<String> faults() {
        return faults;
    }
}
