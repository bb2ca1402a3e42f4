package org.inferometer.execution.cuda.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;

/// Programmatic dependent launch: the blocks of a kernel may start while the kernel before them in the stream ends. The
/// kernel itself waits for that one before it reads or writes what other kernels write (`awaitPredecessor`, device.h).
///
/// Layouts are those of cuda.h for 64-bit systems. Used by one thread; a launch allocates nothing.
public final class DependentLaunch {
    /// CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.
    private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;
    /// CUlaunchAttribute: its number, and from byte 8 a union of 64 bytes.
    private static final int ATTRIBUTE_BYTES = 72;
    private static final int ATTRIBUTE_VALUE = 8;
    /// CUlaunchConfig: seven ints, which are grid, block and shared memory, then the members below.
    private static final int CONFIGURATION_BYTES = 56;
    private static final int THREADS = 3;
    private static final int SHARED_BYTES = 6;
    private static final int STREAM = 32;
    private static final int ATTRIBUTES = 40;
    private static final int ATTRIBUTE_COUNT = 48;

    private final LaunchFunction function;
    private final MemorySegment configuration;

    /// @param arena lives as long as this
    public DependentLaunch(LaunchFunction function, Arena arena) {
        this.function = function;
        MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, Long.BYTES);
        attribute.set(JAVA_INT, 0, PROGRAMMATIC_STREAM_SERIALIZATION);
        attribute.set(JAVA_INT, ATTRIBUTE_VALUE, 1);
        configuration = arena.allocate(CONFIGURATION_BYTES, Long.BYTES);
        configuration.setAtIndex(JAVA_INT, THREADS + 1, 1);
        configuration.setAtIndex(JAVA_INT, THREADS + 2, 1);
        configuration.set(JAVA_LONG, ATTRIBUTES, attribute.address());
        configuration.set(JAVA_INT, ATTRIBUTE_COUNT, 1);
    }

    /// Enqueues a kernel; returns the driver's code.
    ///
    /// @param parameters addresses of its parameters
    int enqueue(Kernel kernel, DeviceStream stream, MemorySegment parameters, int blocksX, int blocksY, int blocksZ) {
        configuration.setAtIndex(JAVA_INT, 0, blocksX);
        configuration.setAtIndex(JAVA_INT, 1, blocksY);
        configuration.setAtIndex(JAVA_INT, 2, blocksZ);
        configuration.setAtIndex(JAVA_INT, THREADS, kernel.threads());
        configuration.setAtIndex(JAVA_INT, SHARED_BYTES, kernel.sharedBytes());
        configuration.set(JAVA_LONG, STREAM, stream.handle());
        return function.call(configuration.address(), kernel.function().handle(), parameters.address());
    }
}
