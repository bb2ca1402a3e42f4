package org.inferometer.workload;

import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;

/// Prompts of drawn token ids, independent except for a shared prefix.
final class SyntheticPrompts implements PromptSource {
    private static final String PROMPT_LENGTHS = "prompt lengths";
    private static final String OUTPUT_LENGTHS = "output lengths";

    private final WorkloadSpec spec;
    private final DrawnTokens drawn;
    private final SharedPrefixes prefixes;
    private final RandomGenerator promptLengths;
    private final RandomGenerator outputLengths;
    private final Seed tokens;
    private int index;

    SyntheticPrompts(WorkloadSpec spec, DrawnTokens drawn, SharedPrefixes prefixes, Seed phase) {
        this.spec = spec;
        this.drawn = drawn;
        this.prefixes = prefixes;
        this.promptLengths = phase.part(PROMPT_LENGTHS).generator();
        this.outputLengths = phase.part(OUTPUT_LENGTHS).generator();
        this.tokens = phase.part("tokens");
    }

    /// Memory of so many requests, computed from their lengths without drawing tokens. Stops where the budget is exceeded.
    static long bytes(WorkloadSpec spec, Seed phase, long requests, TokenBudget budget) {
        RandomGenerator lengths = phase.part(PROMPT_LENGTHS).generator();
        RandomGenerator outputs = phase.part(OUTPUT_LENGTHS).generator();
        long bytes = 0;
        for (long i = 0; i < requests && budget.fits(bytes); i++) {
            bytes += TokenBudget.requestBytes(spec.outputTokens().draw(outputs))
                    + Integer.BYTES * ((long) spec.sharedPrefixTokens() + spec.promptTokens().draw(lengths));
        }
        return bytes;
    }

    @Override
    public DrawnPrompt next(RequestId id) {
        int output = spec.outputTokens().draw(outputLengths);
        int prompt = spec.promptTokens().draw(promptLengths);
        return new DrawnPrompt(drawn.after(prefixes.next(), prompt, tokens.part(index++)), output, null, null);
    }
}
