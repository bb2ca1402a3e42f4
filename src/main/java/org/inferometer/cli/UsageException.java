package org.inferometer.cli;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.inferometer.units.FileFault;
import org.inferometer.units.FileTooLargeException;

/// A command line with faults: exit code 2, or 3 if a file that it names does not fit into the heap.
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

    /// A file of the command line that cannot be read.
    public static UsageException of(IOException fault) {
        return of(List.of(fault));
    }

    /// Files of the command line that cannot be read.
    ///
    /// @param faults at least one
    public static UsageException of(List<IOException> faults) {
        UsageException usage = new UsageException(faults.stream().map(FileFault::sentence).toList());
        faults.stream().filter(FileTooLargeException.class::isInstance).findFirst().ifPresent(usage::initCause);
        return usage;
    }

    /// The faults of several.
    public static UsageException joined(List<UsageException> all) {
        UsageException usage = new UsageException(all.stream().flatMap(each -> each.faults.stream()).toList());
        all.stream().map(Throwable::getCause).filter(Objects::nonNull).findFirst().ifPresent(usage::initCause);
        return usage;
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
