package org.inferometer.workload;

import java.util.Arrays;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.Seed;
import org.jspecify.annotations.Nullable;

/// The prompts of a source with other text where they have text, of as many tokens: what warms a target up must not leave in its
/// prefix cache what is measured afterwards.
///
/// Equal texts become equal texts. Prompts of drawn token ids pass as they are: the seed of the warm-up made others of them already.
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
    public @Nullable Asked next(RequestId id) {
        Asked asked = source.next(id);
        if (asked == null || asked.text() == null) {
            return asked;
        }
        int[] tokens = drawn.draw(asked.promptTokens().length, texts.part(Arrays.hashCode(asked.promptTokens())));
        // As text still, so that a server takes it on the way that the measured ones will go.
        return new Asked(tokens, asked.outputTokens(), tokenizer.decode(tokens), asked.arrival());
    }
}
