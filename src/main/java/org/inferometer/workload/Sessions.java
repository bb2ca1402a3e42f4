package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Conversations of several turns: each prompt is the conversation so far and a new part.
///
/// The prompt of turn k is the prompt of turn k−1, drawn tokens in place of its response (unknown before the run), and
/// new tokens of the user. It is sent a think time after the end of turn k−1 and shares only the prompt of turn k−1 as
/// a prefix.
///
/// @param turns of a session
/// @param think from the end of a turn to the next
/// @param mostTokens a session ends before a turn whose prompt and answer exceed this together; 0 for no limit
public record Sessions(@JsonProperty("turns") LengthDistribution turns, @JsonProperty("think") TimeDistribution think,
        @JsonProperty("mostTokens") int mostTokens) {
    /// The longest conversation, prompt and answer of its last turn together, in tokens.
    ///
    /// @param prefix tokens that every prompt begins with
    long longest(int prefix, LengthDistribution user, LengthDistribution answer) {
        long whole = prefix + (long) turns.largest() * ((long) user.largest() + answer.largest());
        // The first turn is always sent.
        long first = prefix + (long) user.largest() + answer.largest();
        return mostTokens == 0 ? whole : Math.min(whole, Math.max(mostTokens, first));
    }
}
