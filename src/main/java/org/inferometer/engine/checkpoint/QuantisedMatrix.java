package org.inferometer.engine.checkpoint;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.inferometer.engine.Precision;
import org.inferometer.engine.StoredTensor;

/// A matrix that a checkpoint has quantised. Thread-safe; valid until the checkpoint is closed.
sealed interface QuantisedMatrix permits Fp8Matrix, Int4Matrix {
    /// The engine format that has the same values.
    Precision precision();

    /// The values as the file has them, without scales.
    MemorySegment codes();

    /// Whether an engine of that format keeps every value exactly.
    ///
    /// @param groupColumns inputs of the engine's groups; 0 for FP8 with a scale for each output
    /// @param order of the inputs in the engine; empty for their own
    boolean isKept(int groupColumns, int[] order);

    /// The order of inputs in which those of a group follow each other; empty if they do so in their own.
    int[] groupOrder();

    /// Writes a row in FP32.
    void row(int row, float[] destination);

    /// Writes a row of one tensor of the engine's format; only where values are kept.
    ///
    /// @param order of the inputs in the engine; empty for their own
    /// @param destination little-endian
    /// @throws IllegalArgumentException if a value is not finite
    void stored(StoredTensor tensor, int row, int[] order, ByteBuffer destination);
}
