package org.inferometer.execution.host.products;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.inferometer.execution.backend.NativeFunctions;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.natives.NativeLibraries;

/// The functions of the oneDNN library that [OneDnnProduct] needs.
///
/// The library stays loaded. Objects of an instance are destroyed when it
/// closes, after the last call. One thread creates products and calls; one thread uses a call, and calls
/// [#useOneThread] first.
@SuppressWarnings("restricted")
public final class OneDnn implements AutoCloseable {
    private static final int CPU = 1;
    private static final int DIMENSIONS = 12;
    private static final int UNIMPLEMENTED = 3;
    /// `dnnl_cpu_isa_avx512_core_bf16`: a bit for each set of instructions that it includes. AMX includes it.
    private static final int AVX512_BF16 = 0xe7;

    static final String IN_JAR = "org/bytedeco/dnnl/linux-x86_64/";
    static final String LIBRARY = "libdnnl.so.3";

    private record Made(String destroy, MemorySegment handle) {}

    private final NativeFunctions functions;
    private final List<Made> made = new ArrayList<>();
    private final MemorySegment engine;
    private final MethodHandle execute;
    private final MethodHandle setHandle;
    private final MethodHandle computingThreads;

    private OneDnn(SymbolLookup symbols) {
        functions = new NativeFunctions(symbols);
        execute = functions.function("dnnl_primitive_execute", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
        setHandle = functions.function("dnnl_memory_set_data_handle", JAVA_INT, ADDRESS, JAVA_LONG);
        MemorySegment threads = symbols.findOrThrow("omp_set_num_threads");
        computingThreads = Linker.nativeLinker().downcallHandle(threads, FunctionDescriptor.ofVoid(JAVA_INT));
        // A product inherits the thread count of the thread that prepares it.
        useOneThread();
        engine = made("dnnl_engine", CPU, 0L);
    }

    /// Loads the library.
    ///
    /// @throws IOException if this platform has none, it cannot be unpacked or loaded, or vectors are too short for its
    ///     layouts; the message is a part of a sentence
    public static OneDnn load() throws IOException {
        if (Vectors.LANES < 8) {
            throw new IOException("vectors of " + 32 * Vectors.LANES + " bits are too short for oneDNN's layouts");
        }
        String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        if (!system.equals("Linux on amd64")) {
            throw new IOException("oneDNN is not part of the program for " + system);
        }
        try {
            // The library loads its OpenMP runtime from its own folder.
            Path folder =
                    NativeLibraries.ofThisUser().folder("onednn", List.of(IN_JAR + "libgomp.so.1", IN_JAR + LIBRARY));
            return new OneDnn(SymbolLookup.libraryLookup(folder.resolve(LIBRARY), Arena.global()));
        } catch (IllegalArgumentException | IllegalStateException | NoSuchElementException | LinkageError broken) {
            throw new IOException("oneDNN could not be loaded (" + broken.getMessage() + ")", broken);
        }
    }

    /// Limits oneDNN to the calling thread, for calls of this thread.
    public void useOneThread() {
        try {
            computingThreads.invokeExact(1);
        } catch (Throwable impossible) {
            throw NativeFunctions.failed("omp_set_num_threads", impossible);
        }
    }

    /// Whether oneDNN multiplies BF16 with instructions of this processor: AVX-512 or AMX.
    ///
    /// @throws IOException as [#load]
    public static boolean multipliesBf16() throws IOException {
        try (OneDnn library = load()) {
            int instructions = (int) library.invoke("dnnl_get_effective_cpu_isa", JAVA_INT);
            return (instructions & AVX512_BF16) == AVX512_BF16;
        }
    }

    /// oneDNN's engine: the CPU.
    MemorySegment engine() {
        return engine;
    }

    /// Moves a memory object to an address.
    void move(MemorySegment memory, long address) {
        try {
            require((int) setHandle.invokeExact(memory, address));
        } catch (Throwable impossible) {
            throw NativeFunctions.failed("dnnl_memory_set_data_handle", impossible);
        }
    }

    /// Computes a primitive on the calling thread.
    ///
    /// @param arguments `count` pairs of a role and a memory object
    void execute(MemorySegment primitive, MemorySegment stream, int count, MemorySegment arguments) {
        try {
            require((int) execute.invokeExact(primitive, stream, count, arguments));
        } catch (Throwable impossible) {
            throw NativeFunctions.failed("dnnl_primitive_execute", impossible);
        }
    }

    private static void require(int status) {
        if (status != 0) {
            throw new IllegalStateException("oneDNN failed in a product (status " + status + ")");
        }
    }

    static MemorySegment dimensions(Arena arena, long... values) {
        MemorySegment dimensions = arena.allocate(JAVA_LONG, DIMENSIONS);
        MemorySegment.copy(values, 0, dimensions, JAVA_LONG, 0, values.length);
        return dimensions;
    }

    /// Creates an object with its `_create` function and registers its `_destroy` function.
    MemorySegment made(String kind, Object... arguments) {
        return keep(kind + "_destroy", answer(kind + "_create", arguments));
    }

    /// Registers the function that destroys an object when the library is closed.
    MemorySegment keep(String destroy, MemorySegment handle) {
        made.add(new Made(destroy, handle));
        return handle;
    }

    /// Calls a function whose first argument is an out parameter.
    MemorySegment answer(String name, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocate(ADDRESS);
            Object[] all = new Object[arguments.length + 1];
            all[0] = place;
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            call(name, all);
            return place.get(ADDRESS, 0);
        }
    }

    /// Calls a function that returns a status.
    ///
    /// @throws IllegalStateException when the status is not success; if oneDNN does not support this processor, with
    ///     a part of a sentence
    void call(String name, Object... arguments) {
        int status = (int) invoke(name, JAVA_INT, arguments);
        if (status == UNIMPLEMENTED) {
            throw new IllegalStateException("oneDNN does not support this processor");
        }
        if (status != 0) {
            throw new IllegalStateException(name + " returned status " + status);
        }
    }

    /// Calls a function and returns its result.
    Object invoke(String name, ValueLayout result, Object... arguments) {
        return functions.call(name, result, arguments);
    }

    /// Destroys all objects; no call may be running.
    @Override
    public void close() {
        for (Made last : made.reversed()) {
            call(last.destroy(), last.handle());
        }
        made.clear();
    }
}
