package org.inferometer.engine.checkpoint;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.checkpoint.CheckpointTensors.Tensor;
import org.inferometer.engine.checkpoint.Int4Matrix.Slice;
import org.inferometer.engine.checkpoint.TensorNames.Place;
import org.inferometer.engine.files.LittleEndian;
import org.inferometer.engine.safetensors.SafetensorsDtype;
import org.jspecify.annotations.Nullable;

/// Finds the tensors of quantised matrices in a checkpoint and checks their shapes and types; collects the faults.
final class QuantisedTensors {
    private static final String WEIGHT = ".weight";
    private static final List<String> FP8_SCALES = List.of("_scale", "_scale_inv");
    private static final int PER_WORD = 8;

    private final Quantisation quantisation;
    private final CheckpointTensors tensors;
    private final List<String> faults;

    /// @param faults receives a sentence for each tensor that is missing or wrong
    QuantisedTensors(Quantisation quantisation, CheckpointTensors tensors, List<String> faults) {
        this.quantisation = quantisation;
        this.tensors = tensors;
        this.faults = faults;
    }

    /// The matrix; empty if the checkpoint has left it unquantised, or if something is wrong.
    ///
    /// @param place in an unquantised checkpoint: "…q_proj.weight". AWQ and GPTQ have `[inputs, outputs]` as GPT-2 does
    Optional<QuantisedMatrix> find(Place place, WeightSpec weight) {
        String name = place.tensor();
        return codes(name).flatMap(found -> Optional.ofNullable(switch (quantisation.kind()) {
            case NONE -> null;
            case FP8 -> fp8(name, found, weight);
            case AWQ, GPTQ, GPTQ_V2 -> grouped(base(name), found, weight, place);
            case PACKED -> packed(base(name), found, weight);
        }));
    }

    /// The tensor of a matrix's quantised values; empty if the checkpoint has left it unquantised.
    Optional<Tensor> codes(String name) {
        if (!name.endsWith(WEIGHT)) {
            return Optional.empty();
        }
        return switch (quantisation.kind()) {
            case NONE -> Optional.empty();
            case FP8 -> tensors.find(name).filter(found -> found.entry().spec().dtype() == SafetensorsDtype.F8_E4M3);
            case AWQ, GPTQ, GPTQ_V2 -> tensors.find(base(name) + ".qweight");
            case PACKED -> tensors.find(base(name) + ".weight_packed");
        };
    }

    private static String base(String name) {
        return name.substring(0, name.length() - WEIGHT.length());
    }

    private @Nullable QuantisedMatrix fp8(String name, Tensor codes, WeightSpec weight) {
        int rows = weight.rows();
        int columns = weight.columns();
        checkShape(name, codes, rows, columns);
        Optional<Tensor> found = FP8_SCALES.stream().flatMap(end -> tensors.find(name + end).stream()).findFirst();
        if (found.isEmpty()) {
            faults.add(name + "_scale is missing.");
            return null;
        }
        Tensor tensor = found.get();
        String scaleName = tensor.entry().spec().name();
        @Nullable FloatTensor scales = scales(scaleName, tensor);
        if (scales == null) {
            return null;
        }
        List<Long> shape = tensor.entry().spec().shape();
        if (scales.count() == 1) {
            return new Fp8Matrix(rows, columns, codes.bytes(), scales, rows, columns);
        }
        if (shape.equals(List.of((long) rows)) || shape.equals(List.of((long) rows, 1L))) {
            return new Fp8Matrix(rows, columns, codes.bytes(), scales, 1, columns);
        }
        int blockRows = quantisation.blockRows();
        int blockColumns = quantisation.blockColumns();
        if (blockRows == 0) {
            faults.add(scaleName + " has the shape " + shape + ", neither one scale nor one for each of " + rows
                    + " outputs.");
            return null;
        }
        checkShape(scaleName, tensor, Math.ceilDiv(rows, blockRows), Math.ceilDiv(columns, blockColumns));
        return new Fp8Matrix(rows, columns, codes.bytes(), scales, blockRows, blockColumns);
    }

    /// AWQ and GPTQ, whose scales are `[groups, outputs]`.
    private @Nullable QuantisedMatrix grouped(String base, Tensor words, WeightSpec weight, Place place) {
        int rows = place.transposed() ? Math.toIntExact(place.shape().getLast()) : weight.rows();
        int columns = weight.columns();
        boolean awq = quantisation.kind() == Quantisation.Kind.AWQ;
        requireWholeWords(base, rows);
        checkWords(base + ".qweight", words, awq ? columns : Math.ceilDiv(columns, PER_WORD),
                awq ? rows / PER_WORD : rows);
        int groups = Math.ceilDiv(columns, group(columns));
        @Nullable Tensor zeros = needed(base + ".qzeros");
        @Nullable Tensor scales = needed(base + ".scales");
        if (zeros == null || scales == null) {
            return null;
        }
        checkWords(base + ".qzeros", zeros, groups, rows / PER_WORD);
        checkShape(base + ".scales", scales, groups, rows);
        return int4(new Slice(rows, place.first(), weight.rows()), columns, words, zeros, scales,
                awq ? null : groups(base + ".g_idx", columns, groups));
    }

    private @Nullable QuantisedMatrix packed(String base, Tensor words, WeightSpec weight) {
        int rows = weight.rows();
        int columns = weight.columns();
        checkWords(base + ".weight_packed", words, rows, Math.ceilDiv(columns, PER_WORD));
        int groups = Math.ceilDiv(columns, group(columns));
        @Nullable Tensor scales = needed(base + ".weight_scale");
        if (scales == null) {
            return null;
        }
        checkShape(base + ".weight_scale", scales, rows, groups);
        @Nullable Tensor zeros = tensors.find(base + ".weight_zero_point").orElse(null);
        if (zeros != null) {
            checkWords(base + ".weight_zero_point", zeros, Math.ceilDiv(rows, PER_WORD), groups);
        }
        return int4(new Slice(rows, 0, rows), columns, words, zeros, scales,
                groups(base + ".weight_g_idx", columns, groups));
    }

    private @Nullable QuantisedMatrix int4(Slice slice, int columns, Tensor words, @Nullable Tensor zeros,
            Tensor scales, int @Nullable [] groupOf) {
        @Nullable FloatTensor read = scales(scales.entry().spec().name(), scales);
        return read == null ? null : new Int4Matrix(quantisation.kind(), slice, columns, words.bytes(),
                zeros == null ? null : zeros.bytes(), read, group(columns), groupOf);
    }

    private int group(int columns) {
        return quantisation.groupColumns() == 0 ? columns : Math.min(columns, quantisation.groupColumns());
    }

    /// The groups of inputs; null if they follow each other.
    private int @Nullable [] groups(String name, int columns, int groups) {
        Tensor tensor = tensors.find(name).orElse(null);
        if (tensor == null) {
            return null;
        }
        if (tensor.entry().spec().dtype() != SafetensorsDtype.I32
                || !tensor.entry().spec().shape().equals(List.of((long) columns))) {
            faults.add(name + " is " + tensor.entry().spec().typeText() + ", not I32 [" + columns + "].");
            return null;
        }
        int[] groupOf = tensor.bytes().toArray(LittleEndian.INT);
        // compressed-tensors writes -1 where an order was never set.
        if (quantisation.kind() != Quantisation.Kind.GPTQ && Arrays.stream(groupOf).allMatch(group -> group == -1)) {
            return null;
        }
        boolean plain = true;
        for (int column = 0; column < columns; column++) {
            if (groupOf[column] < 0 || groupOf[column] >= groups) {
                faults.add(name + " has the group " + groupOf[column] + " of " + groups + ".");
                return null;
            }
            plain &= groupOf[column] == column / group(columns);
        }
        return plain ? null : groupOf;
    }

    private void requireWholeWords(String base, int rows) {
        if (rows % PER_WORD != 0) {
            faults.add(base + " has " + rows + " outputs, no multiple of " + PER_WORD + ".");
        }
    }

    private @Nullable Tensor needed(String name) {
        Optional<Tensor> found = tensors.find(name);
        if (found.isEmpty()) {
            faults.add(name + " is missing.");
        }
        return found.orElse(null);
    }

    private @Nullable FloatTensor scales(String name, Tensor tensor) {
        if (!FloatTensor.isFloat(tensor.entry().spec().dtype())) {
            faults.add(name + " has the type " + tensor.entry().spec().dtype() + ", none of F32, BF16 and F16.");
            return null;
        }
        FloatTensor scales = FloatTensor.of(tensor);
        if (!scales.areScales()) {
            faults.add(name + " has a scale that is negative or not finite.");
            return null;
        }
        return scales;
    }

    private void checkWords(String name, Tensor tensor, long rows, long columns) {
        if (tensor.entry().spec().dtype() != SafetensorsDtype.I32) {
            faults.add(name + " has the type " + tensor.entry().spec().dtype() + ", not I32.");
        }
        checkShape(name, tensor, rows, columns);
    }

    private void checkShape(String name, Tensor tensor, long rows, long columns) {
        if (!tensor.entry().spec().shape().equals(List.of(rows, columns))) {
            faults.add(name + " has the shape " + tensor.entry().spec().shape() + ", not [" + rows + ", " + columns
                    + "].");
        }
    }
}
