package org.inferometer.engine.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelShape.RopeScaling;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.gguf.GgufFile;
import org.inferometer.engine.gguf.GgufFile.GgufTensor;
import org.inferometer.engine.gguf.GgufMetadata;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// The model that a GGUF file's header describes. Only what this program computes exactly is taken.
final class GgufShape {
    private static final Map<String, ModelFamily> FAMILIES = Map.of("llama", ModelFamily.LLAMA, "qwen2",
            ModelFamily.QWEN2, "qwen3", ModelFamily.QWEN3, "gpt2", ModelFamily.GPT2);
    private static final String REMEDY = "Give another model.";
    private static final String EMBEDDING = "token_embd.weight";
    private static final String ROPE_FACTORS = "rope_freqs.weight";
    private static final double LARGEST_ERROR = 1e-4;
    /// Published scalings of Llama 3.1 and 3.2; the file holds only the resulting factors.
    private static final List<RopeScaling> SCALINGS =
            List.of(new RopeScaling(8, 1, 4, 8192), new RopeScaling(32, 1, 4, 8192));

    private final GgufFile file;
    private final GgufMetadata values;
    private final String prefix;
    private final ModelFamily family;
    private final List<String> faults = new ArrayList<>();

    private GgufShape(GgufFile file, String architecture, ModelFamily family) {
        this.file = file;
        this.values = file.metadata();
        this.prefix = architecture + ".";
        this.family = family;
    }

    /// @throws EngineFormatException with everything that is wrong or not supported
    static ModelShape of(GgufFile file) throws EngineFormatException {
        String architecture = file.metadata().text("general.architecture").map(OneLine::of).orElse("");
        ModelFamily family = FAMILIES.get(architecture);
        if (family == null) {
            throw new EngineFormatException(file.path(),
                    architecture.isEmpty() ? "It names no architecture." : OtherArchitectures.sentence(architecture),
                    "Supported: llama, qwen2, qwen3, gpt2.");
        }
        GgufShape reader = new GgufShape(file, architecture, family);
        ModelShape shape = reader.shape();
        if (!reader.faults.isEmpty()) {
            throw new EngineFormatException(file.path(), String.join(" ", reader.faults), REMEDY);
        }
        return shape;
    }

    private ModelShape shape() {
        if (values.whole(prefix + "expert_count").orElse(0) > 0) {
            faults.add("Models with experts are not supported.");
        }
        int hidden = count("embedding_length", 1 << 18, OptionalLong.empty());
        int heads = count("attention.head_count", 1 << 10, OptionalLong.empty());
        int kvHeads = count("attention.head_count_kv", 1 << 10, OptionalLong.of(heads));
        int headDim = count("attention.key_length", 1 << 10, OptionalLong.of(Math.max(1, hidden / heads)));
        if (count("attention.value_length", 1 << 10, OptionalLong.of(headDim)) != headDim) {
            faults.add("Heads of values have another width than heads of keys.");
        }
        if (heads % kvHeads != 0) {
            faults.add("The heads (" + heads + ") are no multiple of the KV heads (" + kvHeads + ").");
        }
        boolean rotary = family != ModelFamily.GPT2;
        if (rotary
                && (headDim % 2 != 0 || count("rope.dimension_count", 1 << 10, OptionalLong.of(headDim)) != headDim)) {
            faults.add("RoPE on a part of each head is not supported.");
        }
        double epsilon =
                values.number(prefix + (rotary ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon"))
                        .filter(value -> value > 0 && value < 1).orElse(0.0);
        if (epsilon == 0) {
            faults.add("It names no epsilon of its norms.");
        }
        int positions = count("context_length", 1 << 24, OptionalLong.empty());
        double theta = rotary ? values.number(prefix + "rope.freq_base").filter(base -> base > 0).orElse(10_000.0) : 0;
        return new ModelShape(family, count("block_count", 1_000, OptionalLong.empty()), hidden,
                count("feed_forward_length", 1 << 18, OptionalLong.empty()), heads, rotary ? kvHeads : heads, headDim,
                vocabulary(), positions, isTied(), theta, rotary ? scaling(theta, headDim) : null,
                epsilon == 0 ? 1 : epsilon, slidingWindow(rotary, positions));
    }

    /// The window of all layers; 0 if each position sees all before it.
    private int slidingWindow(boolean rotary, int positions) {
        String key = "attention.sliding_window";
        if (values.whole(prefix + key).orElse(0) == 0) {
            return 0;
        }
        int window = count(key, 1 << 24, OptionalLong.empty());
        if (!rotary || values.has(prefix + key + "_pattern")) {
            faults.add("A sliding window in some layers only, or in GPT-2, is not supported.");
        }
        return window < positions ? window : 0;
    }

    /// Files of GPT-2 have the embedding a second time, as the head.
    private boolean isTied() {
        Optional<GgufTensor> head = file.find("output.weight");
        Optional<GgufTensor> embedding = file.find(EMBEDDING);
        return head.isEmpty() || (embedding.isPresent() && embedding.get().type() == head.get().type()
                && embedding.get().columns() == head.get().columns()
                && embedding.get().bytes().mismatch(head.get().bytes()) < 0);
    }

    private int vocabulary() {
        long rows = file.find(EMBEDDING).map(GgufTensor::rows).orElse(0L);
        if (rows < ByteTokenizer.BYTES || rows > 1 << 21) {
            faults.add("It has no embedding (token_embd.weight), or one of fewer than " + ByteTokenizer.BYTES
                    + " tokens.");
            return ByteTokenizer.BYTES;
        }
        return (int) rows;
    }

    /// A published scaling whose factors are those of the file.
    private @Nullable RopeScaling scaling(double theta, int headDim) {
        String type = values.text(prefix + "rope.scaling.type").orElse("none");
        Optional<GgufTensor> factors = file.find(ROPE_FACTORS);
        if (!type.equals("none")) {
            faults.add("RoPE scaling \"" + OneLine.of(type) + "\" is not supported.");
        }
        if (factors.isEmpty()) {
            return null;
        }
        if (factors.get().columns() != headDim / 2 || factors.get().rows() != 1) {
            faults.add(ROPE_FACTORS + " has another size than half a head.");
            return null;
        }
        float[] given = new float[headDim / 2];
        factors.get().row(0, given);
        Optional<RopeScaling> known =
                SCALINGS.stream().filter(scaling -> matches(scaling, theta, headDim, given)).findFirst();
        if (known.isEmpty()) {
            faults.add("The RoPE factors are none of Llama 3.1 and 3.2.");
        }
        return known.orElse(null);
    }

    private static boolean matches(RopeScaling scaling, double theta, int headDim, float[] given) {
        for (int i = 0; i < given.length; i++) {
            double frequency = Math.pow(theta, -2.0 * i / headDim);
            double wave = 2 * Math.PI / frequency;
            double longest = scaling.originalMaxPositions();
            double part = (longest / wave - scaling.lowFrequencyFactor())
                    / (scaling.highFrequencyFactor() - scaling.lowFrequencyFactor());
            double kept = Math.clamp(part, 0, 1);
            double factor = 1 / ((1 - kept) / scaling.factor() + kept);
            if (Math.abs(given[i] / factor - 1) > LARGEST_ERROR) {
                return false;
            }
        }
        return true;
    }

    private int count(String key, int most, OptionalLong otherwise) {
        OptionalLong value = values.whole(prefix + key);
        if (value.isEmpty() && otherwise.isEmpty()) {
            faults.add("\"" + prefix + key + "\" is missing.");
            return 1;
        }
        long count = value.isPresent() ? value.getAsLong() : otherwise.getAsLong();
        if (count < 1 || count > most) {
            faults.add("\"" + prefix + key + "\" is no count from 1 to " + most + ": " + count + ".");
            return 1;
        }
        return (int) count;
    }
}
