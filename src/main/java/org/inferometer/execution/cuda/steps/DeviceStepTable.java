package org.inferometer.execution.cuda.steps;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.backend.SamplingDraw;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PinnedMemory;
import org.inferometer.workload.Sampling;

/// The inputs of a step's kernels: a description of each row, the rows to sample from with their parameters, the items of
/// attention, and block tables. Written on the host in pinned memory; the first kernel of the step copies it to the
/// device.
///
/// A row is described by its token, its sequence's block table, its position there, and the end of the positions that it
/// sees. Rows of a sequence are adjacent, and any of them may be sampled from.
///
/// The arrays have fixed addresses for recorded graphs. Block tables come last, so only those of the step are copied. The
/// first word is the number of pieces of 16 bytes that the step uses. The host writes only while no step that reads the table
/// is enqueued. Used by one lane.
final class DeviceStepTable implements AutoCloseable {
    /// Bytes of one row's sampling parameters: temperature, top-p, top-k, greedy, and the random number as a double.
    private static final int CHOICE_BYTES = 24;
    private static final int NONE = -1;
    private static final int ROW_BYTES = KernelStruct.STEP_ROW.bytes();
    private static final int PIECE_BYTES = 16;
    /// Enough for 64 KiB of loads in flight, what the bus transfers while one load waits.
    private static final int MOST_STAGING_BLOCKS = 8;

    private final Capacity capacity;
    private final AttentionTiling tiling;
    private final AttentionPlan plan;
    private final ModelShape shape;
    private final int blockTokens;
    private final PinnedMemory pinned;
    private final MemorySegment host;
    private final DeviceAddress device;
    private int rows;
    private int sampled;
    private int items;
    private boolean chunks;
    private int blocks;
    private boolean drawn;

    /// Capacity in rows, sampled rows, blocks of all block tables, and tiles and items of attention.
    record Capacity(int rows, int sampled, int blocks, int tiles, int items) {

        static Capacity of(int rows, int sampled, int blocks, AttentionTiling tiling) {
            int tiles = tiling.mostTiles(rows, sampled);
            return new Capacity(rows, sampled, blocks, tiles, tiling.mostItems(tiles));
        }

        /// Bytes of the whole table.
        long bytes() {
            return aligned(blocksAt() + Integer.BYTES * (long) blocks, PIECE_BYTES);
        }

        private long picksAt() {
            return PIECE_BYTES + (long) ROW_BYTES * rows;
        }

        private long choicesAt() {
            return aligned(picksAt() + (long) Integer.BYTES * sampled, Double.BYTES);
        }

        private long itemsAt() {
            return aligned(choicesAt() + (long) CHOICE_BYTES * sampled, PIECE_BYTES);
        }

        private long blocksAt() {
            return itemsAt() + (long) AttentionPlan.ITEM_BYTES * items;
        }

        private static long aligned(long bytes, int alignment) {
            return Math.ceilDiv(bytes, alignment) * alignment;
        }
    }

    /// Allocates memory on host and device.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    DeviceStepTable(DeviceMemory memory, Capacity capacity, AttentionTiling tiling, ModelShape shape, int blockTokens)
            throws ExecutorException {
        this.shape = shape;
        this.capacity = capacity;
        this.tiling = tiling;
        plan = new AttentionPlan(tiling, capacity.tiles());
        this.blockTokens = blockTokens;
        device = memory.take(DeviceMemory.Owner.WORKSPACE, capacity.bytes());
        pinned = new PinnedMemory(capacity.bytes());
        host = pinned.segment();
    }

    /// The table in host memory, as kernels reach it.
    DeviceAddress host() {
        return pinned.address();
    }

    /// Its copy.
    DeviceAddress device() {
        return device;
    }

    /// Pieces of 16 bytes that every step copies.
    int fixedPieces() {
        return Math.toIntExact(capacity.blocksAt() / PIECE_BYTES);
    }

    /// Thread blocks of the first kernel that copy the table.
    int stagingBlocks() {
        long pieces = capacity.bytes() / PIECE_BYTES;
        return (int) Math.min(MOST_STAGING_BLOCKS, Math.ceilDiv(pieces, KernelTiles.EMBED_THREADS));
    }

    /// [#stepRows] in host memory, for the kernel that copies the table.
    DeviceAddress hostRows() {
        return host().plus(PIECE_BYTES);
    }

    /// The description of each row: [KernelStruct#STEP_ROW].
    DeviceAddress stepRows() {
        return device.plus(PIECE_BYTES);
    }

    /// Rows to sample from; -1 for padding.
    DeviceAddress picks() {
        return device.plus(capacity.picksAt());
    }

    /// The items of [AttentionPlan].
    DeviceAddress attentionItems() {
        return device.plus(capacity.itemsAt());
    }

    DeviceAddress choices() {
        return device.plus(capacity.choicesAt());
    }

    DeviceAddress blockTables() {
        return device.plus(capacity.blocksAt());
    }

    /// Writes a checked step. If it is padded, its rows are single ones, and there are as many items as any step padded
    /// so has at most. Padding has no attention: its rows keep what the buffer had.
    ///
    /// @param paddedRows rows of the recorded graph, 0 if the step is not padded to one
    /// @param paddedSampled likewise
    /// @return whether it fits
    boolean fill(Step step, int paddedRows, int paddedSampled) {
        rows = 0;
        sampled = 0;
        items = 0;
        chunks = false;
        blocks = 0;
        plan.clear();
        drawn = false;
        List<StepSlice> slices = step.slices();
        for (int i = 0; i < slices.size(); i++) {
            if (!add(slices.get(i), step.repeats())) {
                return false;
            }
        }
        int padded = Math.max(paddedRows, rows + step.paddingRows());
        if (padded > capacity.rows() || paddedSampled > capacity.sampled()) {
            return false;
        }
        while (rows < padded) {
            row(0, 0, NONE, 0);
        }
        while (sampled < paddedSampled) {
            pick(NONE, Sampling.GREEDY, 0);
        }
        items = plan.write(host, capacity.itemsAt());
        if (paddedRows > 0) {
            int most = tiling.mostItems(paddedRows);
            AttentionPlan.writeEmpty(host, capacity.itemsAt() + (long) AttentionPlan.ITEM_BYTES * items, most - items);
            items = most;
        }
        long used = capacity.blocksAt() + (long) Integer.BYTES * blocks;
        host.set(ValueLayout.JAVA_INT, 0, Math.toIntExact(Math.ceilDiv(used, PIECE_BYTES)));
        return true;
    }

    /// @param repeats whether the token is the one that the step before samples for the row
    private boolean add(StepSlice slice, boolean repeats) {
        int count = slice.tokens().length;
        int end = slice.firstPosition() + count;
        int needed = Math.ceilDiv(end, blockTokens);
        int newTiles = Math.ceilDiv(count, tiling.tileRows());
        if (rows + count > capacity.rows() || blocks + needed > capacity.blocks()
                || plan.tiles() + newTiles > capacity.tiles() || (slice.sample() && sampled == capacity.sampled())) {
            return false;
        }
        chunks |= count > 1;
        for (int first = 0; first < count; first += tiling.tileRows()) {
            int tile = Math.min(tiling.tileRows(), count - first);
            int position = slice.firstPosition() + first;
            plan.add(rows + first, tile, blocks, shape.firstAttended(position), position + tile);
        }
        long at = capacity.blocksAt();
        MemorySegment.copy(slice.blockTable(), 0, host, ValueLayout.JAVA_INT, at + (long) Integer.BYTES * blocks,
                needed);
        for (int i = 0; i < count; i++) {
            int position = slice.firstPosition() + i;
            row(repeats ? NONE : slice.tokens()[i], position, blocks, position + 1);
        }
        blocks += needed;
        if (slice.sample()) {
            pick(rows - 1, slice.sampling(), end);
        }
        return true;
    }

    /// In the order of [KernelStruct#STEP_ROW].
    ///
    /// @param table start of the sequence's block table in [#blockTables]; [#NONE] for a row without attention
    /// @param end after the last position that the row sees
    private void row(int token, int position, int table, int end) {
        long at = PIECE_BYTES + (long) ROW_BYTES * rows;
        host.set(ValueLayout.JAVA_INT, at, token);
        host.set(ValueLayout.JAVA_INT, at + 4, position);
        host.set(ValueLayout.JAVA_INT, at + 8, table);
        host.set(ValueLayout.JAVA_INT, at + 12, end);
        rows++;
    }

    /// @param position of the sampled token
    private void pick(int row, Sampling sampling, int position) {
        host.set(ValueLayout.JAVA_INT, capacity.picksAt() + (long) Integer.BYTES * sampled, row);
        long at = capacity.choicesAt() + (long) CHOICE_BYTES * sampled;
        boolean greedy = sampling.greedy();
        host.set(ValueLayout.JAVA_FLOAT, at, (float) sampling.temperature());
        host.set(ValueLayout.JAVA_FLOAT, at + 4, (float) sampling.topP());
        host.set(ValueLayout.JAVA_INT, at + 8, sampling.topK());
        host.set(ValueLayout.JAVA_INT, at + 12, greedy ? 1 : 0);
        host.set(ValueLayout.JAVA_DOUBLE, at + 16, greedy ? 0 : new SamplingDraw(sampling.seed(), position).uniform());
        drawn |= !greedy;
        sampled++;
    }

    /// Rows, including padding.
    int rows() {
        return rows;
    }

    int sampled() {
        return sampled;
    }

    /// Items of attention, with those without work.
    int items() {
        return items;
    }

    /// Whether a token is drawn; if not, each is the likeliest one.
    boolean drawn() {
        return drawn;
    }

    /// Whether a sequence has several rows.
    boolean chunks() {
        return chunks;
    }

    @Override
    public void close() {
        pinned.close();
    }
}
