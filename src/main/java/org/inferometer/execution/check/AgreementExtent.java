package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.backend.ExecutorSizes;

/// The sequences of one agreement case: a long one, prefilled in chunks, and short ones.
///
/// @param chunks positions of the long sequence's prefill steps, in order
/// @param together sequences that decode together at the end, including the long one; at least two
public record AgreementExtent(List<Integer> chunks, int together) {
    private static final int SHORT_PROMPTS = 11;
    private static final int LAST_CHUNKS = 4;

    public AgreementExtent {
        chunks = List.copyOf(chunks);
    }

    /// Positions of a sequence's prompt; sequence 0 is the long one.
    int prompt(int sequence) {
        return sequence == 0 ? chunks.stream().mapToInt(Integer::intValue).sum() : 1 + 5 * sequence % SHORT_PROMPTS;
    }

    /// Positions of a sequence in the last, mixed steps.
    int last(int sequence) {
        return 1 + sequence % LAST_CHUNKS;
    }

    /// Sequences in each decode step: 1, 2, 3, 5, 8 and so on, finally all.
    List<Integer> ladder() {
        List<Integer> ladder = new ArrayList<>();
        int next = 2;
        for (int rows = 1; rows < together; next = rows + next, rows = next - rows) {
            ladder.add(rows);
        }
        ladder.add(together);
        return ladder;
    }

    /// Positions of a sequence at the end; for short sequences an upper bound.
    int positions(int sequence) {
        // One with the prompts of the others, and one per step of the ladder.
        int decoded = (sequence == 0 ? 1 : 0) + ladder().size();
        return (sequence == 0 ? prompt(0) : SHORT_PROMPTS) + decoded + LAST_CHUNKS;
    }

    /// Sizes of an executor for these sequences.
    ///
    /// @param blockBytes of a block of its KV cache
    public ExecutorSizes sizes(int lanes, int blockTokens, long blockBytes) {
        return new ExecutorSizes(lanes * blocks(blockTokens) * blockBytes, largestStep(),
                Math.max(positions(0), positions(1)), together);
    }

    /// Positions of the largest step.
    int largestStep() {
        return Math.max(together, chunks.stream().mapToInt(Integer::intValue).max().orElse(1)) + SHORT_PROMPTS;
    }

    /// Blocks that all sequences of one lane need.
    int blocks(int blockTokens) {
        int blocks = 0;
        for (int sequence = 0; sequence < together; sequence++) {
            blocks += Math.ceilDiv(positions(sequence), blockTokens);
        }
        return blocks;
    }
}
