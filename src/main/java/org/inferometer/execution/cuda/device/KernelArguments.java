package org.inferometer.execution.cuda.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.jspecify.annotations.Nullable;

/// The argument struct of a kernel in memory that the driver reads; a launch allocates nothing.
///
/// Lives as long as its arena. Used by one thread at a time.
public final class KernelArguments {
    private final KernelStruct struct;
    private final MemorySegment values;
    private final MemorySegment addresses;
    private final Pointer table;

    private KernelArguments(KernelStruct struct, Arena arena, MemorySegment values) {
        this.struct = struct;
        this.values = values;
        addresses = arena.allocateFrom(ValueLayout.JAVA_LONG, values.address());
        table = Pointer.to(addresses.asByteBuffer());
    }

    public static Builder of(KernelStruct struct, Arena arena) {
        return new Builder(struct, arena);
    }

    /// A number that changes between launches.
    public final class IntSlot {
        private final int offset;

        private IntSlot(int offset) {
            this.offset = offset;
        }

        /// Changes the number of later launches.
        public void set(int value) {
            values.set(ValueLayout.JAVA_INT, offset, value);
        }
    }

    /// A 64-bit number or an address that changes between launches.
    public final class LongSlot {
        private final int offset;

        private LongSlot(int offset) {
            this.offset = offset;
        }

        /// Changes the number of later launches.
        public void set(long value) {
            values.set(ValueLayout.JAVA_LONG, offset, value);
        }
    }

    public IntSlot integer(String name) {
        KernelStruct.Field field = struct.field(name);
        if (field.type() != KernelStruct.Type.INT) {
            throw new IllegalArgumentException(name + " is not an int");
        }
        return new IntSlot(field.offset());
    }

    public LongSlot wide(String name) {
        KernelStruct.Field field = struct.field(name);
        if (field.type().bytes() != Long.BYTES) {
            throw new IllegalArgumentException(name + " does not have 64 bits");
        }
        return new LongSlot(field.offset());
    }

    /// Enqueues a kernel of this struct.
    ///
    /// @throws CudaFailure if a driver call fails
    public void launch(Kernel kernel, DeviceStream stream, int blocksX, int blocksY, int blocksZ) {
        DependentLaunch dependent = kernel.dependent();
        CudaFailure.require(kernel.name(),
                dependent == null
                        ? JCudaDriver.cuLaunchKernel(kernel.function(), blocksX, blocksY, blocksZ, kernel.threads(), 1,
                                1, kernel.sharedBytes(), stream, table, null)
                        : dependent.enqueue(kernel, stream, addresses, blocksX, blocksY, blocksZ));
    }

    /// Collects the fields, in any order; each is set once. Fields of a nested struct follow [#in].
    public static final class Builder {
        private final KernelStruct struct;
        private final Arena arena;
        private final MemorySegment values;
        private final Set<String> missing = new HashSet<>();
        private String prefix = "";

        private Builder(KernelStruct struct, Arena arena) {
            this.struct = struct;
            this.arena = arena;
            values = arena.allocate(struct.bytes(), Long.BYTES);
            struct.fields().forEach(field -> missing.add(field.name()));
        }

        /// The next fields belong to the nested struct of this name, or with an empty name to the struct itself.
        public Builder in(String nested) {
            prefix = nested.isEmpty() ? "" : nested + ".";
            return this;
        }

        public Builder address(String name, DeviceAddress address) {
            return wide(name, KernelStruct.Type.POINTER, address.value());
        }

        /// A null address.
        public Builder none(String name) {
            return wide(name, KernelStruct.Type.POINTER, 0);
        }

        public Builder optional(String name, @Nullable DeviceAddress address) {
            return address == null ? none(name) : address(name, address);
        }

        public Builder bytes(String name, long value) {
            return wide(name, KernelStruct.Type.LONG_LONG, value);
        }

        public Builder integer(String name, int value) {
            values.set(ValueLayout.JAVA_INT, offset(name, KernelStruct.Type.INT), value);
            return this;
        }

        public Builder real(String name, float value) {
            values.set(ValueLayout.JAVA_FLOAT, offset(name, KernelStruct.Type.FLOAT), value);
            return this;
        }

        private Builder wide(String name, KernelStruct.Type type, long value) {
            values.set(ValueLayout.JAVA_LONG, offset(name, type), value);
            return this;
        }

        private int offset(String name, KernelStruct.Type type) {
            KernelStruct.Field field = struct.field(prefix + name);
            if (field.type() != type || !missing.remove(field.name())) {
                throw new IllegalArgumentException(
                        struct.source() + "." + field.name() + " is " + field.type() + " and is set once");
            }
            return field.offset();
        }

        /// @throws IllegalStateException if a field was not set
        public KernelArguments build() {
            if (!missing.isEmpty()) {
                throw new IllegalStateException(struct.source() + " lacks " + missing);
            }
            return new KernelArguments(struct, arena, values);
        }
    }
}
