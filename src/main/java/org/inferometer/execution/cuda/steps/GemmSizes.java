package org.inferometer.execution.cuda.steps;

import java.util.List;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PaddedWidth;

/// Sizes of the products of a model's layers that cuBLASLt computes, and of a lane's memory for them. A product is
/// computed in equal slices of its outputs, so that this memory is bounded.
///
/// @param matrices of a layer
/// @param rows of the largest step
public record GemmSizes(List<Matrix> matrices, int rows, GemmSetup setup) {
    /// Bounds the library's choice.
    public static final long WORKSPACE_BYTES = 32L << 20;
    /// Tokens are padded to a multiple, so that the library is asked about few shapes.
    private static final int TOKENS = 32;

    /// Outputs and padded inputs of a product.
    record Matrix(int outputs, int paddedInputs) {}

    /// @param gated whether the feed-forward part is gated
    public static GemmSizes of(ModelShape shape, boolean gated, int rows, GemmSetup setup) {
        int hidden = PaddedWidth.inputs(shape.hidden());
        int up = gated ? DeviceMatrixRows.Gated.count(shape.intermediate()) : shape.intermediate();
        return new GemmSizes(List.of(new Matrix(shape.queryKeyValueWidth(), hidden),
                new Matrix(shape.hidden(), PaddedWidth.inputs(shape.queryWidth())), new Matrix(up, hidden),
                new Matrix(shape.hidden(), PaddedWidth.inputs(shape.intermediate()))), rows, setup);
    }

    /// Whether any step is large enough. Inputs of products have rows for padded tokens only beyond the narrow tiles.
    public boolean used() {
        return rows >= setup.leastTokens() && rows > KernelTiles.Matmul.TOKENS_32.tokens();
    }

    /// Tokens of the library's product.
    public static int padded(int tokens) {
        return Math.ceilDiv(tokens, TOKENS) * TOKENS;
    }

    /// Rows of widened weights: whole tiles.
    public static int wholeTiles(int outputs) {
        return Math.ceilDiv(outputs, KernelTiles.TILE_ROWS) * KernelTiles.TILE_ROWS;
    }

    /// Outputs of each slice of a product but the last, which may have fewer: whole blocks of the epilogue.
    int sliceOutputs(int outputs, int paddedInputs) {
        int block = KernelTiles.EPILOGUE_OUTPUTS;
        long each = Math.max((long) Short.BYTES * paddedInputs, (long) Float.BYTES * padded(rows));
        long most = Math.max(1, setup.sliceBytes() / each / block) * block;
        int slices = Math.toIntExact(Math.ceilDiv(outputs, most));
        return Math.ceilDiv(Math.ceilDiv(outputs, slices), block) * block;
    }

    private int sliceRows(Matrix matrix) {
        return wholeTiles(Math.min(matrix.outputs(), sliceOutputs(matrix.outputs(), matrix.paddedInputs())));
    }

    long widenedBytes() {
        return matrices.stream().mapToLong(each -> (long) Short.BYTES * sliceRows(each) * each.paddedInputs()).max()
                .orElse(0);
    }

    long sumBytes() {
        return matrices.stream().mapToLong(each -> (long) Float.BYTES * sliceRows(each) * padded(rows)).max().orElse(0);
    }

    /// Bytes of a lane.
    public long bytes() {
        return widenedBytes() + sumBytes() + WORKSPACE_BYTES;
    }
}
