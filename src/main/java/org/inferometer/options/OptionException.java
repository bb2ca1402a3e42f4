package org.inferometer.options;

import java.util.List;

/// All faults of the given options.
public final class OptionException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<String> faults;

    /// @param faults at least one, one sentence each
    public OptionException(List<String> faults) {
        super(String.join(" ", faults));
        this.faults = List.copyOf(faults);
    }

    /// The faults, one sentence each.
    public List<String> faults() {
        return faults;
    }
}
