package org.inferometer.engine.build;

import org.inferometer.engine.EngineDescriptor.WeightOrigin;
import org.inferometer.engine.WeightSpec;

/// Where the unquantised weights of a build come from, row by row. Implementations are safe to share between threads.
interface WeightSource {
    /// Where they come from, for the descriptor.
    WeightOrigin origin();

    /// Writes one row of a weight.
    ///
    /// @param destination `[columns]`, overwritten with finite values
    void row(WeightSpec weight, int row, float[] destination);
}
