package org.inferometer.wording;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.function.UnaryOperator;

/// An answer whose head stands out where a document can show it.
///
/// @param head its first sentence, or the words before its colon
/// @param rest follows the head; may be empty
public record HeadedText(String head, String rest) {
    /// No text.
    public static final HeadedText NONE = new HeadedText("", "");

    /// The same with further sentences at its end.
    public HeadedText with(String more) {
        return new HeadedText(head, rest + more);
    }

    /// The same in other words.
    public HeadedText withText(UnaryOperator<String> change) {
        return new HeadedText(change.apply(head), change.apply(rest));
    }

    @Override
    @JsonValue
    public String toString() {
        return head + rest;
    }
}
