package org.inferometer.scheduling;

/// How `parallel` divides requests among its streams; see [StreamBalancer] and [StreamAffinity].
public enum BalancingStrategy {
    /// Round robin.
    ROUND_ROBIN,
    /// Round robin of contexts and of generations.
    SMART,
    /// Heaviest request first, onto the stream with the least work.
    BALANCED,
    /// Starts like `BALANCED`; then moves requests from streams with more measured busy time.
    RUNTIME
}
