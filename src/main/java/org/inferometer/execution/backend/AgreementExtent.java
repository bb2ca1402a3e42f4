package org.inferometer.execution.backend;

import java.util.ArrayList;
import java.util.List;

/// How much a backend computes in one case of an agreement check: a long sequence that is fed in chunks, and others beside it.
///
/// @param chunks positions of the long sequence's steps, one after the other
/// @param together sequences that decode together in the end, the long one among them; two at least
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

    /// Positions that a sequence is given in the last, mixed steps.
    int last(int sequence) {
        return 1 + sequence % LAST_CHUNKS;
    }

    /// How many sequences decode in each step: 1, 2, 3, 5, 8 and so on, the last all of them.
    List<Integer> ladder() {
        List<Integer> ladder = new ArrayList<>();
        int next = 2;
        for (int rows = 1; rows < together; next = rows + next, rows = next - rows) {
            ladder.add(rows);
        }
        ladder.add(together);
        return ladder;
    }

    /// Positions that a sequence has when everything is done; a short one has at most as many as this says of sequence 1.
    int positions(int sequence) {
        // One beside the prompts of the others, one in each step of the ladder.
        int decoded = (sequence == 0 ? 1 : 0) + ladder().size();
        return (sequence == 0 ? prompt(0) : SHORT_PROMPTS) + decoded + LAST_CHUNKS;
    }

    /// Sizes of an executor for these sequences.
    public ExecutorSizes sizes(long kvBytes) {
        return new ExecutorSizes(kvBytes, largestStep(), longest(), together);
    }

    /// Positions of the largest step.
    int largestStep() {
        return Math.max(together, chunks.stream().mapToInt(Integer::intValue).max().orElse(1)) + SHORT_PROMPTS;
    }

    /// Positions of the longest sequence.
    private int longest() {
        return Math.max(positions(0), positions(1));
    }

    /// Blocks that all sequences of one lane need.
    public int blocks(int blockTokens) {
        int blocks = 0;
        for (int sequence = 0; sequence < together; sequence++) {
            blocks += Math.ceilDiv(positions(sequence), blockTokens);
        }
        return blocks;
    }
}
