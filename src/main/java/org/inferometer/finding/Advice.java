package org.inferometer.finding;

/// What a sentence advises to do. The command line and the window each say it in their own words.
public sealed interface Advice {
    /// An action without arguments.
    enum Action implements Advice {
        /// The ceiling of the load generator is measured.
        SELF_CHECK,
        /// Two sides are measured in one experiment.
        AGAINST,
        /// The variation between experiments is learned.
        VARIATION,
        /// Requests arrive at a rate.
        RATE,
        /// The quality of an engine is measured.
        QUALITY,
        /// What an interrupted build left is deleted.
        DELETE_KEPT
    }

    /// An engine is built.
    record Build(String engine) implements Advice {}

    /// A setting of an experiment gets another value.
    ///
    /// @param option its option: "--kv-memory"
    /// @param label what forms call it: "KV memory"
    record Setting(String option, String label) implements Advice {}
}
