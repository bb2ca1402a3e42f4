package org.inferometer.ui.designer;

import java.util.List;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.Selection;

/// A backend of this machine, or an external target.
///
/// @param label "CPU (host), 2 threads"
/// @param outside whether it is an external target with its own model and scheduler
public record BackendChoice(Selection selection, String label, List<OptionDescription> options, boolean outside) {
    /// A backend of this machine.
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
