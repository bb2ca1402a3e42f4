package org.inferometer.serving;

import org.inferometer.workload.RequestId;

/// Hears what happens to requests, with the instant in nanoseconds of the run's [org.inferometer.units.Clock].
///
/// All calls come from one thread; implementations return at once, take no lock and do no input or output.
public interface RequestListener {
    /// First scheduled.
    void admitted(RequestId request, long nanos);

    /// Its first prefill step began.
    void prefillStarted(RequestId request, long nanos);

    /// Tokens arrived together.
    void tokens(RequestId request, long nanos, int[] tokens);

    /// Ended; nothing follows.
    ///
    /// @param reason empty for OK, else one sentence
    void ended(RequestId request, long nanos, RequestStatus status, String reason);
}
