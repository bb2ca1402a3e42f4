package org.inferometer.ui.designer;

import java.util.Optional;
import java.util.function.Supplier;

/// A part of the form that may have a fault.
///
/// @param key names the part in the window
/// @param fault what is wrong; empty where nothing is
/// @param show shows or hides the fault beside the part
record CheckedField(String key, String label, Supplier<Optional<String>> fault, Runnable show) {
    static CheckedField of(FieldViewModel<?> field) {
        return new CheckedField(field.key(), field.label(), field::fault, field::check);
    }

    /// The fault with its field; empty where there is none.
    Optional<FormFault> found() {
        return fault.get().map(sentence -> new FormFault(key, label, sentence));
    }
}
