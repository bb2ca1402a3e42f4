package org.inferometer.execution.cuda.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.inferometer.execution.backend.NativeFunctions;

/// The driver's `cuLaunchKernelEx`, which JCuda lacks: a launch with attributes. Drivers have it since CUDA 11.8. Safe for
/// several threads.
public final class LaunchFunction {
    private static final String DRIVER =
            System.getProperty("os.name", "").startsWith("Windows") ? "nvcuda.dll" : "libcuda.so.1";
    private static final String NAME = "cuLaunchKernelEx";

    private final MethodHandle launch;

    private LaunchFunction(MethodHandle launch) {
        this.launch = launch;
    }

    /// The function of the loaded driver; empty if the driver lacks it.
    public static Optional<LaunchFunction> find() {
        try {
            return find(SymbolLookup.libraryLookup(DRIVER, Arena.global()));
        } catch (IllegalArgumentException missing) {
            return Optional.empty();
        }
    }

    /// The function among these symbols.
    public static Optional<LaunchFunction> find(SymbolLookup symbols) {
        return symbols.find(NAME).map(_ -> new LaunchFunction(
                new NativeFunctions(symbols).function(NAME, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG)));
    }

    /// Calls it with addresses and a handle; returns the driver's code.
    ///
    /// @param configuration of type CUlaunchConfig
    /// @param parameters addresses of the kernel's parameters
    int call(long configuration, long function, long parameters) {
        try {
            return (int) launch.invokeExact(configuration, function, parameters, 0L);
        } catch (Throwable e) {
            throw NativeFunctions.failed(NAME, e);
        }
    }
}
