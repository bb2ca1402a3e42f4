package org.inferometer.target.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds the first contradiction between a server's token counts and the events of one response. One thread.
final class CountCheck {
    private final long[] least; // output tokens of each answer that the counts in its events allow
    private final boolean[] reasoning;
    private int outputs;
    private long outputIds;
    private long allIds;
    private boolean idsComplete = true;
    private int earlyEnds;
    private @Nullable Contradiction contradiction;

    /// A count of output tokens that is not that of the events.
    ///
    /// @param counted by the server
    /// @param seen the tokens that the events hold: at least, or exactly if their ids are complete
    record Contradiction(int counted, int seen) {}

    CountCheck(int answers) {
        least = new long[answers];
        Arrays.fill(least, Chunk.UNKNOWN);
        reasoning = new boolean[answers];
        Arrays.fill(reasoning, true);
    }

    /// The first contradiction; null if there is none.
    @Nullable
    Contradiction contradiction() {
        return contradiction;
    }

    /// Takes a part of an answer.
    ///
    /// @param answer its number; [AnswerCounts#NOT_KNOWN] if the event does not say
    /// @param counted output tokens by the event; [Chunk#UNKNOWN] without a count
    void part(int answer, Chunk.Choice part, long counted) {
        int ids = part.tokenIds().length;
        allIds += ids;
        if (part.finishReason() != null && !part.finishReason().equals("length")) {
            earlyEnds++;
        }
        if (part.hasOutput()) {
            outputs++;
            outputIds += ids;
            idsComplete &= ids > 0 && ids < ChunkReader.MAX_IDS;
            if (answer != AnswerCounts.NOT_KNOWN) {
                rise(answer, part.isReasoning(), counted);
            }
        }
    }

    /// A part with output holds at least one token, so a count that does not rise is wrong.
    private void rise(int answer, boolean isReasoning, long counted) {
        // The step in which reasoning ends may come as two events: SGLang counts it in both.
        boolean mayBeOfSameStep = reasoning[answer] && !isReasoning;
        reasoning[answer] &= isReasoning;
        long before = least[answer];
        if (before != Chunk.UNKNOWN && !mayBeOfSameStep) {
            least[answer] = before + 1;
        }
        if (counted != Chunk.UNKNOWN) {
            requireAtLeast(least[answer], counted);
            least[answer] = Math.max(least[answer], counted);
        }
    }

    /// Notes a count that is below the tokens that are known.
    void requireAtLeast(long seen, long counted) {
        if (counted < seen) {
            note(counted, seen);
        }
    }

    /// Checks the total at the end. The id of an end of sequence may be among the ids but not counted, or the reverse.
    void total(long counted) {
        int answers = least.length;
        requireAtLeast(Math.max(outputs, outputIds - Math.min(answers, earlyEnds)), counted);
        if (answers == 1) {
            requireAtLeast(least[0], counted);
        }
        if (idsComplete && counted > allIds + answers) {
            note(counted, allIds);
        }
    }

    private void note(long counted, long seen) {
        if (contradiction == null) {
            contradiction = new Contradiction((int) counted, (int) seen);
        }
    }
}
