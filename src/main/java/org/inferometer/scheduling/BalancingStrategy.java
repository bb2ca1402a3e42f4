package org.inferometer.scheduling;

/// How `parallel` divides requests among its streams; the rules stand at [StreamBalancer] and [StreamAffinity].
public enum BalancingStrategy {
    /// By turns.
    ROUND_ROBIN,
    /// Contexts by turns and generations by turns.
    SMART,
    /// The heaviest first, onto the lighter stream.
    BALANCED,
    /// As the last to begin with; then away from streams that were measured to be busier.
    RUNTIME
}
