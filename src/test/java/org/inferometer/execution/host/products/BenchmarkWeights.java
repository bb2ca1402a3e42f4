package org.inferometer.execution.host.products;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.units.Seed;

/// Random matrices of one feed-forward layer of a 1.1-billion model, and rows to multiply them with.
final class BenchmarkWeights {
    static final int OUTPUTS = 5632;
    static final int INPUTS = 2048;

    private BenchmarkWeights() {}

    /// Codes distributed as quantization makes them: of FP8 one in ten thousand has no exponent.
    ///
    /// @param groupColumns inputs of an INT4 group
    static WeightMatrix random(Precision precision, int groupColumns, int outputs) {
        RandomGenerator random = new Seed(1).generator();
        if (precision == Precision.INT4) {
            return RandomModel.int4(outputs, INPUTS, groupColumns, random);
        }
        if (precision != Precision.FP8) {
            return RandomModel.matrix(outputs, INPUTS, precision, random);
        }
        return fp8(0, outputs, random);
    }

    /// FP8 as [#random].
    ///
    /// @param groupColumns inputs with a common scale; 0 for a scale of each output
    static WeightMatrix fp8(int groupColumns, int outputs, RandomGenerator random) {
        byte[] codes = new byte[outputs * INPUTS];
        for (int i = 0; i < codes.length; i++) {
            int code = random.nextInt(0x100);
            codes[i] = (byte) (i % 10_000 == 0 ? code & 0x87 : code & 0xBF | 0x20);
        }
        float[] scales = new float[outputs * WeightMatrix.Fp8.groups(INPUTS, groupColumns)];
        Arrays.fill(scales, 1e-4f);
        WeightMatrix.Fp8 flat = new WeightMatrix.Fp8(scales.length, 1, MemorySegment.ofArray(codes), scales);
        return new WeightMatrix.Fp8(outputs, INPUTS, groupColumns, flat.values(), flat.scales());
    }

    static PackedMatrix packed(WeightMatrix source, WorkerGroup group, Arena arena) {
        PackedMatrix matrix = new PackedMatrix(source, arena);
        group.run((worker, unit) -> matrix.packUnit(unit), matrix.units());
        return matrix;
    }

    /// The batch-invariant kernels.
    static ProductPlan plan(HostOptions.Activations activations, Precision precision, int groupColumns, int rows) {
        boolean int8 = precision == Precision.INT8;
        Precision weights = int8 ? precision : Precision.INT4;
        int columns = int8 ? WeightMatrix.Int8.GROUP_COLUMNS : groupColumns;
        IntegerPlan integers = switch (activations) {
            case FP32 -> IntegerPlan.exact(weights, columns);
            case INT8 -> IntegerPlan.rounded(weights, columns, Set.of(Math.ceilDiv(INPUTS, columns)), rows);
        };
        return new ProductPlan(integers, BatchedProduct.portable(""));
    }

    /// Projections of rows that are prepared for one precision.
    static LinearProjections projections(int rows, Precision precision, int threads, ProductPlan plan, Arena arena) {
        ActivationRows input = new ActivationRows(INPUTS, BlockKernels.wholeTiles(rows), plan, arena);
        for (int i = 0; i < rows * INPUTS; i++) {
            input.values[i / INPUTS * input.stride + i % INPUTS] = (float) Math.sin(i);
        }
        for (int tile = 0; tile * ActivationRows.TILE < rows; tile++) {
            input.prepare(tile, rows, precision.isInteger(), new float[Vectors.LANES]);
        }
        UnitProduct[] products = new UnitProduct[threads];
        Arrays.setAll(products, i -> new UnitProduct(rows, plan, arena));
        return new LinearProjections(products, rows, input);
    }

    /// One product of a matrix and the rows.
    static void product(WorkerGroup group, LinearProjections projections, int rows, PackedMatrix matrix, float[] out) {
        projections.beginAgain(rows, ProductEpilogue.STORE);
        projections.add(new PackedModel.Linear(matrix, new float[0]), out, Vectors.stride(OUTPUTS));
        group.run(projections, projections.items());
    }

    /// Room for the outputs of a product.
    static float[] out(int rows) {
        return new float[BlockKernels.wholeTiles(rows) * Vectors.stride(OUTPUTS)];
    }
}
