package org.inferometer.engine;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.safetensors.SafetensorsDtype;
import org.inferometer.engine.safetensors.SafetensorsLayout;
import org.inferometer.engine.safetensors.TensorSpec;
import org.inferometer.engine.safetensors.TensorSpec.TensorEntry;
import org.jspecify.annotations.Nullable;

/// Sizes, memory needs and tensors of an engine. Reads no weights.
///
/// @param source where the weights come from
/// @param bitsPerWeight bits of all tensors, scales and vectors included, divided by the number of parameters
/// @param layout description of the storage of matrices
/// @param parts sizes, in the order of the enumeration
/// @param tensors in file order
/// @param sources absent if the weights are synthetic, not built yet, or built by an older version
public record EngineInspection(String model, WeightFormats formats, @JsonIgnore EngineDescriptor.WeightOrigin source,
        ModelShape shape, long parameters, double bitsPerWeight, MemoryNeeds memory, String layout,
        List<PartSize> parts, List<TensorView> tensors,
        @JsonInclude(Include.NON_NULL) @Nullable WeightSources sources) {

    /// The size of a part.
    ///
    /// @param bytes with scales, zero points and orders of inputs
    /// @param scaleBytes scales, zero points and orders of inputs alone
    public record PartSize(ModelPart part, long bytes, long scaleBytes) {}

    /// Memory needs without activations.
    ///
    /// @param weightBytes size of the weights file
    /// @param weightBytesPerDecodeStep weights that one decode step reads: all except an embedding that is only looked
    ///     up
    /// @param kvElementsPerToken keys and values of one position over all layers, in elements
    public record MemoryNeeds(long weightBytes, long weightBytesPerDecodeStep, long kvElementsPerToken) {
        /// KV bytes per position for this element size.
        public long kvBytesPerToken(int elementBytes) {
            return kvElementsPerToken * elementBytes;
        }
    }

    /// One tensor of the file.
    ///
    /// @param weight the weight it belongs to; its own name except for scales and zero points
    /// @param offset of its first byte after the header
    /// @param meaning description of its purpose
    public record TensorView(String name, String weight, SafetensorsDtype dtype, List<Long> shape, long offset,
            long bytes, String meaning) {}

    /// The format of the projections, which names the engine.
    public Precision precision() {
        return formats.projections();
    }

    /// The source as text: "synthetic weights (seed 42)".
    @JsonProperty
    public String origin() {
        return originText(source);
    }

    /// Inspects an open engine.
    ///
    /// @throws EngineFormatException if its list of sources is broken
    public static EngineInspection of(Engine engine) throws EngineFormatException {
        EngineDescriptor descriptor = engine.descriptor();
        return of(descriptor.model(), descriptor.shape(), descriptor.formats(), descriptor.origin(),
                WeightSources.FILE.read(engine.folder()).orElse(null));
    }

    /// Describes an engine of this shape and these formats before it is built.
    public static EngineInspection of(String model, ModelShape shape, WeightFormats formats,
            EngineDescriptor.WeightOrigin origin) {
        return of(model, shape, formats, origin, null);
    }

    private static EngineInspection of(String model, ModelShape shape, WeightFormats formats,
            EngineDescriptor.WeightOrigin origin, @Nullable WeightSources sources) {
        List<StoredTensor> stored = StoredTensor.of(shape, formats);
        SafetensorsLayout file = StoredTensor.layout(stored);
        var byName = StoredTensor.byName(stored);
        List<TensorView> views = new ArrayList<>();
        Map<ModelPart, PartSize> parts = new EnumMap<>(ModelPart.class);
        long tensorBytes = 0;
        long stepBytes = 0;
        for (TensorEntry entry : file.entries()) {
            TensorSpec spec = entry.spec();
            StoredTensor tensor = Objects.requireNonNull(byName.get(spec.name()));
            tensorBytes += entry.bytes();
            ModelPart part = ModelPart.of(tensor.weight());
            parts.merge(part, new PartSize(part, entry.bytes(), tensor.part().isValues() ? 0 : entry.bytes()),
                    (a, b) -> new PartSize(part, a.bytes + b.bytes, a.scaleBytes + b.scaleBytes));
            stepBytes += lookedUpOnly(tensor.weight(), shape) ? 0 : entry.bytes();
            views.add(new TensorView(spec.name(), tensor.weight().name(), spec.dtype(), spec.shape(), entry.begin(),
                    entry.bytes(), TensorDescription.of(tensor, shape)));
        }
        long parameters = ModelLayout.parameters(shape);
        return new EngineInspection(model, formats, origin, shape, parameters, 8.0 * tensorBytes / parameters,
                new MemoryNeeds(file.fileBytes(), stepBytes, shape.kvElementsPerToken()),
                TensorDescription.layout(formats), List.copyOf(parts.values()), List.copyOf(views), sources);
    }

    private static boolean lookedUpOnly(WeightSpec weight, ModelShape shape) {
        return switch (weight.role()) {
            case POSITIONS -> true;
            case EMBEDDING -> !shape.tiedHead();
            case NORM_WEIGHT, NORM_BIAS, PROJECTION, RESIDUAL_PROJECTION, PROJECTION_BIAS, HEAD, INPUT_ORDER -> false;
        };
    }

    /// "synthetic weights (seed 42)" or "checkpoint NAME".
    public static String originText(EngineDescriptor.WeightOrigin origin) {
        return origin.synthetic() ? "synthetic weights (seed " + origin.syntheticSeed() + ")"
                : "checkpoint " + origin.checkpoint();
    }

    /// A part of a model.
    public enum ModelPart {
        EMBEDDING("embedding"), ATTENTION("attention"), FEED_FORWARD("feed-forward"), NORMS("norms"),
        HEAD("output head");

        private final String label;

        ModelPart(String label) {
            this.label = label;
        }

        /// For people: "feed-forward".
        public String label() {
            return label;
        }

        static ModelPart of(WeightSpec weight) {
            return switch (weight.role()) {
                case EMBEDDING, POSITIONS -> EMBEDDING;
                case HEAD -> HEAD;
                case NORM_WEIGHT, NORM_BIAS -> NORMS;
                case PROJECTION, RESIDUAL_PROJECTION, PROJECTION_BIAS, INPUT_ORDER ->
                    weight.name().contains(".attn.") ? ATTENTION : FEED_FORWARD;
            };
        }
    }
}
