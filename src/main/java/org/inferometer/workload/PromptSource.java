package org.inferometer.workload;

import org.jspecify.annotations.Nullable;

/// What is asked, request after request. One thread; equal sources ask the same.
interface PromptSource {
    /// The next request's prompt and length of answer; null when there is no further one.
    ///
    /// @param id the request that will ask it
    @Nullable
    Asked next(RequestId id);

    /// One prompt.
    ///
    /// @param promptTokens at least one; shared by whoever holds it and never changed
    /// @param outputTokens at least one
    /// @param text as it was written; absent for drawn token ids
    /// @param arrival its own: the recorded instant of a trace, or the end of the turn before; absent where the load's arrivals say it
    record Asked(int[] promptTokens, int outputTokens, @Nullable String text, @Nullable Arrival arrival) {}
}
