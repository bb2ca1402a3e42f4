package org.inferometer.serving;

import java.util.Set;
import org.inferometer.engine.tokenizer.StoppedText;
import org.inferometer.engine.tokenizer.TextStream;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.StopRule;
import org.jspecify.annotations.Nullable;

/// How the answers of a model can end before their length. Thread-safe as far as its tokenizer is.
///
/// @param endTokens ids of its ends of sequence
/// @param tokenizer for stop texts; absent if its tokens have no text
public record AnswerEnds(Set<Integer> endTokens, @Nullable Tokenizer tokenizer) {
    /// A model whose answers always have their length.
    public static final AnswerEnds NONE = new AnswerEnds(Set.of(), null);

    public AnswerEnds {
        endTokens = Set.copyOf(endTokens);
    }

    /// The check of one answer. Only stop texts decode tokens, on the thread that asks.
    StopCheck check(StopRule rule) {
        int most = rule.maxTokens();
        EarlyEnd early = rule.early();
        if (early.isNone()) {
            return (token, generated) -> generated >= most;
        }
        Set<Integer> ends = early.endOfSequence() ? endTokens : Set.of();
        Tokenizer texts = tokenizer;
        if (early.texts().isEmpty() || texts == null) {
            return (token, generated) -> generated >= most || ends.contains(token);
        }
        TextStream decoded = new TextStream(texts);
        StoppedText stopped = new StoppedText(early.texts());
        return (token, generated) -> {
            if (generated >= most || ends.contains(token)) {
                return true;
            }
            stopped.next(decoded.next(token));
            return stopped.isStopped();
        };
    }
}
