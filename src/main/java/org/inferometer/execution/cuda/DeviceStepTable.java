package org.inferometer.execution.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepSlice;
import org.inferometer.execution.backend.SamplingDraw;
import org.inferometer.workload.Sampling;

/// The inputs of a step's kernels, by row: tokens, positions, block tables and sampling parameters. Written on the host
/// and copied to the device at once.
///
/// The arrays have fixed addresses for recorded graphs. Block tables come last, so only those of the step are copied.
/// Used by one lane.
final class DeviceStepTable implements AutoCloseable {
    /// Bytes of one row's sampling parameters: temperature, top-p, top-k, greedy, and the random number as a double.
    private static final int CHOICE_BYTES = 24;
    private static final int NONE = -1;

    private final Capacity capacity;
    private final int blockTokens;
    private final PinnedMemory pinned;
    private final MemorySegment host;
    private final DeviceAddress device;
    private int rows;
    private int sampled;
    private int decodeRows;
    private int tiles;
    private int blocks;
    private int longest;

    /// Capacity in rows, sampled rows, and blocks of all block tables.
    record Capacity(int rows, int sampled, int blocks) {
        int tiles() {
            return rows / KernelTiles.PREFILL_QUERIES + sampled;
        }

        /// Bytes of the whole table.
        long bytes() {
            return blocksAt() + Integer.BYTES * (long) blocks;
        }

        private long choicesAt() {
            long ints = 4L * rows + sampled + 2L * tiles();
            return Math.ceilDiv(ints * Integer.BYTES, (long) Double.BYTES) * Double.BYTES;
        }

        private long blocksAt() {
            return choicesAt() + (long) CHOICE_BYTES * sampled;
        }
    }

    /// Allocates memory on host and device.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    DeviceStepTable(DeviceMemory memory, Capacity capacity, int blockTokens) throws ExecutorException {
        this.capacity = capacity;
        this.blockTokens = blockTokens;
        device = memory.take(DeviceMemory.Owner.WORKSPACE, capacity.bytes());
        pinned = new PinnedMemory(capacity.bytes());
        host = pinned.segment();
    }

    DeviceAddress tokens() {
        return device;
    }

    DeviceAddress positions() {
        return device.plus(positionsAt());
    }

    /// The start of each row's block table in [#blockTables]; -1 for rows without attention.
    DeviceAddress tables() {
        return device.plus(tablesAt());
    }

    /// Decoding rows.
    DeviceAddress decoding() {
        return device.plus(decodingAt());
    }

    /// Rows to sample from; -1 for padding.
    DeviceAddress picks() {
        return device.plus(picksAt());
    }

    /// Pairs of first row and count: rows of one sequence whose attention is computed together.
    DeviceAddress prefillTiles() {
        return device.plus(tilesAt());
    }

    DeviceAddress choices() {
        return device.plus(capacity.choicesAt());
    }

    DeviceAddress blockTables() {
        return device.plus(capacity.blocksAt());
    }

    private long positionsAt() {
        return (long) Integer.BYTES * capacity.rows();
    }

    private long tablesAt() {
        return 2 * positionsAt();
    }

    private long decodingAt() {
        return 3 * positionsAt();
    }

    private long picksAt() {
        return 4 * positionsAt();
    }

    private long tilesAt() {
        return picksAt() + (long) Integer.BYTES * capacity.sampled();
    }

    /// Writes a checked step, padded to these numbers of rows and sampled rows.
    ///
    /// @return whether it fits
    boolean fill(Step step, int paddedRows, int paddedSampled) {
        rows = 0;
        sampled = 0;
        decodeRows = 0;
        tiles = 0;
        blocks = 0;
        longest = 0;
        List<StepSlice> slices = step.slices();
        for (int i = 0; i < slices.size(); i++) {
            if (!add(slices.get(i))) {
                return false;
            }
        }
        int padded = Math.max(paddedRows, rows + step.paddingRows());
        if (padded > capacity.rows() || paddedSampled > capacity.sampled()) {
            return false;
        }
        while (rows < padded) {
            decode(rows);
            row(0, 0, NONE);
        }
        while (sampled < paddedSampled) {
            pick(NONE, Sampling.GREEDY, 0);
        }
        return true;
    }

    private boolean add(StepSlice slice) {
        int count = slice.tokens().length;
        int end = slice.firstPosition() + count;
        int needed = Math.ceilDiv(end, blockTokens);
        int newTiles = count == 1 ? 0 : Math.ceilDiv(count, KernelTiles.PREFILL_QUERIES);
        if (rows + count > capacity.rows() || blocks + needed > capacity.blocks() || tiles + newTiles > capacity.tiles()
                || (slice.sample() && sampled == capacity.sampled())) {
            return false;
        }
        if (count == 1) {
            decode(rows);
        } else {
            addTiles(count);
        }
        long at = capacity.blocksAt();
        MemorySegment.copy(slice.blockTable(), 0, host, ValueLayout.JAVA_INT, at + (long) Integer.BYTES * blocks,
                needed);
        for (int i = 0; i < count; i++) {
            row(slice.tokens()[i], slice.firstPosition() + i, blocks);
        }
        blocks += needed;
        longest = Math.max(longest, end);
        if (slice.sample()) {
            pick(rows - 1, slice.sampling(), end);
        }
        return true;
    }

    private void row(int token, int position, int table) {
        put(0, rows, token);
        put(positionsAt(), rows, position);
        put(tablesAt(), rows, table);
        rows++;
    }

    private void decode(int row) {
        put(decodingAt(), decodeRows, row);
        decodeRows++;
    }

    private void addTiles(int count) {
        for (int first = 0; first < count; first += KernelTiles.PREFILL_QUERIES) {
            put(tilesAt(), 2 * tiles, rows + first);
            put(tilesAt(), 2 * tiles + 1, Math.min(KernelTiles.PREFILL_QUERIES, count - first));
            tiles++;
        }
    }

    /// @param position of the sampled token
    private void pick(int row, Sampling sampling, int position) {
        put(picksAt(), sampled, row);
        long at = capacity.choicesAt() + (long) CHOICE_BYTES * sampled;
        boolean greedy = sampling.greedy();
        host.set(ValueLayout.JAVA_FLOAT, at, (float) sampling.temperature());
        host.set(ValueLayout.JAVA_FLOAT, at + 4, (float) sampling.topP());
        host.set(ValueLayout.JAVA_INT, at + 8, sampling.topK());
        host.set(ValueLayout.JAVA_INT, at + 12, greedy ? 1 : 0);
        host.set(ValueLayout.JAVA_DOUBLE, at + 16, greedy ? 0 : new SamplingDraw(sampling.seed(), position).uniform());
        sampled++;
    }

    private void put(long array, int index, int value) {
        host.set(ValueLayout.JAVA_INT, array + (long) Integer.BYTES * index, value);
    }

    /// Enqueues the copy to the device.
    void send(CUstream stream) {
        long used = capacity.blocksAt() + (long) Integer.BYTES * blocks;
        CudaFailure.require("cuMemcpyHtoDAsync", JCudaDriver.cuMemcpyHtoDAsync(device, pinned.pointer(), used, stream));
    }

    /// Rows, including padding.
    int rows() {
        return rows;
    }

    int sampled() {
        return sampled;
    }

    int decodeRows() {
        return decodeRows;
    }

    int tiles() {
        return tiles;
    }

    /// Positions of the longest sequence in the step.
    int longest() {
        return longest;
    }

    @Override
    public void close() {
        pinned.close();
    }
}
