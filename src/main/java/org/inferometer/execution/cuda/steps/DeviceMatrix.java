package org.inferometer.execution.cuda.steps;

import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PaddedWidth;

/// A weight matrix W on the device for y = W·x, in the order in which the kernels' lanes read it (`formats.h`). Rows are
/// outputs, in tiles of 16, padded with zeros to whole thread blocks and to groups of 128 inputs.
///
/// @param values `[tiles][chunks of 64 bytes of a row][2][32 lanes]` of 16 bytes
/// @param scales FP8: FP32 `[outputs]`; INT4: words `[tiles][groups][16]` with FP16 scale (low half) and
///     BF16 of minus (128 + zero point) (high half); BF16: unused
/// @param paddedInputs multiple of 128
public record DeviceMatrix(DeviceFormat format, DeviceAddress values, DeviceAddress scales, int outputs,
        int paddedInputs) {
    private static final int CHUNK_BYTES = 64;

    /// Tiles of 16 rows, with those of padding.
    static int tiles(int outputs) {
        return Math.ceilDiv(outputs, KernelTiles.TILE_ROWS * KernelTiles.PADDED_TILES) * KernelTiles.PADDED_TILES;
    }

    /// Bytes of the values of whole tiles.
    public static long valueBytes(DeviceFormat format, int outputs, int paddedInputs) {
        return (long) tiles(outputs) * KernelTiles.TILE_ROWS * format.rowBytes(paddedInputs);
    }

    /// Bytes of the scales of a number of outputs.
    public static long scaleBytes(DeviceFormat format, int outputs, int paddedInputs) {
        return switch (format.precision()) {
            case BF16 -> 0;
            case FP8 -> (long) Float.BYTES * outputs;
            case INT8 -> throw DeviceFormat.noKernels();
            case INT4 -> (long) Integer.BYTES * tiles(outputs) * KernelTiles.TILE_ROWS * format.groups(paddedInputs);
        };
    }

    /// Bytes of these rows on the device.
    static long bytes(DeviceMatrixRows rows) {
        DeviceFormat format = rows.format();
        int padded = PaddedWidth.inputs(rows.columns());
        return valueBytes(format, rows.count(), padded) + scaleBytes(format, rows.count(), padded);
    }

    /// Chunks of 64 bytes in a row.
    public int chunks() {
        return format.rowBytes(paddedInputs) / CHUNK_BYTES;
    }

    /// The values from an output on, the first of a tile.
    public DeviceAddress valuesFrom(int output) {
        return values.plus((long) output * format.rowBytes(paddedInputs));
    }

    /// INT4: the scales from an output on, the first of a tile.
    public DeviceAddress groupScalesFrom(int output) {
        return scales.plus((long) Integer.BYTES * output * format.groups(paddedInputs));
    }
}
