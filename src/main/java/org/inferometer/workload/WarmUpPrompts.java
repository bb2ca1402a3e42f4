package org.inferometer.workload;

import java.util.Arrays;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.Seed;
import org.jspecify.annotations.Nullable;

/// The prompts of a source with other text of equal length, so that the warm-up does not fill the prefix cache with
/// measured prompts.
///
/// Equal texts become equal texts. Prompts of drawn token ids are unchanged: their warm-up seed differs already.
final class WarmUpPrompts implements PromptSource {
    private final PromptSource source;
    private final Tokenizer tokenizer;
    private final DrawnTokens drawn;
    private final Seed texts;

    WarmUpPrompts(PromptSource source, Tokenizer tokenizer, TokenBudget budget, Seed phase) {
        this.source = source;
        this.tokenizer = tokenizer;
        this.drawn = new DrawnTokens(tokenizer, budget);
        this.texts = phase.part("texts");
    }

    @Override
    public @Nullable DrawnPrompt next(RequestId id) {
        DrawnPrompt asked = source.next(id);
        if (asked == null || asked.text() == null) {
            // Nobody thinks between the turns of a warm-up.
            return asked != null && asked.arrival() instanceof Arrival.AfterTurn(RequestId previous, long _)
                    ? new DrawnPrompt(asked.promptTokens(), asked.outputTokens(), null,
                            new Arrival.AfterTurn(previous, 0))
                    : asked;
        }
        int[] tokens = drawn.draw(asked.promptTokens().length, texts.part(Arrays.hashCode(asked.promptTokens())));
        // Sent as text like the measured prompts.
        return new DrawnPrompt(tokens, asked.outputTokens(), tokenizer.decode(tokens), asked.arrival());
    }
}
