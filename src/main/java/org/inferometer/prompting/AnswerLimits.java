package org.inferometer.prompting;

import java.util.List;
import java.util.Set;

/// When an answer ends.
///
/// @param mostTokens from 1
/// @param endTokens ids of the model that end an answer; their text is not shown
/// @param stopTexts texts that end an answer; they are not shown
public record AnswerLimits(int mostTokens, Set<Integer> endTokens, List<String> stopTexts) {
    public AnswerLimits {
        if (mostTokens < 1 || stopTexts.contains("")) {
            throw new IllegalArgumentException(mostTokens + " tokens, stop texts " + stopTexts);
        }
        endTokens = Set.copyOf(endTokens);
        stopTexts = List.copyOf(stopTexts);
    }
}
