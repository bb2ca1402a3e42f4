package org.inferometer.telemetry;

/// One thing that a trustworthy measurement wants of a machine.
///
/// @param name what is looked at: "Background load"
/// @param reason what was seen and, where it needs attention, what to do
public record ReadinessCheck(String name, State state, String reason) {
    /// How it stands.
    public enum State {
        /// As it should be.
        READY,
        /// Figures would suffer.
        ATTENTION,
        /// Not there, and not needed for measuring on the CPU.
        ABSENT,
        /// The system does not tell.
        NOT_CHECKED
    }
}
