package org.inferometer.quantising;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.build.WeightSource;
import org.inferometer.engine.files.Sha256;

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

    /// That of the source with the scales and cuts that were found.
    @Override
    public Optional<String> fingerprint() throws IOException {
        MessageDigest digest = Sha256.digest();
        new TreeMap<>(changes).forEach((weight, change) -> {
            digest.update(weight.getBytes(StandardCharsets.UTF_8));
            change.describe(digest);
        });
        String found = HexFormat.of().formatHex(digest.digest());
        return source.fingerprint().map(weights -> weights + " awq " + found);
    }

    @Override
    public WeightFormats formats(Precision precision) {
        return AwqQuantiser.FORMATS;
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
    public void row(WeightSpec weight, int row, float[] destination) {
        source.row(weight, row, destination);
        AwqChange change = changes.get(weight.name());
        if (change != null) {
            change.apply(row, weight.rows() == 1, destination);
        }
    }
}
