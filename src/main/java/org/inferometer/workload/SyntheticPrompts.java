package org.inferometer.workload;

import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;

/// Prompts of drawn token ids, independent except for a shared prefix.
final class SyntheticPrompts implements PromptSource {
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
        this.promptLengths = phase.part("prompt lengths").generator();
        this.outputLengths = phase.part("output lengths").generator();
        this.tokens = phase.part("tokens");
    }

    @Override
    public DrawnPrompt next(RequestId id) {
        int output = spec.outputTokens().draw(outputLengths);
        int prompt = spec.promptTokens().draw(promptLengths);
        return new DrawnPrompt(drawn.after(prefixes.next(), prompt, tokens.part(index++)), output, null, null);
    }
}
