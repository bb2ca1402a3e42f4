package org.inferometer.ui.bench;

/// The value of a KPI.
///
/// @param value formatted, or a dash
/// @param note what it is based on: "n = 24"
/// @param warmUp whether it is of the warm-up
public record Kpi(String value, String unit, String note, boolean warmUp) {
    /// Before the first value.
    static final Kpi NONE = new Kpi("–", "", "", false);

    /// Before the first value of a run.
    static Kpi waiting(String note) {
        return new Kpi("–", "", note, false);
    }
}
