package org.inferometer.quantising;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.build.WeightSource;

/// A model's weights, changed so that rounding them to INT4 disturbs its outputs less. Thread-safe.
final class AwqWeights implements WeightSource {
    private final WeightSource source;
    private final Map<String, AwqChange> changes;

    AwqWeights(WeightSource source, Map<String, AwqChange> changes) {
        this.source = source;
        this.changes = Map.copyOf(changes);
    }

    @Override
    public WeightOrigin origin() {
        return source.origin();
    }

    @Override
    public Optional<WeightSources> sources() throws IOException {
        return source.sources();
    }

    @Override
    public WeightFormats formats(Precision precision) {
        return AwqQuantiser.FORMATS;
    }

    @Override
    public void row(WeightSpec weight, int row, float[] destination) {
        source.row(weight, row, destination);
        AwqChange change = changes.get(weight.name());
        if (change != null) {
            change.apply(row, weight.rows() == 1, destination);
        }
    }
}
