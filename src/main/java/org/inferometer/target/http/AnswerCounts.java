package org.inferometer.target.http;

import java.util.Optional;

/// Counts the tokens of each answer of a request with several (`n`). One thread.
///
/// Servers count differently while they stream: vLLM per answer, others over all answers. The first change of the answer in a stream
/// shows which. Counts that fit neither are not used.
final class AnswerCounts {
    /// The index of an answer that is not known.
    static final int NOT_KNOWN = -1;

    private final long[] counts;
    private final int[] pending;
    private final boolean[] answered;
    private final boolean[] finished;
    private Basis basis = Basis.OPEN;
    private long last;
    private int lastIndex = NOT_KNOWN;
    private boolean countsSeen;
    private boolean unattributed;
    private int finishes;

    private enum Basis {
        OPEN, PER_ANSWER, OVER_ALL, UNUSABLE
    }

    /// @param answers at least 2
    AnswerCounts(int answers) {
        counts = new long[answers];
        pending = new int[answers];
        answered = new boolean[answers];
        finished = new boolean[answers];
    }

    /// Why the choices of an event cannot belong to the request; empty if they can.
    Optional<String> fault(Chunk chunk) {
        for (Chunk.Choice choice : chunk.choices()) {
            if (choice.index() >= counts.length || choice.index() < NOT_KNOWN) {
                return Optional.of("The server sent choice " + choice.index() + "; " + counts.length
                        + " were requested, numbered from 0.");
            }
        }
        return chunk.choices().size() > counts.length
                ? Optional.of("The server sent more than " + counts.length + " choices in one event.")
                : Optional.empty();
    }

    /// The tokens that an event brings to an answer; 0 for none yet.
    ///
    /// @param counted the server's count in the event; [Chunk#UNKNOWN] without one
    int tokens(Chunk.Choice choice, long counted) {
        int index = choice.index();
        boolean ends = choice.finishReason() != null;
        if (index == NOT_KNOWN) {
            unattributed = true;
            basis = Basis.UNUSABLE;
            finishes += ends ? 1 : 0;
        } else {
            answered[index] |= choice.hasOutput();
            finishes += ends && !finished[index] ? 1 : 0;
            finished[index] |= ends;
        }
        if (counted == Chunk.UNKNOWN && choice.hasOutput()) {
            // Counts of some chunks only do not tell the tokens of each.
            basis = Basis.UNUSABLE;
        }
        if (counted != Chunk.UNKNOWN && basis != Basis.UNUSABLE) {
            countsSeen = true;
            count(index, counted, choice.hasOutput());
        }
        if (basis == Basis.UNUSABLE || !countsSeen) {
            return choice.hasOutput() ? Math.max(1, choice.tokenIds().length) : 0;
        }
        if (!choice.hasOutput() && !ends) {
            return 0;
        }
        int tokens = pending[index];
        pending[index] = 0;
        return tokens;
    }

    private void count(int index, long counted, boolean hasOutput) {
        if (basis == Basis.OPEN && last > 0 && lastIndex != index) {
            if (counted > last) {
                basis = Basis.OVER_ALL;
            } else if (counted < last || hasOutput) {
                basis = Basis.PER_ANSWER;
            }
        }
        long before = basis == Basis.OVER_ALL ? last : counts[index];
        if (counted < before) {
            basis = Basis.UNUSABLE;
            return;
        }
        pending[index] += (int) (counted - before);
        counts[index] += counted - before;
        last = counted;
        lastIndex = index;
    }

    /// The tokens of all answers by the counts with their events; [Chunk#UNKNOWN] without usable ones.
    long total() {
        if (!countsSeen || basis == Basis.UNUSABLE) {
            return Chunk.UNKNOWN;
        }
        long total = 0;
        for (long each : counts) {
            total += each;
        }
        return total;
    }

    /// Whether every answer has a finish reason.
    boolean allFinished() {
        return finishes >= counts.length;
    }

    /// Why the answers are incomplete; empty if every one has output, or if the events do not say which they belong to.
    Optional<String> incomplete() {
        int with = 0;
        for (boolean each : answered) {
            with += each ? 1 : 0;
        }
        return unattributed || with == counts.length ? Optional.empty() : Optional.of("The server sent " + with + " of "
                + counts.length + " answers. Leave n out if it does not support it.");
    }
}
