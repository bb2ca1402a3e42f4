package org.inferometer.ui.designer;

import java.util.List;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.Selection;

/// A backend that can compute here, or a target outside this program that can be driven in place of engines.
///
/// @param label "CPU (host), 2 threads"
/// @param options what can be set on it
/// @param outside whether it brings a model and a scheduler of its own
public record BackendChoice(Selection selection, String label, List<OptionDescription> options, boolean outside) {
    /// A backend that computes here.
    public BackendChoice(Selection selection, String label, List<OptionDescription> options) {
        this(selection, label, options, false);
    }

    /// A backend without options.
    public BackendChoice(Selection selection, String label) {
        this(selection, label, List.of());
    }

    @Override
    public String toString() {
        return label;
    }
}
