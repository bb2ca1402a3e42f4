package org.inferometer.workload;

import org.jspecify.annotations.Nullable;

/// The prompts of a load, one after the other. One thread; equal sources give equal prompts.
interface PromptSource {
    /// The next prompt and its output length; null if there is no further one.
    ///
    /// @param id of the request
    @Nullable
    DrawnPrompt next(RequestId id);

    /// A prompt with its output length.
    ///
    /// @param promptTokens at least one; may be shared, never changed
    /// @param outputTokens at least one
    /// @param text of the prompt; absent for drawn token ids
    /// @param arrival recorded instant or previous turn; absent if the arrival process decides
    record DrawnPrompt(int[] promptTokens, int outputTokens, @Nullable String text, @Nullable Arrival arrival) {}
}
