package org.inferometer.execution.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/// The arguments of a kernel in memory that the driver reads; a launch allocates nothing.
///
/// Lives as long as its arena. Used by one thread at a time.
final class KernelArguments {
    private final MemorySegment values;
    private final Pointer table;

    private KernelArguments(Arena arena, List<Long> bits) {
        values = arena.allocate(Long.BYTES * (long) bits.size(), Long.BYTES);
        MemorySegment addresses = arena.allocate(Long.BYTES * (long) bits.size(), Long.BYTES);
        for (int i = 0; i < bits.size(); i++) {
            values.setAtIndex(ValueLayout.JAVA_LONG, i, bits.get(i));
            addresses.setAtIndex(ValueLayout.JAVA_LONG, i, values.address() + Long.BYTES * (long) i);
        }
        table = Pointer.to(addresses.asByteBuffer());
    }

    static Builder of(Arena arena) {
        return new Builder(arena);
    }

    /// Changes an argument of later launches.
    void set(int index, int value) {
        values.setAtIndex(ValueLayout.JAVA_INT, 2L * index, value);
    }

    /// Changes a 64-bit argument or an address.
    void set(int index, long value) {
        values.setAtIndex(ValueLayout.JAVA_LONG, index, value);
    }

    /// Enqueues a kernel; extra arguments are ignored.
    ///
    /// @throws CudaFailure if a driver call fails
    void launch(Kernel kernel, CUstream stream, int blocksX, int blocksY, int blocksZ) {
        CudaFailure.require(kernel.name(), JCudaDriver.cuLaunchKernel(kernel.function(), blocksX, blocksY, blocksZ,
                kernel.threads(), 1, 1, kernel.sharedBytes(), stream, table, null));
    }

    /// Collects arguments in the kernel's order.
    static final class Builder {
        private final Arena arena;
        private final List<Long> bits = new ArrayList<>();

        private Builder(Arena arena) {
            this.arena = arena;
        }

        Builder address(DeviceAddress address) {
            bits.add(address.value());
            return this;
        }

        /// A null address.
        Builder none() {
            bits.add(0L);
            return this;
        }

        Builder optional(@Nullable DeviceAddress address) {
            return address == null ? none() : address(address);
        }

        Builder integer(int value) {
            bits.add(Integer.toUnsignedLong(value));
            return this;
        }

        Builder bytes(long value) {
            bits.add(value);
            return this;
        }

        Builder real(float value) {
            return integer(Float.floatToRawIntBits(value));
        }

        KernelArguments build() {
            return new KernelArguments(arena, bits);
        }
    }
}
