package org.inferometer.target;

import org.inferometer.record.RequestStatus;
import org.inferometer.workload.RequestId;

/// Hears what happens to requests, with the instant in nanoseconds of the run's [org.inferometer.units.Clock].
///
/// All calls come from one thread; implementations return at once, take no lock and do no input or output.
public interface RequestListener {
    /// First scheduled.
    void admitted(RequestId request, long nanos);

    /// Its first prefill step began.
    void prefillStarted(RequestId request, long nanos);

    /// Tokens arrived together. A target that does not know how many tokens a chunk of text holds tells one.
    void tokens(RequestId request, long nanos, int[] tokens);

    /// How many tokens there were, from targets whose instants are those of chunks; comes before the end. Without it the engine counted,
    /// one token an instant.
    default void counted(RequestId request, TokenCounts counts) {}

    /// Ended; nothing follows.
    ///
    /// @param reason empty for OK, else one sentence
    void ended(RequestId request, long nanos, RequestStatus status, String reason);
}
