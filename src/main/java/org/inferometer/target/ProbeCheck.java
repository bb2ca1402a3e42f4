package org.inferometer.target;

/// One thing that a probe of a target found.
///
/// @param name "models"
/// @param sentence what was found, or what to do
public record ProbeCheck(String name, Outcome outcome, String sentence) {
    /// What the check says.
    public enum Outcome {
        PASSED, FAILED,
        /// The server does not have it; it can be measured all the same.
        ABSENT
    }

    public static ProbeCheck passed(String name, String sentence) {
        return new ProbeCheck(name, Outcome.PASSED, sentence);
    }

    public static ProbeCheck failed(String name, String sentence) {
        return new ProbeCheck(name, Outcome.FAILED, sentence);
    }

    public static ProbeCheck absent(String name, String sentence) {
        return new ProbeCheck(name, Outcome.ABSENT, sentence);
    }
}
