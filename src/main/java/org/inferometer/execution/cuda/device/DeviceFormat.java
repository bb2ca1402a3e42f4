package org.inferometer.execution.cuda.device;

import java.util.Arrays;
import java.util.List;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightMatrix;

/// A format of weights on the device: each has products of its own (`formats.h`).
public enum DeviceFormat {
    BF16(Precision.BF16, 0, KernelTiles.Matmul.TOKENS_128), FP8(Precision.FP8, 0, KernelTiles.Matmul.TOKENS_128),
    /// In groups of 128 inputs, as quantisers make it.
    INT4(Precision.INT4, 128, KernelTiles.Matmul.TOKENS_128),
    /// In groups of 64 or 32, which the tile of 128 tokens does not multiply.
    INT4_G64(Precision.INT4, 64, KernelTiles.Matmul.TOKENS_64),
    INT4_G32(Precision.INT4, 32, KernelTiles.Matmul.TOKENS_64);

    private final Precision precision;
    private final int groupColumns;
    private final KernelTiles.Matmul largestTile;

    DeviceFormat(Precision precision, int groupColumns, KernelTiles.Matmul largestTile) {
        this.precision = precision;
        this.groupColumns = groupColumns;
        this.largestTile = largestTile;
    }

    public static DeviceFormat of(WeightMatrix matrix) {
        int group = matrix instanceof WeightMatrix.Int4 int4 ? int4.groupColumns() : 0;
        for (DeviceFormat format : values()) {
            if (format.precision == matrix.precision() && format.groupColumns == group) {
                return format;
            }
        }
        throw new IllegalArgumentException(matrix.precision() + " in groups of " + group + " inputs has no kernels");
    }

    /// The precisions that have kernels.
    public static List<Precision> precisions() {
        return Arrays.stream(values()).map(DeviceFormat::precision).distinct().toList();
    }

    /// [org.inferometer.execution.backend.ModelCheck] refuses engines without kernels before.
    public static IllegalArgumentException noKernels() {
        return new IllegalArgumentException("INT8 has no kernels");
    }

    public Precision precision() {
        return precision;
    }

    /// The formats of a model that has this one everywhere.
    public WeightFormats everywhere() {
        return new WeightFormats(precision, precision, groupColumns);
    }

    /// The name in messages: "INT4 in groups of 64".
    public String text() {
        return this == INT4_G64 || this == INT4_G32 ? precision + " in groups of " + groupColumns
                : precision.toString();
    }

    /// The name in kernels that depend on groups: "int4_g32".
    public String id() {
        return this == INT4_G64 || this == INT4_G32 ? precision.id() + "_g" + groupColumns : precision.id();
    }

    /// The largest tile of its products.
    public KernelTiles.Matmul largestTile() {
        return largestTile;
    }

    /// Bytes of a row's values, a multiple of 64.
    public int rowBytes(int paddedInputs) {
        return paddedInputs * switch (precision) {
            case BF16 -> Short.SIZE;
            case FP8 -> Byte.SIZE;
            case INT8 -> throw noKernels();
            case INT4 -> Byte.SIZE / 2;
        } / Byte.SIZE;
    }

    /// INT4: groups of a row.
    public int groups(int paddedInputs) {
        return groupColumns == 0 ? 0 : paddedInputs / groupColumns;
    }
}
