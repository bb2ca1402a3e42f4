package org.inferometer.prompting;

import java.util.List;

/// A model's answer to a prompt.
///
/// @param text without the end
/// @param tokens with the token that ended it
public record Answer(String text, List<Integer> tokens, End end, int promptTokens) {
    /// Why an answer ended.
    public enum End {
        /// The most tokens were reached.
        LENGTH,
        /// The model ended it.
        END_TOKEN,
        /// A stop text came.
        STOP_TEXT,
        /// The model has no further positions.
        POSITIONS,
        /// A person stopped it.
        CANCELLED
    }

    public Answer {
        tokens = List.copyOf(tokens);
    }
}
