package org.inferometer.engine.build;

import java.nio.ByteBuffer;
import java.util.List;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.StoredTensor;

/// Appends rows of a weight to its tensors, in the format of these. One thread.
interface RowEncoder {
    /// Appends one row.
    ///
    /// @param row `[columns]`
    /// @param parts little-endian: values, then scales and zero points if the format has them
    /// @throws IllegalArgumentException if a value cannot be quantised
    void encode(float[] row, List<ByteBuffer> parts);

    /// The encoder for a weight.
    ///
    /// @param values its first tensor
    static RowEncoder of(StoredTensor values) {
        int groupColumns = values.groupColumns();
        return switch (values.part()) {
            case FP32_VALUES -> (row, parts) -> {
                for (float value : row) {
                    parts.getFirst().putFloat(value);
                }
            };
            case BF16_VALUES -> (row, parts) -> {
                for (float value : row) {
                    parts.getFirst().putShort(Bfloat16.encode(value));
                }
            };
            case FP8_VALUES ->
                (row, parts) -> Fp8Quantiser.quantise(row, groupColumns, parts.getFirst(), parts.getLast());
            case INT8_VALUES -> (row, parts) -> Int8Quantiser.quantise(row, parts.getFirst(), parts.getLast());
            case INT4_VALUES -> {
                Int4Quantiser quantiser = new Int4Quantiser(values.weight().columns(), groupColumns);
                yield (row, parts) -> quantiser.quantise(row, parts.getFirst(), parts.get(1), parts.getLast());
            }
            case FP8_SCALES, INT8_SCALES, INT4_SCALES, INT4_ZEROS, INPUT_ORDER -> (row, parts) -> {
                throw new IllegalStateException(values.part() + " are no values of a row");
            };
        };
    }
}
