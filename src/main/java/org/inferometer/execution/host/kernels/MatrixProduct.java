package org.inferometer.execution.host.kernels;

import java.lang.foreign.Arena;
import org.inferometer.engine.Precision;
import org.inferometer.execution.host.onednn.FloatProducts;
import org.inferometer.execution.host.onednn.IntegerProducts;
import org.inferometer.execution.host.packed.PackedMatrix;
import org.inferometer.execution.host.parallel.Vectors;

/// A way to multiply packed matrices with the rows of a step. [MatrixProducts] says which serves which format and rows.
///
/// A matrix is divided into items of adjacent units, and rows into panels; a thread multiplies one item with one panel. Shared
/// by the lanes of an executor.
public sealed interface MatrixProduct extends AutoCloseable {
    /// Units of an item.
    int itemUnits(Precision weights, int rows);

    /// Rows that are multiplied with all items before the next.
    ///
    /// @param stride of the rows
    default int panelRows(int stride, int rows) {
        return rows;
    }

    /// The scratch memory of one thread; the opening thread calls.
    ///
    /// @param arena as long-lived as the worker
    Worker worker(int maxRows, Arena arena);

    /// Bytes of a worker.
    long workerBytes(int maxRows);

    /// Called after the last worker's last product.
    @Override
    default void close() {}

    /// One thread's part.
    interface Worker {
        /// Fills `out[count][units of the item, UNIT]`; `out` has room for whole tiles of rows.
        ///
        /// @param rows of the input that are in use
        /// @param first of a panel, and how many of it
        void multiply(PackedMatrix matrix, int item, ActivationRows input, int rows, int first, int count, float[] out);
    }

    /// FP32 rows by [Fp32Product]: every format, any number of rows, batch-invariant.
    ///
    /// @param eightRows whether registers hold the sums of eight rows
    record Fp32(boolean eightRows) implements MatrixProduct {
        /// Bytes of a panel of rows: they fit the L2 cache together with a thread's blocks and sums.
        private static final int PANEL_BYTES = 512 << 10;
        /// Each panel decodes the weights again, at the cost of about four rows.
        private static final int FEWEST_PANEL_ROWS = 32;

        /// One row: four streams of INT4; the others reach the memory's bandwidth with two, and smaller items divide small
        /// matrices better.
        @Override
        public int itemUnits(Precision weights, int rows) {
            return rows > 1 ? 1 : weights == Precision.INT4 ? 4 : 2;
        }

        @Override
        public int panelRows(int stride, int rows) {
            return Math.min(rows, panelRows(stride));
        }

        /// Rows that stay in cache while all outputs are computed, in whole tiles.
        static int panelRows(int stride) {
            return Math.max(FEWEST_PANEL_ROWS,
                    PANEL_BYTES / (Float.BYTES * stride) / Vectors.TILE_ROWS * Vectors.TILE_ROWS);
        }

        @Override
        public Worker worker(int maxRows, Arena arena) {
            return new Fp32Product(maxRows, eightRows);
        }

        @Override
        public long workerBytes(int maxRows) {
            return Fp32Product.bytes(maxRows);
        }
    }

    /// Rows rounded to 8 bits by kernels in 16-bit lanes: INT4 or INT8, any number of rows, batch-invariant.
    record Rounded(Precision weights) implements MatrixProduct {
        @Override
        public int itemUnits(Precision ofMatrix, int rows) {
            return rows > 1 ? 1 : 2;
        }

        @Override
        public int panelRows(int stride, int rows) {
            return Math.min(rows, Fp32.panelRows(stride));
        }

        @Override
        public Worker worker(int maxRows, Arena arena) {
            return weights == Precision.INT4 ? new W4A8Product() : new W8A8Kernels();
        }

        @Override
        public long workerBytes(int maxRows) {
            return weights == Precision.INT4 ? W4A8Product.bytes() : W8A8Kernels.bytes();
        }
    }

    /// Rows rounded to 8 bits by oneDNN's byte instructions: INT4 or INT8, with the bits of [Rounded].
    record RoundedByOneDnn(IntegerProducts products) implements MatrixProduct {
        @Override
        public int itemUnits(Precision weights, int rows) {
            return IntegerProducts.UNITS;
        }

        @Override
        public Worker worker(int maxRows, Arena arena) {
            IntegerProducts.Worker worker = products.new Worker(maxRows, arena);
            return (matrix, item, input, rows, first, count, out) -> worker.multiply(matrix, item, input.bytes(), rows,
                    out);
        }

        @Override
        public long workerBytes(int maxRows) {
            return products.workerBytes(maxRows);
        }

        @Override
        public void close() {
            products.close();
        }
    }

    /// Rows and weights in FP32 or BF16 by oneDNN: every format, not batch-invariant.
    record FloatsByOneDnn(FloatProducts products) implements MatrixProduct {
        @Override
        public int itemUnits(Precision weights, int rows) {
            return FloatProducts.UNITS;
        }

        @Override
        public Worker worker(int maxRows, Arena arena) {
            FloatProducts.Worker worker = products.new Worker(maxRows, arena);
            return (matrix, item, input, rows, first, count, out) -> worker.multiply(matrix, item, input.floats(), rows,
                    out);
        }

        @Override
        public long workerBytes(int maxRows) {
            return products.workerBytes(maxRows);
        }

        @Override
        public void close() {
            products.close();
        }
    }
}
