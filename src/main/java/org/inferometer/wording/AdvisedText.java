package org.inferometer.wording;

import com.fasterxml.jackson.annotation.JsonValue;
import org.inferometer.finding.Advice;
import org.jspecify.annotations.Nullable;

/// A text with advice in it, which each voice says in its own words.
///
/// @param after follows the advice; empty without one
public record AdvisedText(String before, @Nullable Advice advice, String after) {
    /// A text that all voices say alike.
    public static AdvisedText plain(String text) {
        return new AdvisedText(text, null, "");
    }

    /// As this voice says it.
    public String in(Voice voice) {
        return advice == null ? before : before + voice.words(advice) + after;
    }

    /// As the command line says it.
    @Override
    @JsonValue
    public String toString() {
        return in(Voice.COMMAND_LINE);
    }
}
