package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.ModelLayout;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.build.WeightSource;
import org.inferometer.engine.checkpoint.CheckpointTensors.Tensor;
import org.inferometer.engine.checkpoint.TensorNames.Place;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.safetensors.SafetensorsDtype;

/// The weights of a checkpoint row by row: in BF16, F16 or F32, widened exactly, or quantised.
final class CheckpointWeights implements WeightSource {
    private final String name;
    private final Map<String, Found> byWeight;
    private final QuantisedWeights quantised;
    private final SourceIndex sources;

    private record Found(Place place, FloatTensor values) {}

    private CheckpointWeights(String name, Map<String, Found> byWeight, QuantisedWeights quantised,
            SourceIndex sources) {
        this.name = name;
        this.byWeight = byWeight;
        this.quantised = quantised;
        this.sources = sources;
    }

    /// The weights of a model, all of which are found and have the right shape.
    ///
    /// @param name of the checkpoint, for the engine's origin
    /// @param quantisation how its projections are quantised
    /// @throws EngineFormatException with what is missing or wrong
    static CheckpointWeights of(String name, ModelShape shape, CheckpointTensors tensors, Quantisation quantisation)
            throws EngineFormatException {
        Path folder = tensors.folder();
        TensorNames names = TensorNames.of(shape, tensors)
                .orElseThrow(() -> new EngineFormatException(folder,
                        "It has no embedding of a " + shape.family().label() + " model.",
                        "Give a checkpoint of the transformers library."));
        Map<String, Found> byWeight = new HashMap<>();
        Map<WeightSpec, QuantisedMatrix> quantised = new HashMap<>();
        SourceIndex sources = new SourceIndex();
        List<WeightSpec> specs = ModelLayout.of(shape);
        List<String> faults = new ArrayList<>();
        names.layerBeyond(tensors).ifPresent(faults::add);
        QuantisedTensors search = new QuantisedTensors(quantisation, tensors, faults);
        for (WeightSpec weight : specs) {
            Place place = names.of(weight);
            int faultsBefore = faults.size();
            Optional<QuantisedMatrix> matrix = weight.rows() == 1 ? Optional.empty() : search.find(place, weight);
            if (matrix.isPresent() || faults.size() > faultsBefore) {
                matrix.ifPresent(found -> quantised.put(weight, found));
                search.codes(place.tensor()).ifPresent(
                        codes -> sources.add(weight.name(), codes.file(), codes.name(), quantisation.method()));
                continue;
            }
            Optional<Tensor> tensor = tensors.find(place.tensor());
            Optional<String> fault =
                    tensor.isEmpty() ? Optional.of(place.tensor() + " is missing.") : fault(place, tensor.get());
            fault.ifPresent(faults::add);
            if (fault.isEmpty()) {
                Tensor found = tensor.orElseThrow();
                byWeight.put(weight.name(), new Found(place, FloatTensor.of(found)));
                sources.add(weight.name(), found.file(), found.name(), found.entry().spec().dtype().name());
            }
        }
        if (!faults.isEmpty()) {
            throw EngineFormatException.ofFirst(folder, faults,
                    "Give a whole checkpoint whose config.json is its own.");
        }
        return new CheckpointWeights(name, byWeight, QuantisedWeights.of(quantisation, specs, quantised), sources);
    }

    private static Optional<String> fault(Place place, Tensor tensor) {
        if (!tensor.entry().spec().shape().equals(place.shape())) {
            return Optional.of(place.tensor() + " has the shape " + tensor.entry().spec().shape() + ", not "
                    + place.shape() + ".");
        }
        SafetensorsDtype dtype = tensor.entry().spec().dtype();
        return FloatTensor.isFloat(dtype) ? Optional.empty()
                : Optional.of(place.tensor() + " has the type " + dtype + ", none of BF16, F16 and F32.");
    }

    @Override
    public WeightOrigin origin() {
        return new WeightOrigin(null, name);
    }

    @Override
    public WeightFormats formats(Precision precision) {
        return quantised.formats(precision);
    }

    @Override
    public WeightSource inFormats(WeightFormats formats) {
        InputOrders orders = quantised.orders(formats.projections());
        return orders.isEmpty() ? this : new OrderedWeights(this, orders);
    }

    @Override
    public Precision ownPrecision() {
        return quantised.precision();
    }

    @Override
    public Optional<String> treatment(WeightFormats formats) {
        return quantised.treatment(formats.projections());
    }

    @Override
    public Optional<WeightSources> sources() throws IOException {
        return Optional.of(sources.read());
    }

    @Override
    public Optional<String> fingerprint() throws IOException {
        return Optional.of(sources.fingerprint() + quantised.method());
    }

    /// Inputs are sorted by group where the checkpoint has act-order.
    @Override
    public boolean stored(StoredTensor tensor, int row, ByteBuffer destination) {
        try {
            return quantised.stored(tensor, row, destination);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(sources.place(tensor.weight().name()) + ": " + wrong.getMessage(),
                    wrong);
        }
    }

    @Override
    public void prepare(WeightSpec weight) {
        Found found = byWeight.get(weight.name());
        if (found != null) {
            found.values.prepare();
        }
    }

    @Override
    public void release(WeightSpec weight) {
        Found found = byWeight.get(weight.name());
        if (found != null) {
            found.values.release();
        }
        quantised.release(weight);
    }

    @Override
    public void row(WeightSpec weight, int row, float[] destination) {
        if (quantised.row(weight, row, destination)) {
            if (!FloatTensor.isFinite(destination)) {
                throw notFinite(weight);
            }
            return;
        }
        Found found = byWeight.get(weight.name());
        if (found == null) {
            throw new IllegalArgumentException("no such weight");
        }
        Place place = found.place;
        int columns = weight.columns();
        boolean finite;
        if (place.transposed()) {
            long outputs = place.shape().getLast();
            for (int column = 0; column < columns; column++) {
                destination[column] = found.values.at(column * outputs + place.first() + row);
            }
            finite = FloatTensor.isFinite(destination);
        } else {
            finite = found.values.read((long) row * columns + place.first(), destination);
        }
        if (!finite) {
            throw notFinite(weight);
        }
    }

    private IllegalArgumentException notFinite(WeightSpec weight) {
        return new IllegalArgumentException(sources.place(weight.name()) + " has a NaN or infinite value");
    }
}
