package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.StoredTensor.StoredPart;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.build.WeightSource;

/// A checkpoint's weights with inputs sorted by group. Rows whose outputs a down projection reads have its order. Thread-safe.
///
/// @param source whose [WeightSource#stored] gives rows in the order of their groups
record OrderedWeights(WeightSource source, InputOrders orders) implements WeightSource {
    @Override
    public WeightOrigin origin() {
        return source.origin();
    }

    @Override
    public Optional<WeightSources> sources() throws IOException {
        return source.sources();
    }

    @Override
    public Optional<String> fingerprint() throws IOException {
        return source.fingerprint().map(weights -> weights + " sorted by group");
    }

    @Override
    public void prepare(WeightSpec weight) {
        source.prepare(weight);
    }

    @Override
    public void release(WeightSpec weight) {
        source.release(weight);
    }

    @Override
    public boolean stored(StoredTensor tensor, int row, ByteBuffer destination) {
        if (tensor.part() == StoredPart.INPUT_ORDER) {
            for (int input : orders.of(tensor.weight())) {
                destination.putInt(input);
            }
            return true;
        }
        return source.stored(tensor, sourceRow(tensor.weight(), row), destination);
    }

    @Override
    public void row(WeightSpec weight, int row, float[] destination) {
        boolean vector = weight.rows() == 1;
        source.row(weight, vector ? row : sourceRow(weight, row), destination);
        int[] order = vector ? orders.ofOutputs(weight) : orders.ofInputs(weight);
        if (order.length > 0) {
            float[] own = destination.clone();
            for (int place = 0; place < order.length; place++) {
                destination[place] = own[order[place]];
            }
        }
    }

    private int sourceRow(WeightSpec weight, int row) {
        int[] order = orders.ofOutputs(weight);
        return order.length == 0 ? row : order[row];
    }
}
