package org.inferometer.workload;

import java.util.List;
import java.util.random.RandomGenerator;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.Seed;
import org.jspecify.annotations.Nullable;

/// The prompts of a file in order, repeated from the start.
final class FilePrompts implements PromptSource {
    private final List<PromptFile.Prompt> prompts;
    private final int[] @Nullable [] encoded;
    private final Tokenizer tokenizer;
    private final LengthDistribution outputTokens;
    private final RandomGenerator outputLengths;
    private final TokenBudget budget;
    private int index;

    /// @param outputTokens used if the file gives no length
    FilePrompts(List<PromptFile.Prompt> prompts, Tokenizer tokenizer, LengthDistribution outputTokens,
            TokenBudget budget, Seed phase) {
        this.prompts = prompts;
        this.encoded = new int[prompts.size()][];
        this.tokenizer = tokenizer;
        this.outputTokens = outputTokens;
        this.outputLengths = phase.part("output lengths").generator();
        this.budget = budget;
    }

    @Override
    public DrawnPrompt next(RequestId id) {
        int place = index++ % prompts.size();
        PromptFile.Prompt prompt = prompts.get(place);
        int output = outputTokens.draw(outputLengths);
        int[] tokens = encoded[place];
        if (tokens == null) {
            tokens = tokenizer.encode(prompt.text());
            budget.take(tokens.length);
            encoded[place] = tokens;
        }
        return new DrawnPrompt(tokens, prompt.outputTokens().orElse(output), prompt.text(), null);
    }
}
