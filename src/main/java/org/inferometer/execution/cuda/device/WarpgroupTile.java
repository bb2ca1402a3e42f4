package org.inferometer.execution.cuda.device;

/// Products of many tokens by the tensor-core instructions of warpgroups (`wgmma.cu`), by tokens per block; `tiles.h` has
/// the same numbers.
public enum WarpgroupTile {
    TOKENS_128(128, 2), TOKENS_256(256, 1);

    /// Fewest tokens of a product that they compute.
    public static final int LEAST_TOKENS = KernelTiles.Matmul.TOKENS_64.tokens() + 1;
    private static final int OUTPUTS = 128;
    private static final int THREADS = 256;

    private final int tokens;
    private final int blocksEach;

    /// @param blocksEach most blocks of which a multiprocessor makes use
    WarpgroupTile(int tokens, int blocksEach) {
        this.tokens = tokens;
        this.blocksEach = blocksEach;
    }

    /// The smallest that holds the tokens in one block, or the largest of the format.
    public static WarpgroupTile of(int tokens, DeviceFormat format) {
        return tokens <= TOKENS_128.tokens || !TOKENS_256.has(format) ? TOKENS_128 : TOKENS_256;
    }

    /// Narrow groups of INT4 have no registers for 256 tokens.
    public boolean has(DeviceFormat format) {
        return switch (format) {
            case BF16, FP8, INT4 -> true;
            case INT4_G64, INT4_G32 -> this == TOKENS_128;
        };
    }

    /// As [KernelTiles.Matmul#splits].
    ///
    /// @param multiprocessors of the device
    /// @param resident blocks that a multiprocessor holds
    public int splits(int count, int outputs, int chunks, int multiprocessors, int resident) {
        long tiles = (long) Math.ceilDiv(outputs, OUTPUTS) * Math.ceilDiv(count, tokens);
        return KernelTiles.Matmul.wideSplits(tiles, chunks, Math.min(resident, blocksEach) * multiprocessors);
    }

    public int tokens() {
        return tokens;
    }

    public int outputs() {
        return OUTPUTS;
    }

    public int threads() {
        return THREADS;
    }

    /// Bytes of dynamic shared memory for weights of a format.
    public int sharedBytes(DeviceFormat format) {
        boolean narrow = this == TOKENS_128;
        return switch (format) {
            case BF16 -> narrow ? 99264 : 148416;
            case FP8 -> narrow ? 99456 : 206240;
            case INT4 -> narrow ? 127488 : 225792;
            case INT4_G64 -> 127488;
            case INT4_G32 -> 130560;
        };
    }
}
