package org.inferometer.workload;

/// Conversations of several turns: the prompt of each is the whole conversation before it and something new.
///
/// Turn k asks turn k−1's prompt, a drawn stand-in for turn k−1's answer, and new tokens of the user; it is sent a think time after
/// turn k−1 ended. So it shares the prompt of the turn before as a prefix, not its answer, which nobody can know before the run.
///
/// @param turns of a session; written with the grammar of lengths
/// @param think from the end of a turn to the next
/// @param mostTokens a session ends before a turn whose prompt and answer together were longer; 0 for no such limit
public record Sessions(LengthDistribution turns, TimeDistribution think, int mostTokens) {
    /// The longest conversation, prompt and answer of its last turn together, in tokens.
    ///
    /// @param prefix tokens that every prompt begins with
    long longest(int prefix, LengthDistribution user, LengthDistribution answer) {
        long whole = prefix + (long) turns.largest() * ((long) user.largest() + answer.largest());
        // The first turn is asked whatever the limit says: there is no request without it.
        long first = prefix + (long) user.largest() + answer.largest();
        return mostTokens == 0 ? whole : Math.min(whole, Math.max(mostTokens, first));
    }
}
