package org.inferometer.execution.cuda;

/// The number of parts that a decoding row's positions are split into, so that few rows fill the GPU.
///
/// @param multiprocessors of the device
/// @param kvHeads of the model; a thread block serves one of them
record DecodeSplits(int multiprocessors, int kvHeads) {
    /// Thread blocks per multiprocessor, so that one computes while another waits for memory.
    private static final int BLOCKS_EACH = 2;

    /// The number of parts, a power of two so that few graphs serve many lengths.
    ///
    /// @param rows decoding rows
    /// @param longest positions of their longest sequence
    int of(int rows, int longest) {
        int wanted = Math.ceilDiv(BLOCKS_EACH * multiprocessors, Math.max(1, rows * kvHeads));
        int useful = Math.max(1, longest / KernelTiles.LEAST_SPLIT_POSITIONS);
        return Integer.highestOneBit(Math.clamp(Math.min(wanted, useful), 1, KernelTiles.MOST_SPLITS));
    }

    /// The largest product of rows and splits for steps of up to this many rows.
    long mostPartials(int rows) {
        long most = 0;
        for (int each = 1; each <= rows && (each == 1 || of(each - 1, Integer.MAX_VALUE) > 1); each++) {
            int splits = of(each, Integer.MAX_VALUE);
            most = Math.max(most, splits > 1 ? (long) each * splits : 0);
        }
        return most;
    }
}
