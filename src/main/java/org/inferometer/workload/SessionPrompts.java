package org.inferometer.workload;

import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;

/// The turns of conversations, one conversation after the other; see [Sessions].
final class SessionPrompts implements PromptSource {
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
        this.promptLengths = phase.part("prompt lengths").generator();
        this.outputLengths = phase.part("output lengths").generator();
        this.turns = phase.part("turns").generator();
        this.thinking = phase.part("thinking").generator();
        this.tokens = phase.part("tokens");
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
