package org.inferometer.execution.cuda.steps;

import org.inferometer.execution.cuda.device.KernelTiles;

/// The number of thread blocks that share a row of logits, so that few rows fill the GPU.
///
/// @param multiprocessors of the device
/// @param vocabulary logits of a row
public record SampleBlocks(int multiprocessors, int vocabulary) {
    /// Thread blocks per multiprocessor, so that one computes while another waits for memory.
    private static final int BLOCKS_EACH = 2;

    /// The number of blocks of each row; many rows have one each.
    public int of(int rows) {
        int wanted = BLOCKS_EACH * multiprocessors / Math.max(1, rows);
        int useful = Math.ceilDiv(vocabulary, KernelTiles.LEAST_SLICE_LOGITS);
        return Math.max(1, Math.min(wanted, useful));
    }

    /// The largest product of rows and blocks for up to this many rows.
    public long most(int rows) {
        long most = 0;
        for (int each = 1; each <= rows; each++) {
            most = Math.max(most, (long) each * of(each));
        }
        return most;
    }
}
