package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;

/// A batch that runs in lockstep until its last member has ended, like a padded tensor.
///
/// Prompts are padded on the left to the longest, so that one step yields all first tokens. A prompt that exceeds a step
/// with its padding is computed in several steps of equal columns. Then each step computes one position of every member;
/// an ended member leaves a padding row.
final class PaddedBatch {
    private final int rows;
    private final int columns;
    private int column;

    /// @param members requests that wait, at least one
    PaddedBatch(List<RequestProgress> members) {
        rows = members.size();
        int longest = 0;
        for (RequestProgress member : members) {
            longest = Math.max(longest, member.known());
        }
        columns = longest;
    }

    /// The next step of the members that are left.
    ///
    /// @param left at least one; a step at a time, so their progress is what earlier steps of this batch made it
    /// @param why what made the step as it is
    Decision step(List<RequestProgress> left, Limits limits, KvReservation kv, String why) {
        StepBuilder draft = new StepBuilder(left.size());
        int width = 1;
        if (column < columns) {
            column = Math.max(column, firstOpenColumn(left));
            width = Math.min(columns - column, limits.maxStepPositions() / rows);
            for (RequestProgress member : left) {
                int until = column + width - firstColumn(member);
                if (until > member.computed()) {
                    draft.add(member, until - member.computed());
                }
            }
            column += width;
        } else {
            for (RequestProgress member : left) {
                width = Math.max(width, member.pending());
            }
            width = Math.min(width, limits.maxStepPositions() / rows);
            for (RequestProgress member : left) {
                draft.add(member, Math.min(member.pending(), width));
            }
        }
        return draft.decision(kv, rows * width - draft.positions(), why);
    }

    /// The column of a member's first prompt token.
    private int firstColumn(RequestProgress member) {
        return columns - member.request().promptTokens().length;
    }

    /// Skips columns without members.
    private int firstOpenColumn(List<RequestProgress> left) {
        int first = columns;
        for (RequestProgress member : left) {
            first = Math.min(first, firstColumn(member) + member.computed());
        }
        return first;
    }

    /// Those of a lane's batch that have not ended; only this lane runs them.
    static List<RequestProgress> left(Lane lane, EngineView view) {
        List<RequestProgress> left = new ArrayList<>();
        List<RequestProgress> running = view.running();
        for (int i = 0; i < running.size(); i++) {
            RequestProgress progress = running.get(i);
            if (progress.lane().equals(lane.id())) {
                left.add(progress);
            }
        }
        return left;
    }
}
