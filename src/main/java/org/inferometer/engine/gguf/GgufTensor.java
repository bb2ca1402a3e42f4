package org.inferometer.engine.gguf;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// A tensor of a file, valid until the file is closed. Any thread may read.
///
/// @param file that holds it
/// @param columns values of a row
/// @param rows 1 for vectors
public record GgufTensor(Path file, String name, GgufType type, long columns, long rows, MemorySegment bytes) {
    /// Widens a row to FP32.
    ///
    /// @param to `[columns]`
    public void row(long row, float[] to) {
        long rowBytes = type.bytes(columns);
        GgufBlocks.widen(type, bytes.asSlice(row * rowBytes, rowBytes), to);
    }

    /// Widens values of a vector, from a first one on.
    public void values(int first, float[] to) {
        float[] all = new float[(int) columns];
        row(0, all);
        System.arraycopy(all, first, to, 0, to.length);
    }
}
