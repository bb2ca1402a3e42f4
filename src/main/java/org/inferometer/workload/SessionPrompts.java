package org.inferometer.workload;

import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;

/// The turns of conversations, one conversation after the other; see [Sessions].
final class SessionPrompts implements PromptSource {
    private static final String PROMPT_LENGTHS = "prompt lengths";
    private static final String OUTPUT_LENGTHS = "output lengths";
    private static final String TURNS = "turns";

    private final WorkloadSpec spec;
    private final Sessions sessions;
    private final DrawnTokens drawn;
    private final SharedPrefixes prefixes;
    private final RandomGenerator promptLengths;
    private final RandomGenerator outputLengths;
    private final RandomGenerator turns;
    private final RandomGenerator thinking;
    private final Seed tokens;
    private int[] conversation = {};
    private int lastOutput;
    private int turnsLeft;
    private int index;

    SessionPrompts(WorkloadSpec spec, Sessions sessions, DrawnTokens drawn, SharedPrefixes prefixes, Seed phase) {
        this.spec = spec;
        this.sessions = sessions;
        this.drawn = drawn;
        this.prefixes = prefixes;
        this.promptLengths = phase.part(PROMPT_LENGTHS).generator();
        this.outputLengths = phase.part(OUTPUT_LENGTHS).generator();
        this.turns = phase.part(TURNS).generator();
        this.thinking = phase.part("thinking").generator();
        this.tokens = phase.part("tokens");
    }

    /// Memory of so many turns, computed from their lengths without drawing tokens. Stops where the budget is exceeded.
    static long bytes(WorkloadSpec spec, Sessions sessions, Seed phase, long requests, TokenBudget budget) {
        RandomGenerator prompts = phase.part(PROMPT_LENGTHS).generator();
        RandomGenerator outputs = phase.part(OUTPUT_LENGTHS).generator();
        RandomGenerator turns = phase.part(TURNS).generator();
        long bytes = 0;
        long conversation = 0;
        long lastOutput = 0;
        int turnsLeft = 0;
        for (long i = 0; i < requests && budget.fits(bytes); i++) {
            int output = spec.outputTokens().draw(outputs);
            int user = spec.promptTokens().draw(prompts);
            boolean fits =
                    sessions.mostTokens() == 0 || conversation + lastOutput + user + output <= sessions.mostTokens();
            if (turnsLeft == 0 || !fits) {
                turnsLeft = sessions.turns().draw(turns);
                conversation = spec.sharedPrefixTokens();
                lastOutput = 0;
            }
            turnsLeft--;
            conversation += lastOutput + user;
            lastOutput = output;
            bytes += TokenBudget.requestBytes(output) + Integer.BYTES * conversation;
        }
        return bytes;
    }

    @Override
    public DrawnPrompt next(RequestId id) {
        int output = spec.outputTokens().draw(outputLengths);
        int user = spec.promptTokens().draw(promptLengths);
        long think = sessions.think().drawNanos(thinking);
        boolean fits = sessions.mostTokens() == 0
                || (long) conversation.length + lastOutput + user + output <= sessions.mostTokens();
        boolean first = turnsLeft == 0 || !fits;
        if (first) {
            turnsLeft = sessions.turns().draw(turns);
            conversation = prefixes.next();
            lastOutput = 0;
        }
        turnsLeft--;
        // The placeholder for the answer and the new part of the user are drawn together.
        conversation = drawn.after(conversation, lastOutput + user, tokens.part(index++));
        lastOutput = output;
        return new DrawnPrompt(conversation, output, null,
                first ? null : new Arrival.AfterTurn(new RequestId(id.index() - 1), think));
    }
}
