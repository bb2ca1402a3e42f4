package org.inferometer.engine.checkpoint;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.OneLine;
import tools.jackson.databind.JsonNode;

/// How a checkpoint's projections are quantised, from `quantization_config` or ModelOpt's `hf_quant_config.json`.
///
/// @param method as messages name it: "AWQ"
/// @param groupColumns inputs with a common scale; 0 for a whole row
/// @param blockRows with [#blockColumns], the block with a common FP8 scale; 0 for scales of tensors or outputs
record Quantisation(Kind kind, String method, int groupColumns, int blockRows, int blockColumns) {
    /// The layouts of quantised matrices.
    enum Kind {
        /// Not quantised.
        NONE,
        /// E4M3 with scales.
        FP8,
        /// AutoAWQ's "gemm": 4 bits, eight outputs in a word, in the order 0, 2, 4, 6, 1, 3, 5, 7.
        AWQ,
        /// GPTQ: 4 bits, eight inputs in a word; zero points are stored minus one.
        GPTQ,
        /// GPTQ whose zero points are stored as they are.
        GPTQ_V2,
        /// compressed-tensors' "pack-quantized": 4 bits, eight inputs of a row in a word, values and zero points plus eight.
        PACKED
    }

    static final Quantisation NONE = new Quantisation(Kind.NONE, "", 0, 0, 0);

    private static final String REMEDY = "Supported: FP8 (vLLM, compressed-tensors, ModelOpt), INT4 (AWQ gemm, GPTQ, "
            + "compressed-tensors pack-quantized), and checkpoints in BF16, F16 or F32.";

    /// Inputs of a group in an engine that keeps the checkpoint's values. INT4: the widest that divides its groups, else as
    /// quantisers make it. FP8: 0 without blocks, or if no width divides them.
    int engineGroupColumns() {
        if (kind == Kind.FP8) {
            return blockColumns % WeightMatrix.Fp8.GROUP_COLUMNS == 0
                    ? Math.min(blockColumns, WeightMatrix.Fp8.GROUP_COLUMNS) : 0;
        }
        return WeightMatrix.Int4.GROUPS.stream().filter(width -> groupColumns % width == 0).findFirst()
                .orElse(WeightMatrix.Int4.GROUP_COLUMNS);
    }

    /// Why an engine cannot keep values, a part of a sentence.
    String misfit() {
        return kind == Kind.FP8
                ? "an engine has scales of " + WeightMatrix.Fp8.GROUP_COLUMNS
                        + " inputs or of outputs, not of blocks of " + blockRows + " × " + blockColumns
                : "their groups, zero points or scales do not fit";
    }

    /// Reads how a checkpoint is quantised.
    ///
    /// @throws EngineFormatException if the method is not supported
    static Quantisation read(Path folder) throws EngineFormatException {
        Path config = folder.resolve(CheckpointConfig.FILE);
        JsonNode root = ConfigFields.object(config);
        for (JsonNode place : List.of(root, root.path("text_config"))) {
            JsonNode found = place.path("quantization_config");
            if (found.isObject()) {
                return of(found, config);
            }
        }
        Optional<Path> own = CheckpointFolder.file(folder, "hf_quant_config.json");
        return own.isPresent() ? modelOpt(ConfigFields.object(own.get()), own.get()) : NONE;
    }

    private static Quantisation of(JsonNode config, Path file) throws EngineFormatException {
        String method = config.path("quant_method").asString("");
        return switch (method) {
            case "fp8" -> fp8(config, file);
            case "compressed-tensors" -> compressed(config, file);
            case "modelopt" -> modelOpt(config, file);
            case "awq" -> {
                require(config.path("bits").asInt(4) == 4, config.path("bits").asString() + "-bit AWQ", file);
                String version = config.path("version").asString("gemm");
                require(version.equalsIgnoreCase("gemm"), "AWQ in the layout \"" + version + "\"", file);
                yield new Quantisation(Kind.AWQ, "AWQ", group(config.path("group_size"), file), 0, 0);
            }
            case "gptq" -> {
                require(config.path("bits").asInt(4) == 4, config.path("bits").asString() + "-bit GPTQ", file);
                String format = config.path("checkpoint_format").asString("gptq");
                require(format.equals("gptq") || format.equals("gptq_v2"), "GPTQ in the layout \"" + format + "\"",
                        file);
                yield new Quantisation(format.equals("gptq") ? Kind.GPTQ : Kind.GPTQ_V2, "GPTQ",
                        group(config.path("group_size"), file), 0, 0);
            }
            default -> throw unsupported(method.isEmpty() ? "a method that is not named" : "\"" + method + "\"", file);
        };
    }

    private static Quantisation fp8(JsonNode config, Path file) throws EngineFormatException {
        JsonNode block = config.path("weight_block_size");
        if (!block.isArray()) {
            return new Quantisation(Kind.FP8, "FP8", 0, 0, 0);
        }
        require(block.size() == 2, "FP8 with a block of " + block.size() + " sizes", file);
        return new Quantisation(Kind.FP8, "FP8 in blocks", 0, size(block.get(0), file), size(block.get(1), file));
    }

    private static Quantisation modelOpt(JsonNode root, Path file) throws EngineFormatException {
        JsonNode config = root.path("quantization").isObject() ? root.path("quantization") : root;
        String algorithm = config.path("quant_algo").asString("");
        require(algorithm.equals("FP8"), "ModelOpt's \"" + algorithm + "\"", file);
        return new Quantisation(Kind.FP8, "FP8", 0, 0, 0);
    }

    private static Quantisation compressed(JsonNode config, Path file) throws EngineFormatException {
        String sparsity = config.path("sparsity_config").path("format").asString("dense");
        require(sparsity.equals("dense"), "compressed-tensors with the sparsity \"" + sparsity + "\"", file);
        String format = config.path("format").asString("");
        JsonNode groups = config.path("config_groups");
        require(groups.size() == 1, "compressed-tensors with " + groups.size() + " groups of formats", file);
        JsonNode weights = groups.iterator().next().path("weights");
        int bits = weights.path("num_bits").asInt(0);
        if (format.equals("float-quantized") && bits == 8) {
            JsonNode block = weights.path("block_structure");
            boolean blocks = weights.path("strategy").asString("").equals("block") && block.size() == 2;
            return new Quantisation(Kind.FP8, blocks ? "FP8 in blocks" : "FP8", 0,
                    blocks ? size(block.get(0), file) : 0, blocks ? size(block.get(1), file) : 0);
        }
        require(format.equals("pack-quantized") && bits == 4,
                "compressed-tensors' \"" + format + "\" with " + bits + " bits", file);
        return new Quantisation(Kind.PACKED, "compressed-tensors INT4", group(weights.path("group_size"), file), 0, 0);
    }

    /// Inputs of a group; 0 for a whole row, which configurations write as −1 or leave out.
    private static int group(JsonNode node, Path file) throws EngineFormatException {
        if (node.isMissingNode() || node.isNull() || node.asInt(0) == -1) {
            return 0;
        }
        return size(node, file);
    }

    private static int size(JsonNode node, Path file) throws EngineFormatException {
        require(node.isIntegralNumber() && node.canConvertToInt() && node.intValue() >= 8 && node.intValue() <= 1 << 16,
                "a group or block of " + OneLine.of(node.toString()), file);
        return node.intValue();
    }

    private static void require(boolean supported, String what, Path file) throws EngineFormatException {
        if (!supported) {
            throw unsupported(what, file);
        }
    }

    private static EngineFormatException unsupported(String what, Path file) {
        return new EngineFormatException(file,
                "The checkpoint is quantised with " + OneLine.of(what) + ", which is not supported.", REMEDY);
    }
}
