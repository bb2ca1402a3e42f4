package org.inferometer.execution.cuda;

import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;

/// A weight matrix W on the device for y = W·x, in the order in which the kernels' lanes read it (`formats.h`). Rows are
/// outputs, in tiles of 16, padded with zeros to whole thread blocks and to groups of 128 inputs.
///
/// @param values `[tiles][chunks of 64 bytes of a row][2][32 lanes]` of 16 bytes
/// @param scales FP8: FP32 `[outputs]`; INT4: words `[tiles][paddedInputs / 128][16]` with FP16 scale (low half) and
///     BF16 of minus (128 + zero point) (high half); BF16: unused
/// @param paddedInputs multiple of 128
record DeviceMatrix(Precision precision, DeviceAddress values, DeviceAddress scales, int outputs, int paddedInputs) {
    private static final int CHUNK_BYTES = 64;

    /// Bits of a value.
    private static int bits(Precision precision) {
        return switch (precision) {
            case BF16 -> 16;
            case FP8 -> 8;
            case INT4 -> 4;
        };
    }

    /// Bytes of a row's values, a multiple of 64.
    static int rowBytes(Precision precision, int paddedInputs) {
        return paddedInputs * bits(precision) / 8;
    }

    /// Tiles of 16 rows, with those of padding.
    static int tiles(int outputs) {
        return Math.ceilDiv(outputs, KernelTiles.TILE_ROWS * KernelTiles.PADDED_TILES) * KernelTiles.PADDED_TILES;
    }

    /// Bytes of the values of whole tiles.
    static long valueBytes(Precision precision, int outputs, int paddedInputs) {
        return (long) tiles(outputs) * KernelTiles.TILE_ROWS * rowBytes(precision, paddedInputs);
    }

    /// Bytes of the scales of a number of outputs.
    static long scaleBytes(Precision precision, int outputs, int paddedInputs) {
        return switch (precision) {
            case BF16 -> 0;
            case FP8 -> (long) Float.BYTES * outputs;
            case INT4 -> (long) Integer.BYTES * tiles(outputs) * KernelTiles.TILE_ROWS * groups(paddedInputs);
        };
    }

    /// INT4 groups of a row.
    static int groups(int paddedInputs) {
        return paddedInputs / WeightMatrix.Int4.GROUP_COLUMNS;
    }

    /// Bytes of these rows on the device.
    static long bytes(DeviceMatrixRows rows) {
        Precision precision = rows.precision();
        int padded = PaddedWidth.inputs(rows.columns());
        return valueBytes(precision, rows.count(), padded) + scaleBytes(precision, rows.count(), padded);
    }

    /// Chunks of 64 bytes in a row.
    int chunks() {
        return rowBytes(precision, paddedInputs) / CHUNK_BYTES;
    }

    /// The values from an output on, the first of a tile.
    DeviceAddress valuesFrom(int output) {
        return values.plus((long) output * rowBytes(precision, paddedInputs));
    }

    /// INT4: the scales from an output on, the first of a tile.
    DeviceAddress groupScalesFrom(int output) {
        return scales.plus((long) Integer.BYTES * output * groups(paddedInputs));
    }

    /// The format in kernel names.
    String format() {
        return precision.id();
    }
}
