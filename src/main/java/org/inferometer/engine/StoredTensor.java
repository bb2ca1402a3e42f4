package org.inferometer.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.engine.safetensors.SafetensorsDtype;
import org.inferometer.engine.safetensors.TensorSpec;

/// One tensor of an engine's file: which weight it holds, and which part of its quantised form.
record StoredTensor(WeightSpec weight, Part part, TensorSpec tensor) {
    static final String SCALE_SUFFIX = "_scale";
    static final String ZERO_SUFFIX = "_zero";

    /// The parts a weight is stored in.
    enum Part {
        FP32_VALUES, BF16_VALUES, FP8_VALUES, FP8_SCALES, INT4_VALUES, INT4_SCALES, INT4_ZEROS
    }

    /// The tensors of a model in that precision.
    static List<StoredTensor> of(ModelShape shape, Precision precision) {
        List<StoredTensor> tensors = new ArrayList<>();
        for (WeightSpec weight : ModelLayout.of(shape)) {
            tensors.addAll(of(weight, precision));
        }
        return List.copyOf(tensors);
    }

    /// The same tensors by their names in the file.
    static Map<String, StoredTensor> byName(List<StoredTensor> tensors) {
        return tensors.stream()
                .collect(Collectors.toUnmodifiableMap(stored -> stored.tensor().name(), Function.identity()));
    }

    /// The tensors of one weight.
    static List<StoredTensor> of(WeightSpec weight, Precision precision) {
        if (!weight.quantised()) {
            boolean vector = weight.role() != WeightSpec.Role.POSITIONS;
            return List.of(vector ? stored(weight, Part.FP32_VALUES, "", SafetensorsDtype.F32, weight.columns())
                    : stored(weight, Part.FP32_VALUES, "", SafetensorsDtype.F32, weight.rows(), weight.columns()));
        }
        int rows = weight.rows();
        int columns = weight.columns();
        return switch (precision) {
            case BF16 -> List.of(stored(weight, Part.BF16_VALUES, "", SafetensorsDtype.BF16, rows, columns));
            case FP8 -> List.of(stored(weight, Part.FP8_VALUES, "", SafetensorsDtype.F8_E4M3, rows, columns),
                    stored(weight, Part.FP8_SCALES, SCALE_SUFFIX, SafetensorsDtype.F32, rows));
            case INT4 -> List.of(
                    stored(weight, Part.INT4_VALUES, "", SafetensorsDtype.U8, rows, Int4Quantiser.rowBytes(columns)),
                    stored(weight, Part.INT4_SCALES, SCALE_SUFFIX, SafetensorsDtype.F16, rows,
                            Int4Quantiser.groups(columns)),
                    stored(weight, Part.INT4_ZEROS, ZERO_SUFFIX, SafetensorsDtype.U8, rows,
                            Int4Quantiser.groups(columns)));
        };
    }

    private static StoredTensor stored(WeightSpec weight, Part part, String suffix, SafetensorsDtype dtype,
            long... shape) {
        List<Long> dimensions = new ArrayList<>();
        for (long dimension : shape) {
            dimensions.add(dimension);
        }
        return new StoredTensor(weight, part, new TensorSpec(weight.name() + suffix, dtype, dimensions));
    }

    /// Bytes that one row of the weight takes in this tensor.
    int rowBytes() {
        int columns = weight.columns();
        return switch (part) {
            case FP32_VALUES -> Float.BYTES * columns;
            case BF16_VALUES -> Short.BYTES * columns;
            case FP8_VALUES -> columns;
            case FP8_SCALES -> Float.BYTES;
            case INT4_VALUES -> Int4Quantiser.rowBytes(columns);
            case INT4_SCALES -> Short.BYTES * Int4Quantiser.groups(columns);
            case INT4_ZEROS -> Int4Quantiser.groups(columns);
        };
    }

    /// Writes what one row of the weight becomes in this tensor.
    ///
    /// @param row the weight's values `[columns]`, all finite
    /// @param destination little-endian, with room for [#rowBytes()]
    void encode(float[] row, ByteBuffer destination) {
        switch (part) {
            case FP32_VALUES -> {
                for (float value : row) {
                    destination.putFloat(value);
                }
            }
            case BF16_VALUES -> {
                for (float value : row) {
                    destination.putShort(Bf16.encode(value));
                }
            }
            case FP8_VALUES -> Fp8Quantiser.values(row, Fp8Quantiser.scale(row), destination);
            case FP8_SCALES -> destination.putFloat(Fp8Quantiser.scale(row));
            case INT4_VALUES -> Int4Quantiser.values(row, destination);
            case INT4_SCALES -> Int4Quantiser.scales(row, destination);
            case INT4_ZEROS -> Int4Quantiser.zeros(row, destination);
        }
    }
}
