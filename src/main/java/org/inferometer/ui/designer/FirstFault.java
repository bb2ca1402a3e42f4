package org.inferometer.ui.designer;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Asks every field of the form, so that all faults show, and keeps the key of the first that has one.
final class FirstFault {
    private Optional<String> key = Optional.empty();

    /// @param right shows the fault of a field; true where it has none
    void ask(String asked, BooleanSupplier right) {
        boolean fine = right.getAsBoolean();
        if (key.isEmpty() && !fine) {
            key = Optional.of(asked);
        }
    }

    /// Key of the first field with a fault, in the order of the form.
    Optional<String> key() {
        return key;
    }
}
