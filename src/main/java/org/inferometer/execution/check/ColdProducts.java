package org.inferometer.execution.check;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.execution.host.products.ActivationRows;
import org.inferometer.execution.host.products.BatchedProduct;
import org.inferometer.execution.host.products.IntegerPlan;
import org.inferometer.execution.host.products.LinearProjections;
import org.inferometer.execution.host.products.ProductEpilogue;
import org.inferometer.execution.host.products.ProductPlan;
import org.inferometer.execution.host.products.UnitProduct;
import org.inferometer.units.Seed;

/// One row's products with matrices that are in no cache, and plain reads of them, a matrix at a time.
///
/// Matrices of one feed-forward layer of a 1.1-billion model, 256 MiB together. Runs on the calling thread and
/// `threads − 1` more. The caller closes it.
public final class ColdProducts implements AutoCloseable {
    /// Larger than the last-level caches of one machine.
    public static final long COLD_BYTES = 256L << 20;
    private static final int OUTPUTS = 5632;
    private static final int INPUTS = 2048;
    /// Numbers between the sums of two threads.
    private static final int APART = 16;

    private final Arena arena = Arena.ofShared();
    private final WorkerGroup group;
    private final PackedMatrix[] matrices;
    private final LinearProjections row;
    private final float[] out = new float[BlockKernels.wholeTiles(1) * Vectors.stride(OUTPUTS)];
    private final long[] sums;
    private int next;

    /// INT4 and INT8 meet rounded activations, as by default.
    public ColdProducts(Precision precision, int threads) {
        group = new WorkerGroup("inferometer-ceilings", threads);
        sums = new long[APART * threads];
        WeightMatrix source = RandomModel.typicalMatrix(OUTPUTS, INPUTS, precision, new Seed(1).generator());
        matrices = new PackedMatrix[(int) Math.ceilDiv(COLD_BYTES, PackedMatrix.bytes(source))];
        for (int i = 0; i < matrices.length; i++) {
            PackedMatrix matrix = new PackedMatrix(source, arena);
            group.run((worker, unit) -> matrix.packUnit(unit), matrix.units());
            matrices[i] = matrix;
        }
        boolean bytes = precision == Precision.INT8;
        ProductPlan plan = new ProductPlan(
                new IntegerPlan(bytes ? precision : Precision.INT4, ActivationRows.IntegerFormat.ROUNDED,
                        bytes ? WeightMatrix.Int8.GROUP_COLUMNS : WeightMatrix.Int4.GROUP_COLUMNS, null, ""),
                BatchedProduct.portable(""));
        ActivationRows input = new ActivationRows(INPUTS, BlockKernels.wholeTiles(1), plan, arena);
        for (int i = 0; i < INPUTS; i++) {
            input.values[i] = (float) Math.sin(i);
        }
        input.prepare(0, 1, precision.isInteger(), new float[Vectors.LANES]);
        UnitProduct[] products = new UnitProduct[threads];
        for (int i = 0; i < threads; i++) {
            products[i] = new UnitProduct(1, plan, arena);
        }
        row = new LinearProjections(products, 1, input);
    }

    /// Bytes of one matrix.
    public long bytes() {
        return matrices[0].lines().byteSize();
    }

    /// Sums all words of the next matrix.
    public void read() {
        read(group, matrix(), sums);
    }

    /// Sums all words of a matrix; `sums[16 · worker]` keeps the compiler from removing it.
    public static void read(WorkerGroup group, PackedMatrix matrix, long[] sums) {
        MemorySegment lines = matrix.lines();
        long unitBytes = lines.byteSize() / matrix.units();
        group.run((worker, unit) -> sums[worker * APART] += Vectors.sum(lines, unit * unitBytes, unitBytes),
                matrix.units());
    }

    /// Multiplies the next matrix.
    public void multiply() {
        row.beginAgain(1, ProductEpilogue.STORE);
        row.add(new PackedModel.Linear(matrix(), new float[0]), out, Vectors.stride(OUTPUTS));
        group.run(row, row.items());
    }

    private PackedMatrix matrix() {
        next = (next + 1) % matrices.length;
        return matrices[next];
    }

    @Override
    public void close() {
        group.close();
        arena.close();
    }
}
