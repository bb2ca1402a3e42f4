package org.inferometer.execution.check;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.PinnedMemory;

/// Device memory with random numbers, because a GPU draws less power and clocks higher on zeros. Used by one thread with
/// the device's context current.
final class DeviceFill implements AutoCloseable {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final long SEED = 1;

    private final DeviceMemory memory;
    private final PinnedMemory block = new PinnedMemory(BLOCK_BYTES);
    private final DeviceStream stream;

    /// Numbers of a size that a model has; none is infinite or NaN.
    enum Numbers {
        /// 2^-7 to 2, both signs.
        BF16(0x83ff83ff83ff83ffL, 0x3c003c003c003c00L), F16(0x9fff9fff9fff9fffL, 0x2000200020002000L),
        FLOAT(0x83ffffff83ffffffL, 0x3c0000003c000000L),
        /// E4M3 codes up to 1.875.
        FP8(0xbfbfbfbfbfbfbfbfL, 0), INT4(-1L, 0),
        /// 2^-3 to 1.
        KV_SCALES(0x0303030303030303L, 0x7c7c7c7c7c7c7c7cL),
        /// FP16 scale 0.01 and BF16 of minus (128 + zero point 8) of an INT4 group.
        INT4_SCALES(0, 0xc308211fc308211fL);

        private final long random;
        private final long fixed;

        Numbers(long random, long fixed) {
            this.random = random;
            this.fixed = fixed;
        }
    }

    /// @param memory owner of the allocations
    DeviceFill(DeviceMemory memory) {
        this.memory = memory;
        this.stream = new DeviceStream(0);
    }

    /// Allocates and fills.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    DeviceAddress take(Numbers numbers, long bytes) throws ExecutorException {
        Random random = new Random(SEED);
        MemorySegment words = block.segment();
        for (int at = 0; at < BLOCK_BYTES; at += Long.BYTES) {
            words.set(ValueLayout.JAVA_LONG, at, (random.nextLong() & numbers.random) | numbers.fixed);
        }
        return sent(bytes);
    }

    /// Allocates and fills with normally distributed FP32 numbers, as logits are.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    DeviceAddress normal(double deviation, long count) throws ExecutorException {
        Random random = new Random(SEED);
        MemorySegment floats = block.segment();
        for (int at = 0; at < BLOCK_BYTES; at += Float.BYTES) {
            floats.set(ValueLayout.JAVA_FLOAT, at, (float) (deviation * random.nextGaussian()));
        }
        return sent(Float.BYTES * count);
    }

    /// Allocates and copies 32-bit integers.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    DeviceAddress integers(int... values) throws ExecutorException {
        DeviceAddress to = memory.take(DeviceMemory.Owner.WORKSPACE, (long) Integer.BYTES * values.length);
        int most = BLOCK_BYTES / Integer.BYTES;
        for (int from = 0; from < values.length; from += most) {
            int count = Math.min(most, values.length - from);
            MemorySegment.copy(values, from, block.segment(), ValueLayout.JAVA_INT, 0, count);
            copy(to.plus((long) Integer.BYTES * from), (long) Integer.BYTES * count);
        }
        return to;
    }

    private DeviceAddress sent(long bytes) throws ExecutorException {
        DeviceAddress to = memory.take(DeviceMemory.Owner.WORKSPACE, bytes);
        for (long at = 0; at < bytes; at += BLOCK_BYTES) {
            copy(to.plus(at), Math.min(BLOCK_BYTES, bytes - at));
        }
        return to;
    }

    private void copy(DeviceAddress to, long bytes) {
        stream.send(block, to, bytes);
        stream.await();
    }

    @Override
    public void close() {
        stream.close();
        block.close();
    }
}
