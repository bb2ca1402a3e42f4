package org.inferometer.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.QuantityText;
import org.inferometer.wording.AdvisedText;

/// Sizes of the KV pools of a layout.
///
/// A pool with only prefill lanes holds prompts; other pools hold whole requests. Each pool gets its share of memory in
/// whole blocks.
///
/// @param largestPrompt positions of the longest prompt
/// @param tokenBytes bytes of one position over all layers
record KvSizing(LaneLayout layout, Limits limits, int largestPrompt, int blockTokens, long tokenBytes) {
    /// KV memory for the row limit in every pool, with requests of maximum length.
    long roomyBytes() {
        return bytesFor(limits.maxBatchRows());
    }

    /// Reasons why a pool of this size cannot hold the largest request, one per pool; empty if all can.
    List<AdvisedText> faults(long kvBytes) {
        List<AdvisedText> faults = new ArrayList<>();
        for (int pool = 0; pool < layout.poolShares().size(); pool++) {
            if ((long) (kvBytes / blockBytes() * layout.poolShares().get(pool)) < blocksOfOne(pool)) {
                faults.add(fault(pool, kvBytes));
            }
        }
        return faults;
    }

    private AdvisedText fault(int pool, long kvBytes) {
        String content = (isForPrompts(pool) ? "one prompt of " : "one request of ") + positionsOfOne(pool)
                + " positions (" + QuantityText.bytes(blocksOfOne(pool) * blockBytes()) + ")";
        String remedy = " to " + QuantityText.bytes(bytesFor(1))
                + " or more, shorten the requests, or choose a smaller KV type";
        if (layout.poolShares().size() == 1) {
            return new AdvisedText(
                    "A KV memory of " + QuantityText.bytes(kvBytes) + " cannot hold " + content + ". Raise ",
                    ExperimentFields.KV_MEMORY.advice(), remedy + ".");
        }
        String share = String.format(Locale.ROOT, "%.0f %%", layout.poolShares().get(pool) * 100);
        return new AdvisedText("The KV pool for " + (isForPrompts(pool) ? "contexts" : "generations") + " gets " + share
                + " of the KV memory of " + QuantityText.bytes(kvBytes) + " and cannot hold " + content + ". Raise ",
                ExperimentFields.KV_MEMORY.advice(), remedy + ", or change the pools' shares.");
    }

    private long bytesFor(int rows) {
        double most = 0;
        for (int pool = 0; pool < layout.poolShares().size(); pool++) {
            most = Math.max(most, (double) rows * blocksOfOne(pool) * blockBytes() / layout.poolShares().get(pool));
        }
        // Compensates for shares that are rounded down to whole blocks.
        long rounding = layout.poolShares().size() == 1 ? 0 : blockBytes() * layout.poolShares().size();
        return (long) Math.ceil(most) + rounding;
    }

    private long blocksOfOne(int pool) {
        return Math.ceilDiv(positionsOfOne(pool), blockTokens);
    }

    private int positionsOfOne(int pool) {
        return isForPrompts(pool) ? Math.min(largestPrompt, limits.maxSequencePositions())
                : limits.maxSequencePositions();
    }

    private boolean isForPrompts(int pool) {
        return layout.lanes().stream().filter(lane -> lane.pool().index() == pool)
                .allMatch(lane -> lane.role() == Lane.Role.PREFILL);
    }

    private long blockBytes() {
        return blockTokens * tokenBytes;
    }
}
