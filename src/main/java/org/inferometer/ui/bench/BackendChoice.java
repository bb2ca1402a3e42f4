package org.inferometer.ui.bench;

import org.inferometer.options.Selection;

/// A backend that can compute here.
///
/// @param label "CPU (host), 2 threads"
public record BackendChoice(Selection selection, String label) {
    @Override
    public String toString() {
        return label;
    }
}
