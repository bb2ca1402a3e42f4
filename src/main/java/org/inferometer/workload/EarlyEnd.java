package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.units.OneLine;

/// What ends an answer before it has the length that was asked for.
///
/// @param endOfSequence whether the model's end of sequence ends it; else the model goes on
/// @param texts that end it where they appear
public record EarlyEnd(@JsonProperty("endOfSequence") boolean endOfSequence,
        @JsonProperty("texts") List<String> texts) {
    /// Nothing: every answer has its length, so that engines and schedulers do equal work.
    public static final EarlyEnd NONE = new EarlyEnd(false, List.of());
    /// Bounds of the texts.
    public static final int MOST_TEXTS = 16;
    public static final int MOST_CHARACTERS = 200;

    public EarlyEnd {
        // Records may come from others.
        texts = texts == null ? List.of() : List.copyOf(texts);
        if (texts.size() > MOST_TEXTS) {
            throw new IllegalArgumentException(texts.size() + " stop texts; at most " + MOST_TEXTS + " are possible.");
        }
        for (String text : texts) {
            if (text.isEmpty() || text.length() > MOST_CHARACTERS) {
                throw new IllegalArgumentException(
                        "A stop text has " + text.length() + " characters. Give 1 to " + MOST_CHARACTERS + ".");
            }
        }
    }

    /// Whether nothing ends an answer early.
    public boolean isNone() {
        return !endOfSequence && texts.isEmpty();
    }

    /// "the model's end of sequence or \"###\""; empty for nothing.
    public String text() {
        List<String> ends = new ArrayList<>();
        if (endOfSequence) {
            ends.add("the model's end of sequence");
        }
        texts.forEach(each -> ends.add("\"" + OneLine.of(each) + "\""));
        return ends.stream().collect(Collectors.joining(" or "));
    }

    /// The same with another treatment of the model's end of sequence.
    public EarlyEnd withEndOfSequence(boolean ends) {
        return new EarlyEnd(ends, texts);
    }

    /// The same with other texts.
    public EarlyEnd withTexts(List<String> changed) {
        return new EarlyEnd(endOfSequence, changed);
    }
}
