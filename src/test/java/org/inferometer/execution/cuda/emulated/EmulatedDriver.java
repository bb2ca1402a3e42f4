package org.inferometer.execution.cuda.emulated;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// The emulated CUDA driver of this JVM: what kind of devices it has, what goes wrong on them, what was done with them.
///
/// JCuda finds it in place of NVIDIA's driver because a library of that name is loaded already, so {@link #load} comes
/// before the first use of JCuda. One driver a process; tests that share it call {@link #reset} between them.
public final class EmulatedDriver {
    private static final int MOST_SAID_BYTES = 4096;

    private final MethodHandle set;
    private final MethodHandle get;
    private final MethodHandle said;
    private final MethodHandle reset;

    /// What can be chosen, at the start through the environment (EMULATED_CUDA_ and the name) or at any time.
    public enum Setting {
        /// CUDA version the driver supports, as 13000 for 13.0.
        DRIVER_VERSION,
        /// Of every device, as 89 for 8.9.
        COMPUTE_CAPABILITY,
        /// How many there are, 0 to 8.
        DEVICES,
        /// Of each device.
        MEMORY_BYTES,
        /// Of each device, as it says; at most two blocks run at a time all the same.
        MULTIPROCESSORS,
        /// The how manieth device allocation from now on answers 2 (out of memory); 0 for none.
        FAIL_ALLOCATION,
        /// The same for pinned host memory.
        FAIL_HOST_ALLOCATION,
        /// The how manieth kernel from now on kills its device; 0 for none.
        FAIL_LAUNCH,
        /// With which code it does, and every later call on that device answers: 700, 719.
        FAIL_LAUNCH_WITH,
        /// What every call answers from now on, as where the device has fallen off the bus: 999; 0 for its own answer.
        EVERY_CALL,
        /// Each kernel takes at least so long.
        KERNEL_MICROS,
        /// While it is 1, no kernel begins.
        HOLD_KERNELS,
        /// While it is 1, a host that waits for an event goes on only when its device is idle, as one that was held up.
        LATE_HOST,
        /// What every product of the stand-in for cuBLASLt answers: 13; 0 for its own answer.
        LIBRARY_ANSWERS,
        /// While it is 1, the stand-in gives no handle, as if the driver were too old for it.
        LIBRARY_IS_TOO_NEW;

        private String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What is counted: what lives now, or what there was since the last reset.
    public enum Count {
        /// Device allocations that have not been freed.
        LIVE_ALLOCATIONS,
        /// Pinned host allocations that have not been freed.
        LIVE_HOST_ALLOCATIONS,
        /// Streams that have not been destroyed.
        LIVE_STREAMS,
        /// Events that have not been destroyed.
        LIVE_EVENTS,
        /// Graphs and executable graphs that have not been destroyed.
        LIVE_GRAPHS,
        /// Modules that have not been unloaded.
        LIVE_MODULES,
        /// Handles, descriptions, layouts and preferences of the stand-in for cuBLASLt.
        LIVE_LIBRARY_OBJECTS,
        /// Devices whose primary context is retained.
        LIVE_CONTEXTS,
        /// Device allocations that still lived when their context went.
        LEAKED_ALLOCATIONS,
        /// Streams that still lived when their context went.
        LEAKED_STREAMS,
        /// Kernels that began to run, those of graphs included.
        LAUNCHES,
        /// Those of them that might have begun before the one before ended.
        DEPENDENT_LAUNCHES,
        /// Kernels that were asked for, without those of graphs.
        LAUNCH_CALLS,
        /// Copies in streams that were asked for, recorded ones once.
        COPIES,
        /// Launches of whole graphs.
        GRAPH_LAUNCHES
    }

    private static final class Loaded {
        private static final EmulatedDriver DRIVER = new EmulatedDriver(DriverBuild.folder().resolve("libcuda.so.1"));
    }

    private EmulatedDriver(Path library) {
        System.load(library.toString());
        SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
        set = handle(symbols, "emulated_set",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        get = handle(symbols, "emulated_get", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        said = handle(symbols, "emulated_said",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        reset = handle(symbols, "emulated_reset", FunctionDescriptor.of(ValueLayout.JAVA_INT));
    }

    private static MethodHandle handle(SymbolLookup symbols, String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), descriptor);
    }

    /// The driver as a fresh process finds it, built and loaded the first time. Ends the test as skipped, with the
    /// reason, where it cannot be built.
    public static EmulatedDriver load() {
        assumeThatItCanBeBuilt();
        EmulatedDriver driver = Loaded.DRIVER;
        driver.reset();
        return driver;
    }

    /// The folder to put first on LD_LIBRARY_PATH of a process that shall use the emulated driver. Ends the test as
    /// skipped, with the reason, where it cannot be built.
    public static Path folder() {
        assumeThatItCanBeBuilt();
        return DriverBuild.folder();
    }

    /// The stand-in for cuBLASLt, which computes on the emulated device. Ends the test as skipped, with the reason, where
    /// it cannot be built.
    public static Path cublasLt() {
        assumeThatItCanBeBuilt();
        return DriverBuild.cublasLt(DriverBuild.folder());
    }

    /// What the environment of such a process holds: the folder and the settings.
    public static Map<String, String> environment(Map<Setting, Long> settings) {
        Map<String, String> environment = new HashMap<>();
        environment.put("LD_LIBRARY_PATH", folder().toString());
        settings.forEach((setting, value) -> environment.put("EMULATED_CUDA_" + setting.name(), value.toString()));
        return environment;
    }

    private static void assumeThatItCanBeBuilt() {
        String obstacle = DriverBuild.obstacle();
        assumeTrue(obstacle.isEmpty(), "Skipped: " + obstacle + ".");
    }

    /// Chooses; takes effect at once, for kernels that are queued as well.
    public EmulatedDriver set(Setting setting, long value) {
        try (Arena arena = Arena.ofConfined()) {
            int code = (int) set.invokeExact(arena.allocateFrom(setting.key()), value);
            if (code != 0) {
                throw new IllegalStateException("The emulated driver knows no setting " + setting.key() + ".");
            }
            return this;
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /// What stands chosen; a fault that counts down shows what is left.
    public long get(Setting setting) {
        return number(setting.key());
    }

    /// How many there are or were.
    public long count(Count count) {
        return number(count.name().toLowerCase(Locale.ROOT));
    }

    /// How many times the kernel of that name began to run, in graphs or outside.
    public long launches(String kernel) {
        return number("launches of " + kernel);
    }

    /// The sentence that says what killed a device, or nothing.
    public String said() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(MOST_SAID_BYTES);
            int length = (int) said.invokeExact(text, MOST_SAID_BYTES);
            return length == 0 ? "" : text.getString(0);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /// Waits for what runs, frees everything and puts every setting back; no CUDA object outlives it.
    public void reset() {
        try {
            int code = (int) reset.invokeExact();
            if (code != 0) {
                throw new IllegalStateException("The emulated driver answered " + code + " to its reset.");
            }
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private long number(String key) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) get.invokeExact(arena.allocateFrom(key));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private static RuntimeException failed(Throwable e) {
        return e instanceof RuntimeException known ? known
                : new IllegalStateException("The emulated driver could not be called.", e);
    }
}
