package org.inferometer.engine.build;

import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.WeightSpec;

/// A source of unquantised weights, row by row. Thread-safe.
public interface WeightSource {
    /// The origin, for the descriptor.
    WeightOrigin origin();

    /// Writes one row of a weight.
    ///
    /// @param destination `[columns]`, overwritten with finite values
    void row(WeightSpec weight, int row, float[] destination);
}
