package org.inferometer.execution.host.products;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.kernels.GroupedRows;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.kernels.SmallBatchKernels;
import org.inferometer.execution.host.machine.Vectors;

/// Products of INT4 and INT8 matrices with activations rounded to 8 bits, by oneDNN's integer instructions.
///
/// An item is two units of outputs. The codes of some groups are expanded or copied to bytes, which stay in the cache while all
/// rows are multiplied. Every group's sums are exact integers, scaled and added in the order of the groups, so the
/// results equal those of the portable kernels bit by bit.
///
/// Shared by the workers of all lanes; the caller closes it after the last product.
public final class IntegerProducts implements AutoCloseable {
    /// Fewer rows are faster through the kernels that decode in registers.
    public static final int FEWEST_ROWS = SmallBatchKernels.ROWS + 1;

    /// Groups that are spread at a time: their bytes fit into the near cache.
    private static final int GROUPS = 16;
    /// Inputs of a block of the packed weights.
    private static final int BLOCK = WeightMatrix.Int4.GROUP_COLUMNS;
    /// Weights of a group are padded with zeros to this many inputs, as oneDNN's layout requires.
    private static final int PADDED = 64;
    /// Rows of the prepared products, largest first.
    private static final int[] ROWS = {64, 32, 16, 8, 4, 2, 1};

    private final OneDnn library;
    private final int groupColumns;
    private final Prepared[] prepared; // by the groups of a matrix, null where no matrix has so many
    private final String implementation;

    /// Products of [#ROWS] rows, for the usual number of groups and for the remaining groups.
    private record Prepared(OneDnnProduct[] whole, OneDnnProduct[] rest) {}

    private IntegerProducts(OneDnn library, int groupColumns, Prepared[] prepared, String implementation) {
        this.library = library;
        this.groupColumns = groupColumns;
        this.prepared = prepared;
        this.implementation = implementation;
    }

    /// Prepares all products that a model may need.
    ///
    /// @param groupColumns inputs of a group
    /// @param groupCounts groups a row of the matrices
    /// @param maxRows of a step
    /// @throws IOException with the reason, if the library is missing or has nothing fast for this processor
    public static IntegerProducts open(int groupColumns, Set<Integer> groupCounts, int maxRows) throws IOException {
        OneDnn library = OneDnn.load();
        try {
            Prepared[] prepared = new Prepared[groupCounts.stream().mapToInt(Integer::intValue).max().orElse(0) + 1];
            String implementation = "";
            for (int groups : groupCounts) {
                long rowBytes = Vectors.roundUp(groups * groupColumns, BLOCK);
                prepared[groups] =
                        new Prepared(products(library, Math.min(groups, GROUPS), groupColumns, rowBytes, maxRows),
                                products(library, groups % GROUPS, groupColumns, rowBytes, maxRows));
                implementation = prepared[groups].whole()[ROWS.length - 1].implementation();
            }
            return new IntegerProducts(library, groupColumns, prepared, implementation);
        } catch (IOException | RuntimeException refused) {
            library.close();
            throw refused;
        }
    }

    /// @param rowBytes from a row of activations to the next
    private static OneDnnProduct[] products(OneDnn library, int atOnce, int groupColumns, long rowBytes, int maxRows)
            throws IOException {
        OneDnnProduct[] products = new OneDnnProduct[ROWS.length];
        int least = Math.max(ROWS[ROWS.length - 1], BlockKernels.wholeTiles(maxRows));
        for (int i = 0; i < ROWS.length && atOnce > 0; i++) {
            if (ROWS[i] <= least) {
                products[i] = OneDnnProduct
                        .ofBytes(library, atOnce, ROWS[i], groupColumns, IntegerKernels.WIDTH, rowBytes).requireFast();
            }
        }
        return products;
    }

    /// oneDNN's implementation name.
    public String implementation() {
        return implementation;
    }

    @Override
    public void close() {
        library.close();
    }

    /// Bytes that each worker allocates.
    public long workerBytes(int maxRows) {
        return GROUPS * (groupBytes() + IntegerKernels.WIDTH * (4 * 2 + 4L * largest(maxRows))) + scratchBytes();
    }

    /// Of the weights that a group is spread to.
    private long groupBytes() {
        return (long) Vectors.roundUp(groupColumns, PADDED) * IntegerKernels.WIDTH;
    }

    private long scratchBytes() {
        return Arrays.stream(prepared).filter(Objects::nonNull).flatMap(of -> Stream.of(of.whole(), of.rest()))
                .flatMap(Arrays::stream).filter(Objects::nonNull).mapToLong(OneDnnProduct::scratchBytes).max()
                .orElse(0);
    }

    private static int largest(int maxRows) {
        return Math.min(ROWS[0], BlockKernels.wholeTiles(maxRows));
    }

    /// One thread's calls and scratch memory; created by the opening thread, used by one other thread.
    public final class Worker {
        private final MemorySegment weights; // [GROUPS][padded inputs / 4][WIDTH][4]
        private final MemorySegment products; // [GROUPS][rows][WIDTH]
        private final float[] tables = new float[GROUPS * IntegerKernels.TABLES];
        private final int[] sums = new int[2 * Vectors.UNIT]; // of the codes that were spread last
        private final OneDnnProduct.Call[][] whole;
        private final OneDnnProduct.Call[][] rest;
        private boolean alone;

        /// @param arena as long-lived as the worker
        public Worker(int maxRows, Arena arena) {
            weights = arena.allocate(GROUPS * groupBytes(), 64);
            products = arena.allocate(4L * GROUPS * largest(maxRows) * IntegerKernels.WIDTH, 64);
            MemorySegment scratch = arena.allocate(Math.max(1, scratchBytes()), 64);
            whole = new OneDnnProduct.Call[prepared.length][];
            rest = new OneDnnProduct.Call[prepared.length][];
            for (int groups = 0; groups < prepared.length; groups++) {
                if (prepared[groups] != null) {
                    whole[groups] = OneDnnProduct.calls(prepared[groups].whole(), weights, products, scratch, arena);
                    rest[groups] = OneDnnProduct.calls(prepared[groups].rest(), weights, products, scratch, arena);
                }
            }
        }

        /// Fills `out[rows][WIDTH]` with an item's products.
        ///
        /// @param input prepared for integers, its rows in whole tiles
        public void multiply(PackedMatrix matrix, int item, GroupedRows input, int rows, float[] out) {
            if (!alone) {
                library.useOneThread();
                alone = true;
            }
            Arrays.fill(out, 0, rows * IntegerKernels.WIDTH, 0f);
            int groups = matrix.groups();
            for (int group = 0; group < groups; group += GROUPS) {
                int count = Math.min(GROUPS, groups - group);
                spread(matrix, item, group, count);
                OneDnnProduct.Call[] calls = count == Math.min(GROUPS, groups) ? whole[groups] : rest[groups];
                for (int row = 0; row < rows;) {
                    int size = sizeFor(rows - row);
                    calls[size].run(input.codesAddress(row, group));
                    int present = Math.min(ROWS[size], rows - row);
                    IntegerKernels.addGroups(products, count, ROWS[size], present, tables, input.sums(),
                            input.sumsAt(row, group), input.sumsAt(1, 0), out, row * IntegerKernels.WIDTH);
                    row += present;
                }
            }
        }

        private void spread(PackedMatrix matrix, int item, int firstGroup, int count) {
            int unit = 2 * item;
            long a = matrix.unitOffset(unit);
            long b = matrix.unitOffset(Math.min(unit + 1, matrix.units() - 1));
            for (int i = 0; i < count; i++) {
                int group = firstGroup + i;
                int words = matrix.groupWords(group);
                long from = matrix.groupOffset(group);
                long header = matrix.headerOffset(group);
                long to = i * groupBytes();
                if (words < matrix.groupWords()) {
                    weights.asSlice(to, groupBytes()).fill((byte) 0);
                }
                int table = IntegerKernels.TABLES * i;
                if (matrix.precision() == Precision.INT8) {
                    IntegerKernels.spreadBytes(matrix.lines(), a + from, words, weights, to, sums);
                    IntegerKernels.byteTables(matrix.lines(), a + header, group, words, sums, tables, table);
                    IntegerKernels.spreadBytes(matrix.lines(), b + from, words, weights, to + PackedMatrix.LINE_BYTES,
                            sums);
                    IntegerKernels.byteTables(matrix.lines(), b + header, group, words, sums, tables,
                            table + Vectors.UNIT);
                    continue;
                }
                IntegerKernels.spread(matrix.lines(), a + from, a + header, words, weights, to, sums);
                IntegerKernels.tables(matrix.lines(), a + header, words, sums, tables, table);
                IntegerKernels.spread(matrix.lines(), b + from, b + header, words, weights,
                        to + PackedMatrix.LINE_BYTES, sums);
                IntegerKernels.tables(matrix.lines(), b + header, words, sums, tables, table + Vectors.UNIT);
            }
        }

        /// The largest prepared product that whole tiles of rows can fill, or the smallest that holds the rest.
        private static int sizeFor(int rows) {
            int size = 0;
            while (ROWS[size] > BlockKernels.wholeTiles(rows)) {
                size++;
            }
            while (size + 1 < ROWS.length && ROWS[size + 1] >= rows) {
                size++;
            }
            return size;
        }
    }
}
