package org.inferometer.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.engine.safetensors.SafetensorsDtype;
import org.inferometer.engine.safetensors.SafetensorsLayout;
import org.inferometer.engine.safetensors.TensorSpec;

/// One tensor of an engine's file: its weight, and the part of the quantised form.
///
/// @param groupColumns inputs of a group with a scale; 0 without groups
public record StoredTensor(WeightSpec weight, StoredPart part, TensorSpec tensor, int groupColumns) {
    static final String SCALE_SUFFIX = "_scale";
    static final String ZERO_SUFFIX = "_zero";

    /// The stored parts of a weight.
    public enum StoredPart {
        FP32_VALUES, BF16_VALUES, FP8_VALUES, FP8_SCALES, INT8_VALUES, INT8_SCALES, INT4_VALUES, INT4_SCALES,
        INT4_ZEROS, INPUT_ORDER;

        /// Whether it holds the values, not scales, zero points or an order.
        boolean isValues() {
            return switch (this) {
                case FP32_VALUES, BF16_VALUES, FP8_VALUES, INT8_VALUES, INT4_VALUES -> true;
                case FP8_SCALES, INT8_SCALES, INT4_SCALES, INT4_ZEROS, INPUT_ORDER -> false;
            };
        }
    }

    /// The tensors of a model in these formats.
    public static List<StoredTensor> of(ModelShape shape, WeightFormats formats) {
        List<StoredTensor> tensors = new ArrayList<>();
        for (WeightSpec weight : ModelLayout.of(shape)) {
            tensors.addAll(of(weight, formats));
        }
        if (formats.actOrder()) {
            ModelLayout.inputOrders(shape).forEach(order -> tensors.addAll(of(order, formats)));
        }
        return List.copyOf(tensors);
    }

    /// The tensors by their names in the file.
    public static Map<String, StoredTensor> byName(List<StoredTensor> tensors) {
        return tensors.stream()
                .collect(Collectors.toUnmodifiableMap(stored -> stored.tensor().name(), Function.identity()));
    }

    /// The tensors of one weight.
    public static List<StoredTensor> of(WeightSpec weight, WeightFormats formats) {
        if (!weight.quantised()) {
            Parts of = new Parts(weight, 0);
            if (weight.role() == WeightSpec.WeightRole.INPUT_ORDER) {
                return List.of(of.stored(StoredPart.INPUT_ORDER, "", SafetensorsDtype.I32, weight.columns()));
            }
            boolean vector = weight.role() != WeightSpec.WeightRole.POSITIONS;
            return List.of(vector ? of.stored(StoredPart.FP32_VALUES, "", SafetensorsDtype.F32, weight.columns())
                    : of.stored(StoredPart.FP32_VALUES, "", SafetensorsDtype.F32, weight.rows(), weight.columns()));
        }
        int rows = weight.rows();
        int columns = weight.columns();
        Precision precision = formats.of(weight.role());
        int groupColumns = formats.groupColumns(precision);
        Parts of = new Parts(weight, groupColumns);
        return switch (precision) {
            case BF16 -> List.of(of.stored(StoredPart.BF16_VALUES, "", SafetensorsDtype.BF16, rows, columns));
            case FP8 -> List.of(of.stored(StoredPart.FP8_VALUES, "", SafetensorsDtype.F8_E4M3, rows, columns),
                    groupColumns == 0 ? of.stored(StoredPart.FP8_SCALES, SCALE_SUFFIX, SafetensorsDtype.F32, rows)
                            : of.stored(StoredPart.FP8_SCALES, SCALE_SUFFIX, SafetensorsDtype.F32, rows,
                                    WeightMatrix.Fp8.groups(columns, groupColumns)));
            case INT8 -> List.of(of.stored(StoredPart.INT8_VALUES, "", SafetensorsDtype.I8, rows, columns),
                    of.stored(StoredPart.INT8_SCALES, SCALE_SUFFIX, SafetensorsDtype.F16, rows,
                            Math.ceilDiv(columns, groupColumns)));
            case INT4 -> {
                int groups = Math.ceilDiv(columns, groupColumns);
                yield List.of(
                        of.stored(StoredPart.INT4_VALUES, "", SafetensorsDtype.U8, rows,
                                WeightMatrix.Int4.rowBytes(columns)),
                        of.stored(StoredPart.INT4_SCALES, SCALE_SUFFIX, SafetensorsDtype.F16, rows, groups),
                        of.stored(StoredPart.INT4_ZEROS, ZERO_SUFFIX, SafetensorsDtype.U8, rows, groups));
            }
        };
    }

    private record Parts(WeightSpec weight, int groupColumns) {
        StoredTensor stored(StoredPart part, String suffix, SafetensorsDtype dtype, long... shape) {
            List<Long> dimensions = Arrays.stream(shape).boxed().toList();
            return new StoredTensor(weight, part, new TensorSpec(weight.name() + suffix, dtype, dimensions),
                    groupColumns);
        }
    }

    /// The positions of the tensors in a file.
    public static SafetensorsLayout layout(List<StoredTensor> tensors) {
        return SafetensorsLayout.of(tensors.stream().map(StoredTensor::tensor).toList(),
                Map.of("format", "inferometer"));
    }

    /// Bytes of one row of the weight in this tensor.
    public int rowBytes() {
        return Math.toIntExact(tensor.bytes().orElseThrow() / weight.rows());
    }
}
