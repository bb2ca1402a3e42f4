package org.inferometer.workload;

import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.Seed;
import org.jspecify.annotations.Nullable;

/// Texts of a source with a line in front that no other request has. Prefix caches match from the front, so none holds them.
///
/// Drawn prompts are unchanged: a run has its own. The line's tokens come from the load, so that equal loads stay equal; its
/// text comes from the run as well.
final class VariedPrompts implements PromptSource {
    /// Tokens of the line: 70 bits of a server's words.
    static final int LINE_TOKENS = 8;

    private final PromptSource source;
    private final Tokenizer tokenizer;
    private final DrawnTokens drawn;
    private final TokenBudget budget;
    private final Seed load;
    private final Seed run;

    /// @param load seed of the tokens; run seed of the texts
    VariedPrompts(PromptSource source, Tokenizer tokenizer, TokenBudget budget, Seed load, Seed run) {
        this.source = source;
        this.tokenizer = tokenizer;
        this.drawn = new DrawnTokens(tokenizer, budget);
        this.budget = budget;
        this.load = load.part("unique lines");
        this.run = run;
    }

    @Override
    public @Nullable DrawnPrompt next(RequestId id) {
        DrawnPrompt asked = source.next(id);
        if (asked == null || asked.text() == null) {
            return asked;
        }
        int[] own = asked.promptTokens();
        String text = tokenizer.decode(drawn.draw(LINE_TOKENS, run.part(id.index()))) + "\n" + asked.text();
        budget.take((long) LINE_TOKENS + own.length + text.length() / 2);
        int[] tokens = new int[LINE_TOKENS + own.length];
        drawn.fill(tokens, 0, LINE_TOKENS, load.part(id.index()));
        System.arraycopy(own, 0, tokens, LINE_TOKENS, own.length);
        return new DrawnPrompt(tokens, asked.outputTokens(), text, asked.arrival());
    }
}
