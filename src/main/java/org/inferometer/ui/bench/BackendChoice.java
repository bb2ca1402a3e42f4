package org.inferometer.ui.bench;

import java.util.List;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.Selection;

/// A backend that can compute here.
///
/// @param label "CPU (host), 2 threads"
/// @param options what can be set on it
public record BackendChoice(Selection selection, String label, List<OptionDescription> options) {
    /// A backend without options.
    public BackendChoice(Selection selection, String label) {
        this(selection, label, List.of());
    }

    @Override
    public String toString() {
        return label;
    }
}
