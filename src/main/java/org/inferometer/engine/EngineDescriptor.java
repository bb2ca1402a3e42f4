package org.inferometer.engine;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.jspecify.annotations.Nullable;

/// The content of `engine.json`.
///
/// @param model name without the precision: "tiny" of "tiny-fp8"
/// @param defaults limits that experiments without their own take
/// @param parameters number of weights before quantisation
/// @param weightBytes size of `weights.safetensors`
/// @param weightsSha256 hex digest of `weights.safetensors`
public record EngineDescriptor(int formatVersion, String name, String model, ModelShape shape, WeightFormats formats,
        WeightOrigin origin, EngineText text, EngineDefaults defaults, long parameters, long weightBytes,
        String weightsSha256) {

    /// The format of its projections, which names it.
    public Precision precision() {
        return formats.projections();
    }

    /// The origin of the weights; exactly one component is given.
    ///
    /// @param syntheticSeed seed of synthetic weights, which have the right sizes only
    /// @param checkpoint name of the checkpoint folder, without its path
    public record WeightOrigin(@Nullable Long syntheticSeed, @Nullable String checkpoint) {
        /// Whether the weights are random; always shown with the engine.
        public boolean synthetic() {
            return syntheticSeed != null;
        }
    }

    /// How an engine's tokens become text, and which of them end an answer.
    ///
    /// @param tokenizer its name: "bytes", "huggingface", "none"
    /// @param sha256 hex digest of `tokenizer.json`; empty without one
    /// @param endTokens ids after which the model's answer ends, ascending; empty if they are not known
    public record EngineText(String tokenizer, String sha256, List<Integer> endTokens) {
        /// Of engines with synthetic weights.
        public static final EngineText BYTES = new EngineText(ByteTokenizer.NAME, "", List.of());

        public EngineText {
            endTokens = List.copyOf(endTokens);
        }
    }

    /// Limits that an engine was built with; an experiment that gives none of its own takes them.
    ///
    /// @param maxBatchSize requests in a step; 0 for what the workload can use
    /// @param maxLength positions of a request; 0 for what the workload can reach
    public record EngineDefaults(int maxBatchSize, int maxLength) {
        /// Neither is given.
        public static final EngineDefaults NONE = new EngineDefaults(0, 0);
        /// The largest limits that are accepted.
        public static final int MOST_BATCH_SIZE = 65_536;
        public static final int MOST_LENGTH = ShapeFields.MOST_POSITIONS;

        /// "at most 8 requests in a step, 512 positions of a request"; empty without any.
        public String text() {
            List<String> texts = new ArrayList<>();
            if (maxBatchSize > 0) {
                texts.add(maxBatchSize + (maxBatchSize == 1 ? " request" : " requests") + " in a step");
            }
            if (maxLength > 0) {
                texts.add(maxLength + " positions of a request");
            }
            return texts.isEmpty() ? "" : "at most " + String.join(", ", texts);
        }
    }
}
