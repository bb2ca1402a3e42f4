package org.inferometer.execution.cuda;

/// The number of parts that a decoding row's positions are split into, so that few rows fill the GPU.
///
/// @param multiprocessors of the device
/// @param kvHeads of the model: a block of threads serves one of them
record DecodeSplits(int multiprocessors, int kvHeads) {
    /// Blocks of threads a multiprocessor is to have, so that one waits for memory while another computes.
    private static final int BLOCKS_EACH = 2;

    /// A power of two, so that few graphs serve many lengths.
    ///
    /// @param rows that decode
    /// @param longest positions of the longest sequence among them
    int of(int rows, int longest) {
        int wanted = Math.ceilDiv(BLOCKS_EACH * multiprocessors, Math.max(1, rows * kvHeads));
        int useful = Math.max(1, longest / KernelTiles.LEAST_SPLIT_POSITIONS);
        return Integer.highestOneBit(Math.clamp(Math.min(wanted, useful), 1, KernelTiles.MOST_SPLITS));
    }

    /// The most rows times splits that a step of up to so many rows can have.
    long mostPartials(int rows) {
        long most = 0;
        for (int each = 1; each <= rows && (each == 1 || of(each - 1, Integer.MAX_VALUE) > 1); each++) {
            int splits = of(each, Integer.MAX_VALUE);
            most = Math.max(most, splits > 1 ? (long) each * splits : 0);
        }
        return most;
    }
}
