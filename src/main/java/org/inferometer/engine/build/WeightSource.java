package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.Precision;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSpec;

/// A source of weights, row by row. Thread-safe.
public interface WeightSource {
    /// The origin, for the descriptor.
    WeightOrigin origin();

    /// Where the weights are read from; hashes the files, so that it takes as long as to read them. Empty for weights of no file.
    default Optional<WeightSources> sources() throws IOException {
        return Optional.empty();
    }

    /// Tells sources with other weights apart, without reading all of them; a build goes on only with an equal one. Empty for
    /// weights whose builds begin again.
    default Optional<String> fingerprint() throws IOException {
        return Optional.empty();
    }

    /// Writes one row of a weight, not quantised.
    ///
    /// @param destination `[columns]`, overwritten with finite values
    void row(WeightSpec weight, int row, float[] destination);

    /// Writes one row of a tensor exactly as the source has it.
    ///
    /// @param destination little-endian
    /// @return whether the source has the tensor in this form; nothing is written otherwise
    default boolean stored(StoredTensor tensor, int row, ByteBuffer destination) {
        return false;
    }

    /// All rows of a weight are read now; they may be read from the disk in one go.
    default void prepare(WeightSpec weight) {}

    /// A weight is not read soon again; its memory may be given back.
    default void release(WeightSpec weight) {}

    /// The formats of an engine of this precision.
    default WeightFormats formats(Precision precision) {
        return WeightFormats.all(precision);
    }

    /// The source for an engine of these formats, which may have rows and columns of weights in another order.
    ///
    /// @param formats from [#formats]
    default WeightSource inFormats(WeightFormats formats) {
        return this;
    }

    /// The precision that keeps most of the source's values.
    default Precision ownPrecision() {
        return Precision.BF16;
    }

    /// What becomes of values that the source has quantised already, in sentences; empty if it has none.
    ///
    /// @param formats of the engine
    default Optional<String> treatment(WeightFormats formats) {
        return Optional.empty();
    }
}
