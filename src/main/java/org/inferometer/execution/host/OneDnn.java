package org.inferometer.execution.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.File;
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
import org.bytedeco.javacpp.Loader;

/// The few functions of the oneDNN library that the host backend calls: matrix products of 8-bit integers in batches.
///
/// The library's file is unpacked once into JavaCPP's cache and stays loaded as long as the process; what an instance made is
/// given back when it is closed, after the last call. Products and calls are made by one thread; a [Call] is one thread's, which
/// calls [#computeAlone] first.
@SuppressWarnings("restricted")
final class OneDnn implements AutoCloseable {
    private static final int CPU = 1;
    private static final int S32 = 4;
    private static final int S8 = 5;
    private static final int U8 = 6;
    private static final int QUERY_IMPLEMENTATION = 8;
    private static final int QUERY_SCRATCHPAD = 136;
    private static final int USER_SCRATCHPAD = 1;
    /// `dnnl_aCB16b16c4b` and its kin: 16 quads of inputs × so many outputs × 4 inputs, by sixteenths of the outputs.
    private static final int WEIGHTS_TAG_LESS_16 = 528;
    private static final int ARGUMENT_SOURCE = 1;
    private static final int ARGUMENT_TARGET = 17;
    private static final int ARGUMENT_WEIGHTS = 33;
    private static final int ARGUMENT_SCRATCHPAD = 80;
    private static final long ARGUMENT_BYTES = 16;
    private static final int DIMENSIONS = 12;
    private static final long LONGEST_NAME = 200;

    private record Made(String destroy, MemorySegment handle) {}

    private final SymbolLookup symbols;
    private final List<Made> made = new ArrayList<>();
    private final MemorySegment engine;
    private final MethodHandle execute;
    private final MethodHandle setHandle;
    private final MethodHandle computingThreads;

    private OneDnn(SymbolLookup symbols) {
        this.symbols = symbols;
        execute = function("dnnl_primitive_execute", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
        setHandle = function("dnnl_memory_set_data_handle", JAVA_INT, ADDRESS, JAVA_LONG);
        MemorySegment threads = symbols.findOrThrow("omp_set_num_threads");
        computingThreads = Linker.nativeLinker().downcallHandle(threads, FunctionDescriptor.ofVoid(JAVA_INT));
        // A product prepared by a thread that may call on others would do so on every thread.
        computeAlone();
        engine = made("dnnl_engine", CPU, 0L);
    }

    /// Loads the library.
    ///
    /// @throws IOException when this platform has none, or it cannot be unpacked or loaded; the message is a part of a sentence
    static OneDnn load() throws IOException {
        String platform = Loader.getPlatform();
        if (!platform.equals("linux-x86_64")) {
            throw new IOException("oneDNN is not part of the program on " + platform);
        }
        try {
            // The library finds its runtime for threads beside itself.
            unpacked(platform, "libgomp.so.1");
            Path library = unpacked(platform, "libdnnl.so.3");
            return new OneDnn(SymbolLookup.libraryLookup(library, Arena.global()));
        } catch (IllegalArgumentException | IllegalStateException | NoSuchElementException | LinkageError broken) {
            throw new IOException("oneDNN could not be loaded (" + broken.getMessage() + ")", broken);
        }
    }

    private static Path unpacked(String platform, String name) throws IOException {
        String resource = "/org/bytedeco/dnnl/" + platform + "/" + name;
        File[] files = Loader.cacheResources(OneDnn.class, resource);
        if (files.length == 0) {
            throw new IOException(resource + " is not on the class path");
        }
        return files[0].toPath();
    }

    /// Makes products on the calling thread stay on it.
    void computeAlone() {
        try {
            computingThreads.invokeExact(1);
        } catch (Throwable impossible) {
            throw failed("omp_set_num_threads", impossible);
        }
    }

    /// A batch of products `[batch, rows, inputs] × [batch, inputs, outputs]` of unsigned and signed bytes, as 32-bit integers.
    ///
    /// @param implementation what computes it
    /// @param scratchBytes memory that a call needs beside its operands
    /// @param source `[rows][batch][inputs]`, a row so many bytes after the one before
    /// @param weights `[batch][inputs / 4][outputs][4]`
    /// @param target `[batch][rows][outputs]`
    record Product(
            MemorySegment primitive, String implementation, long scratchBytes,
            MemorySegment source, MemorySegment weights, MemorySegment target, MemorySegment scratch) {}

    /// Prepares a product; milliseconds the first time.
    ///
    /// @param inputs a multiple of 64
    /// @param outputs 16, 32 or 64
    /// @param rowBytes from one row of the source to the next
    /// @throws IllegalStateException when the library refuses
    Product product(int batch, int rows, int inputs, int outputs, long rowBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = operand(arena, U8, new long[] {batch, rows, inputs}, new long[] {inputs, rowBytes, 1});
            MemorySegment target = operand(arena, S32, new long[] {batch, rows, outputs}, new long[] {(long) rows * outputs, outputs, 1});
            MemorySegment weights = keep("dnnl_memory_desc_destroy", answer("dnnl_memory_desc_create_with_tag",
                    3, dimensions(arena, batch, inputs, outputs), S8, WEIGHTS_TAG_LESS_16 + outputs / 16));
            MemorySegment attributes = made("dnnl_primitive_attr");
            call("dnnl_primitive_attr_set_scratchpad_mode", attributes, USER_SCRATCHPAD);
            MemorySegment description = keep("dnnl_primitive_desc_destroy", answer("dnnl_matmul_primitive_desc_create",
                    engine, source, weights, MemorySegment.NULL, target, attributes));
            MemorySegment text = arena.allocate(ADDRESS);
            call("dnnl_primitive_desc_query", description, QUERY_IMPLEMENTATION, 0, text);
            String implementation = text.get(ADDRESS, 0).reinterpret(LONGEST_NAME).getString(0);
            MemorySegment scratch = scratchpad(description);
            return new Product(made("dnnl_primitive", description), implementation, bytes(scratch), source, weights, target, scratch);
        }
    }

    private MemorySegment operand(Arena arena, int type, long[] sizes, long[] strides) {
        return keep("dnnl_memory_desc_destroy", answer("dnnl_memory_desc_create_with_strides",
                sizes.length, dimensions(arena, sizes), type, dimensions(arena, strides)));
    }

    private MemorySegment scratchpad(MemorySegment description) {
        MethodHandle query = function("dnnl_primitive_desc_query_md", ADDRESS, ADDRESS, JAVA_INT, JAVA_INT);
        try {
            return (MemorySegment) query.invokeExact(description, QUERY_SCRATCHPAD, 0);
        } catch (Throwable impossible) {
            throw failed("dnnl_primitive_desc_query_md", impossible);
        }
    }

    private long bytes(MemorySegment operand) {
        MethodHandle size = function("dnnl_memory_desc_get_size", JAVA_LONG, ADDRESS);
        try {
            return (long) size.invokeExact(operand);
        } catch (Throwable impossible) {
            throw failed("dnnl_memory_desc_get_size", impossible);
        }
    }

    /// Memory objects over one product's operands, and all that a call needs; for one thread.
    final class Call {
        private final MemorySegment primitive;
        private final MemorySegment stream;
        private final MemorySegment source;
        private final MemorySegment arguments;
        private final int count;

        /// @param scratch at least the product's scratch bytes
        /// @param arena as long-lived as the call
        Call(Product product, MemorySegment weights, MemorySegment target, MemorySegment scratch, Arena arena) {
            primitive = product.primitive();
            stream = made("dnnl_stream", engine, 1);
            source = made("dnnl_memory", product.source(), engine, MemorySegment.NULL);
            count = product.scratchBytes() > 0 ? 4 : 3;
            arguments = arena.allocate(ARGUMENT_BYTES * count, Long.BYTES);
            argument(0, ARGUMENT_SOURCE, source);
            argument(1, ARGUMENT_WEIGHTS, made("dnnl_memory", product.weights(), engine, weights));
            argument(2, ARGUMENT_TARGET, made("dnnl_memory", product.target(), engine, target));
            if (product.scratchBytes() > 0) {
                argument(3, ARGUMENT_SCRATCHPAD, made("dnnl_memory", product.scratch(), engine, scratch));
            }
        }

        private void argument(int index, int role, MemorySegment memory) {
            arguments.set(JAVA_INT, index * ARGUMENT_BYTES, role);
            arguments.set(ADDRESS, index * ARGUMENT_BYTES + 8, memory);
        }

        /// Multiplies the rows that begin at an address.
        void run(long rows) {
            try {
                int status = (int) setHandle.invokeExact(source, rows);
                if (status == 0) {
                    status = (int) execute.invokeExact(primitive, stream, count, arguments);
                }
                if (status != 0) {
                    throw new IllegalStateException("oneDNN failed in a product (status " + status + ")");
                }
            } catch (RuntimeException | Error known) {
                throw known;
            } catch (Throwable impossible) {
                throw failed("dnnl_primitive_execute", impossible);
            }
        }
    }

    private static MemorySegment dimensions(Arena arena, long... values) {
        MemorySegment dimensions = arena.allocate(JAVA_LONG, DIMENSIONS);
        MemorySegment.copy(values, 0, dimensions, JAVA_LONG, 0, values.length);
        return dimensions;
    }

    /// Makes an object of a kind that has the usual two functions.
    private MemorySegment made(String kind, Object... arguments) {
        return keep(kind + "_destroy", answer(kind + "_create", arguments));
    }

    private MemorySegment keep(String destroy, MemorySegment handle) {
        made.add(new Made(destroy, handle));
        return handle;
    }

    /// Calls a function whose first argument takes the address of what it makes.
    private MemorySegment answer(String name, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocate(ADDRESS);
            Object[] all = new Object[arguments.length + 1];
            all[0] = place;
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            call(name, all);
            return place.get(ADDRESS, 0);
        }
    }

    private void call(String name, Object... arguments) {
        ValueLayout[] layouts = new ValueLayout[arguments.length];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = switch (arguments[i]) {
                case Integer number -> JAVA_INT;
                case Long number -> JAVA_LONG;
                default -> ADDRESS;
            };
        }
        int status;
        try {
            status = (int) function(name, JAVA_INT, layouts).invokeWithArguments(arguments);
        } catch (Throwable impossible) {
            throw failed(name, impossible);
        }
        if (status != 0) {
            throw new IllegalStateException(name + " answered " + status);
        }
    }

    private MethodHandle function(String name, ValueLayout result, ValueLayout... arguments) {
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    /// Gives back what was made; no call may be running.
    @Override
    public void close() {
        for (Made last : made.reversed()) {
            call(last.destroy(), last.handle());
        }
        made.clear();
    }

    private static IllegalStateException failed(String name, Throwable cause) {
        return new IllegalStateException("The call of " + name + " failed", cause);
    }
}
