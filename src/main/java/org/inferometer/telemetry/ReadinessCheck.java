package org.inferometer.telemetry;

/// One condition of a machine for valid measurements.
///
/// @param name of the condition: "Background load"
/// @param reason the finding and, for ATTENTION, the remedy
public record ReadinessCheck(String name, State state, String reason) {
    /// The result.
    public enum State {
        /// The condition holds.
        READY,
        /// Results would suffer.
        ATTENTION,
        /// Not present, and not needed on the CPU.
        ABSENT,
        /// Not reported by the system.
        NOT_CHECKED
    }
}
