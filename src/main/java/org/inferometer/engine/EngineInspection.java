package org.inferometer.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.inferometer.engine.safetensors.SafetensorsDtype;
import org.inferometer.engine.safetensors.SafetensorsLayout;
import org.inferometer.engine.safetensors.TensorEntry;
import org.inferometer.engine.safetensors.TensorSpec;

/// Sizes, memory needs and tensors of an engine. Reads no weights.
///
/// @param origin "synthetic weights (seed 42)"
/// @param bitsPerWeight bits of all tensors, scales and vectors included, divided by the number of parameters
/// @param layout description of the storage of matrices
/// @param tensors in file order
public record EngineInspection(String model, WeightFormats formats, String origin, ModelShape shape, long parameters,
        double bitsPerWeight, MemoryNeeds memory, String layout, List<TensorView> tensors) {

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

    /// Inspects an open engine.
    public static EngineInspection of(Engine engine) {
        EngineDescriptor descriptor = engine.descriptor();
        return of(descriptor.model(), descriptor.shape(), descriptor.formats(), descriptor.origin());
    }

    /// Describes an engine of this shape and these formats before it is built.
    public static EngineInspection of(String model, ModelShape shape, WeightFormats formats,
            EngineDescriptor.WeightOrigin origin) {
        List<StoredTensor> stored = StoredTensor.of(shape, formats);
        SafetensorsLayout file = StoredTensor.layout(stored);
        var byName = StoredTensor.byName(stored);
        List<TensorView> views = new ArrayList<>();
        long tensorBytes = 0;
        long stepBytes = 0;
        for (TensorEntry entry : file.entries()) {
            TensorSpec spec = entry.spec();
            StoredTensor tensor = Objects.requireNonNull(byName.get(spec.name()));
            tensorBytes += entry.bytes();
            stepBytes += lookedUpOnly(tensor.weight(), shape) ? 0 : entry.bytes();
            views.add(new TensorView(spec.name(), tensor.weight().name(), spec.dtype(), spec.shape(), entry.begin(),
                    entry.bytes(), TensorDescription.of(tensor, shape)));
        }
        long parameters = ModelLayout.parameters(shape);
        return new EngineInspection(model, formats, originText(origin), shape, parameters,
                8.0 * tensorBytes / parameters,
                new MemoryNeeds(file.fileBytes(), stepBytes, shape.kvElementsPerToken()),
                TensorDescription.layout(formats), List.copyOf(views));
    }

    private static boolean lookedUpOnly(WeightSpec weight, ModelShape shape) {
        return switch (weight.role()) {
            case POSITIONS -> true;
            case EMBEDDING -> !shape.tiedHead();
            case NORM_WEIGHT, NORM_BIAS, PROJECTION, RESIDUAL_PROJECTION, PROJECTION_BIAS, HEAD -> false;
        };
    }

    /// "synthetic weights (seed 42)" or "checkpoint NAME".
    public static String originText(EngineDescriptor.WeightOrigin origin) {
        return origin.synthetic() ? "synthetic weights (seed " + origin.syntheticSeed() + ")"
                : "checkpoint " + origin.checkpoint();
    }
}
