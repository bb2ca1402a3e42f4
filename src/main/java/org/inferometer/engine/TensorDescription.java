package org.inferometer.engine;

import java.util.Locale;

/// Describes tensors and the memory layout of a precision.
final class TensorDescription {
    /// Of the scale and the zero point of an INT4 group.
    private static final double GROUP_BITS = 24;
    /// Of the scale of an INT8 group.
    private static final double HALF_BITS = 16;
    /// Of the scale of an FP8 group.
    private static final double SCALE_BITS = 32;

    private TensorDescription() {}

    /// "query projection of layer 3: FP32 scale of each output".
    static String of(StoredTensor tensor, ModelShape shape) {
        String part = switch (tensor.part()) {
            case FP32_VALUES, BF16_VALUES, FP8_VALUES, INPUT_ORDER -> "";
            case INT8_VALUES -> ": signed 8-bit values";
            case INT4_VALUES -> ": two 4-bit values per byte, the even input in the low half";
            case FP8_SCALES -> tensor.groupColumns() == 0 ? ": scale of each output" : groupScale(tensor);
            case INT8_SCALES, INT4_SCALES -> groupScale(tensor);
            case INT4_ZEROS -> ": zero point of each group, 0 to 15";
        };
        return weight(tensor.weight(), shape) + part;
    }

    private static String groupScale(StoredTensor tensor) {
        return ": scale of each group of " + tensor.groupColumns() + " inputs";
    }

    private static String weight(WeightSpec weight, ModelShape shape) {
        return switch (weight.role()) {
            case EMBEDDING -> shape.tiedHead() ? "token embeddings, and the output head" : "token embeddings";
            case POSITIONS -> "learned position embeddings";
            case HEAD -> "output head";
            case NORM_WEIGHT, NORM_BIAS, PROJECTION, RESIDUAL_PROJECTION, PROJECTION_BIAS -> inLayer(weight.name());
            case INPUT_ORDER -> order(weight.name());
        };
    }

    private static String inLayer(String name) {
        String[] words = name.split("\\.");
        if (words[0].equals(ModelLayout.FINAL_NORM)) {
            return "final normalisation" + bias(words[words.length - 1]);
        }
        String role = switch (words[words.length - 2]) {
            case "attn_norm" -> "normalisation before attention";
            case "ffn_norm" -> "normalisation before the feed-forward part";
            case "q" -> "query projection";
            case "k" -> "key projection";
            case "v" -> "value projection";
            case "o" -> "attention output projection";
            case "q_norm" -> "normalisation of each query head";
            case "k_norm" -> "normalisation of each key head";
            case "gate" -> "feed-forward gate";
            case "up" -> "feed-forward up projection";
            case "down" -> "feed-forward down projection";
            default -> words[words.length - 2];
        };
        return role + bias(words[words.length - 1]) + " of layer " + words[1];
    }

    private static String order(String name) {
        String[] words = name.split("\\.");
        String of = switch (words[words.length - 2]) {
            case "o" -> "attention output projection";
            case "ffn" -> "feed-forward gate and up projections";
            default -> "query, key and value projections";
        };
        return "order of the inputs of the " + of + " of layer " + words[1];
    }

    private static String bias(String last) {
        return last.equals("bias") ? " bias" : "";
    }

    /// The storage of matrices, with bits per weight.
    static String layout(WeightFormats formats) {
        return layout(formats.projections(), formats.groupColumns(formats.projections()))
                + (formats.actOrder() ? " Inputs are sorted by group (act-order); w[i] meets input order[i]." : "")
                + (formats.areEqual() ? "" : " Embedding and output head: " + formats.tables().id() + ".");
    }

    /// The storage of matrices of a precision, with its bits per weight.
    private static String layout(Precision precision, int groupColumns) {
        return switch (precision) {
            case BF16 -> "Matrices are bfloat16, row-major [outputs, inputs]: 16 bits per weight.";
            case FP8 -> groupColumns == 0
                    ? "Matrices are FP8 E4M3, row-major [outputs, inputs], with one FP32 scale per output (largest magnitude / 448): "
                            + "8 bits per weight and 32 per output. w = code × scale."
                    : "Matrices are FP8 E4M3, row-major [outputs, inputs], in groups of " + groupColumns
                            + " inputs of a row, each with an FP32 scale: "
                            + String.format(Locale.ROOT, "%.2f", 8 + SCALE_BITS / groupColumns)
                            + " bits per weight. w = code × scale.";
            case INT8 -> "Matrices are signed 8-bit integers, row-major [outputs, inputs], in groups of " + groupColumns
                    + " inputs of a row, each with an FP16 scale: "
                    + String.format(Locale.ROOT, "%.2f", 8 + HALF_BITS / groupColumns)
                    + " bits per weight. w = q × scale.";
            case INT4 -> "Matrices are 4-bit integers, row-major [outputs, inputs], two per byte, in groups of "
                    + groupColumns + " inputs of a row, each with an FP16 scale and a zero point: "
                    + String.format(Locale.ROOT, "%.2f", 4 + GROUP_BITS / groupColumns)
                    + " bits per weight. w = (q − zero) × scale.";
        };
    }
}
