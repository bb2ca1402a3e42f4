package org.inferometer.cli;

import java.util.List;

/// A command line with faults: exit code 2.
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<String> faults;

    /// @param faults at least one, each a sentence
    public UsageException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    public UsageException(String fault) {
        this(List.of(fault));
    }

    /// Throws if there are faults.
    public static void throwIfAny(List<String> faults) throws UsageException {
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
    }

    public List<String> faults() {
        return faults;
    }
}
