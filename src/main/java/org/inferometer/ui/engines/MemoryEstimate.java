package org.inferometer.ui.engines;

import java.util.List;
import org.inferometer.engine.EngineInspection;

/// Memory that an engine needs for a number of full sequences, without activations.
///
/// @param weightBytes of its file
/// @param kvBytes keys and values of all positions
/// @param machineBytes memory of the machine
record MemoryEstimate(long weightBytes, long kvBytes, long machineBytes) {
    /// How an element of the KV cache is stored.
    enum KvType {
        FP32(4), BF16(2), FP8(1);

        private final int bytes;

        KvType(int bytes) {
            this.bytes = bytes;
        }
    }

    static final List<Integer> SEQUENCES = List.of(1, 4, 8, 16, 32, 64, 128, 256);

    static MemoryEstimate of(EngineInspection engine, int sequences, int positions, KvType type, long machineBytes) {
        return new MemoryEstimate(engine.memory().weightBytes(),
                Math.multiplyExact(engine.memory().kvBytesPerToken(type.bytes), (long) sequences * positions),
                machineBytes);
    }

    long totalBytes() {
        return weightBytes + kvBytes;
    }

    boolean fits() {
        return totalBytes() <= machineBytes;
    }
}
