package org.inferometer.options;

import java.util.List;

/// Says every fault of the options that were given, one sentence each.
public final class OptionException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<String> faults;

    /// @param faults at least one sentence for people
    public OptionException(List<String> faults) {
        super(String.join(" ", faults));
        this.faults = List.copyOf(faults);
    }

    /// The faults, one sentence each.
    public List<String> faults() {
        return faults;
    }
}
