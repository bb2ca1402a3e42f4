package org.inferometer.workload;

import java.util.Arrays;
import java.util.List;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.Seed;
import org.inferometer.workload.trace.TraceRow;
import org.jspecify.annotations.Nullable;

/// The requests of a trace: its texts, or token ids drawn to the recorded lengths with equal blocks for equal block ids.
final class TracePrompts implements PromptSource {
    private final List<TraceSelection.Selected> selected;
    private final boolean timed;
    private final Tokenizer tokenizer;
    private final DrawnTokens drawn;
    private final TokenBudget budget;
    private final Seed tokens;
    private final Seed blocks;
    private final Seed answers;
    private int[] conversation = {};
    private int lastOutput;
    private int index;

    /// @param timed whether the trace has instants
    /// @param phase seed; the warm-up draws other tokens for the same lengths and blocks, and [WarmUpPrompts] replaces its texts
    TracePrompts(List<TraceSelection.Selected> selected, boolean timed, Tokenizer tokenizer, TokenBudget budget,
            Seed phase) {
        this.selected = selected;
        this.timed = timed;
        this.tokenizer = tokenizer;
        this.drawn = new DrawnTokens(tokenizer, budget);
        this.budget = budget;
        this.tokens = phase.part("tokens");
        this.blocks = phase.part("trace blocks");
        this.answers = phase.part("trace answers");
    }

    @Override
    public @Nullable DrawnPrompt next(RequestId id) {
        if (index == selected.size()) {
            return null;
        }
        TraceSelection.Selected next = selected.get(index);
        Arrival arrival = timed ? new Arrival.At(next.atNanos()) : null;
        DrawnPrompt asked = switch (next.row()) {
            case TraceRow.Lengths row -> {
                conversation = prompt(row, next.promptTokens());
                yield new DrawnPrompt(conversation, next.outputTokens(), null, arrival);
            }
            case TraceRow.LaterTurn(var row, long delay) -> {
                int[] added = prompt(row, next.promptTokens());
                // Drawn tokens stand in for the answer, which is unknown before the run.
                int[] said = drawn.after(conversation, lastOutput, answers.part(index));
                conversation = Arrays.copyOf(said, said.length + added.length);
                System.arraycopy(added, 0, conversation, said.length, added.length);
                yield new DrawnPrompt(conversation, next.outputTokens(), null,
                        new Arrival.AfterTurn(new RequestId(id.index() - 1), delay));
            }
            case TraceRow.Text row -> text(row.prompt(), next, arrival);
            case TraceRow.Turns turns -> text(turns.prompt(), next, arrival);
        };
        lastOutput = next.outputTokens();
        index++;
        return asked;
    }

    private DrawnPrompt text(String text, TraceSelection.Selected next, @Nullable Arrival arrival) {
        int[] whole = tokenizer.encode(text);
        budget.take(whole.length);
        boolean cut = next.promptTokens() < whole.length;
        int[] prompt = cut ? Arrays.copyOf(whole, next.promptTokens()) : whole;
        return new DrawnPrompt(prompt, next.outputTokens(), cut ? tokenizer.decode(prompt) : text, arrival);
    }

    private int[] prompt(TraceRow.Lengths row, int length) {
        if (row.blockIds().length == 0) {
            return drawn.draw(length, tokens.part(index));
        }
        budget.take(length);
        int[] prompt = new int[length];
        for (int from = 0, block = 0; from < length; from += row.blockTokens(), block++) {
            drawn.fill(prompt, from, Math.min(length, from + row.blockTokens()), blocks.part(row.blockIds()[block]));
        }
        return prompt;
    }
}
