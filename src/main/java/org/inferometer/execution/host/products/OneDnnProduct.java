package org.inferometer.execution.host.products;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;

/// A matrix product of one shape that oneDNN has prepared; any number of calls may use it. Closing the library gives it back.
public final class OneDnnProduct {
    private static final int BF16 = 2;
    private static final int F32 = 3;
    private static final int S32 = 4;
    private static final int S8 = 5;
    private static final int U8 = 6;
    private static final int QUERY_IMPLEMENTATION = 8;
    private static final int QUERY_SCRATCHPAD = 136;
    private static final int USER_SCRATCHPAD = 1;
    /// `dnnl_aCB16b16c4b` and variants: 16 quads of inputs × outputs × 4 inputs, by sixteenths of the outputs.
    private static final int QUADS_TAG_LESS_16 = 528;
    /// `dnnl_BA16a16b2a` and variants: pairs of inputs × outputs × 2 inputs, by sixteenths of the outputs.
    private static final int PAIRS_TAG_LESS_16 = 380;
    private static final int ARGUMENT_SOURCE = 1;
    private static final int ARGUMENT_TARGET = 17;
    private static final int ARGUMENT_WEIGHTS = 33;
    private static final int ARGUMENT_SCRATCHPAD = 80;
    private static final long ARGUMENT_BYTES = 16;
    private static final long LONGEST_NAME = 200;

    private final OneDnn library;
    private final MemorySegment source;
    private final MemorySegment weights;
    private final MemorySegment target;
    private final MemorySegment scratch;
    private final MemorySegment primitive;
    private final String implementation;
    private final long scratchBytes;

    private OneDnnProduct(OneDnn library, MemorySegment source, MemorySegment weights, MemorySegment target,
            MemorySegment attributes) {
        this.library = library;
        this.source = source;
        this.weights = weights;
        this.target = target;
        library.call("dnnl_primitive_attr_set_scratchpad_mode", attributes, USER_SCRATCHPAD);
        MemorySegment description =
                library.keep("dnnl_primitive_desc_destroy", library.answer("dnnl_matmul_primitive_desc_create",
                        library.engine(), source, weights, MemorySegment.NULL, target, attributes));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(ADDRESS);
            library.call("dnnl_primitive_desc_query", description, QUERY_IMPLEMENTATION, 0, text);
            implementation = name(text.get(ADDRESS, 0));
        }
        scratch = (MemorySegment) library.invoke("dnnl_primitive_desc_query_md", ADDRESS, description, QUERY_SCRATCHPAD,
                0);
        scratchBytes = (long) library.invoke("dnnl_memory_desc_get_size", JAVA_LONG, scratch);
        primitive = library.made("dnnl_primitive", description);
    }

    @SuppressWarnings("restricted")
    private static String name(MemorySegment text) {
        return text.reinterpret(LONGEST_NAME).getString(0);
    }

    /// A batch of products `[batch, rows, inputs] × [batch, inputs, outputs]` of unsigned and signed bytes to 32-bit
    /// integers: source `[rows][batch][inputs]`, weights `[batch][inputs / 4][outputs][4]`, target
    /// `[batch][rows][outputs]`. The first call takes milliseconds.
    ///
    /// @param inputs a multiple of 64, or 32 with weights that are padded with zeros to 64
    /// @param outputs 16, 32 or 64
    /// @param rowBytes from one row of the source to the next
    /// @throws IllegalStateException when the library refuses
    static OneDnnProduct ofBytes(OneDnn library, int batch, int rows, int inputs, int outputs, long rowBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source =
                    operand(library, arena, U8, new long[]{batch, rows, inputs}, new long[]{inputs, rowBytes, 1});
            MemorySegment target = operand(library, arena, S32, new long[]{batch, rows, outputs},
                    new long[]{(long) rows * outputs, outputs, 1});
            MemorySegment weights =
                    tagged(library, arena, S8, QUADS_TAG_LESS_16 + outputs / 16, batch, inputs, outputs);
            return new OneDnnProduct(library, source, weights, target, library.made("dnnl_primitive_attr"));
        }
    }

    /// A product `[rows, inputs] × [inputs, outputs]` that is added to an FP32 target `[rows][outputs]`. The first call
    /// takes milliseconds.
    ///
    /// @param form of the source, `[rows][inputs]`, and of the weights, laid out as it says
    /// @param inputs a multiple of 32
    /// @param outputs 16, 32 or 64
    /// @param rowElements from one row of the source to the next
    /// @throws IllegalStateException when the library refuses
    public static OneDnnProduct ofFloats(OneDnn library, FloatFormat form, int rows, int inputs, int outputs,
            long rowElements) {
        try (Arena arena = Arena.ofConfined()) {
            int type = form == FloatFormat.FP32 ? F32 : BF16;
            MemorySegment source = operand(library, arena, type, new long[]{rows, inputs}, new long[]{rowElements, 1});
            MemorySegment target = operand(library, arena, F32, new long[]{rows, outputs}, new long[]{outputs, 1});
            MemorySegment weights = switch (form) {
                case FP32 -> operand(library, arena, type, new long[]{inputs, outputs}, new long[]{outputs, 1});
                case BF16 -> tagged(library, arena, type, PAIRS_TAG_LESS_16 + outputs / 16, inputs, outputs);
            };
            MemorySegment attributes = library.made("dnnl_primitive_attr");
            MemorySegment sum = library.made("dnnl_post_ops");
            library.call("dnnl_post_ops_append_sum", sum, 1f, 0, 0);
            library.call("dnnl_primitive_attr_set_post_ops", attributes, sum);
            return new OneDnnProduct(library, source, weights, target, attributes);
        }
    }

    private static MemorySegment operand(OneDnn library, Arena arena, int type, long[] sizes, long[] strides) {
        return library.keep("dnnl_memory_desc_destroy", library.answer("dnnl_memory_desc_create_with_strides",
                sizes.length, OneDnn.dimensions(arena, sizes), type, OneDnn.dimensions(arena, strides)));
    }

    private static MemorySegment tagged(OneDnn library, Arena arena, int type, int tag, long... sizes) {
        return library.keep("dnnl_memory_desc_destroy", library.answer("dnnl_memory_desc_create_with_tag", sizes.length,
                OneDnn.dimensions(arena, sizes), type, tag));
    }

    /// oneDNN's implementation name.
    public String implementation() {
        return implementation;
    }

    /// Scratch memory of a call.
    public long scratchBytes() {
        return scratchBytes;
    }

    /// Refuses what is not made for this processor.
    ///
    /// @throws IOException with the reason, a part of a sentence
    public OneDnnProduct requireFast() throws IOException {
        if (implementation.startsWith("ref") || implementation.startsWith("gemm")) {
            throw new IOException("oneDNN has only \"" + implementation + "\" for this processor");
        }
        return this;
    }

    /// One call of each product over the same memory.
    ///
    /// @param products null where steps are smaller; so is the call
    static Call[] calls(OneDnnProduct[] products, MemorySegment block, MemorySegment into, MemorySegment spare,
            Arena arena) {
        Call[] calls = new Call[products.length];
        for (int i = 0; i < calls.length; i++) {
            if (products[i] != null) {
                calls[i] = products[i].new Call(block, into, spare, arena);
            }
        }
        return calls;
    }

    /// Memory objects over one product's operands, and all that a call needs; for one thread.
    public final class Call {
        private final MemorySegment stream;
        private final MemorySegment rows;
        private final MemorySegment results;
        private final MemorySegment arguments;
        private final int count;

        /// @param block weights
        /// @param into target, aligned
        /// @param spare at least the product's scratch bytes
        /// @param arena as long-lived as the call
        public Call(MemorySegment block, MemorySegment into, MemorySegment spare, Arena arena) {
            stream = library.made("dnnl_stream", library.engine(), 1);
            rows = library.made("dnnl_memory", source, library.engine(), MemorySegment.NULL);
            results = library.made("dnnl_memory", target, library.engine(), into);
            count = scratchBytes > 0 ? 4 : 3;
            arguments = arena.allocate(ARGUMENT_BYTES * count, Long.BYTES);
            argument(0, ARGUMENT_SOURCE, rows);
            argument(1, ARGUMENT_WEIGHTS, library.made("dnnl_memory", weights, library.engine(), block));
            argument(2, ARGUMENT_TARGET, results);
            if (scratchBytes > 0) {
                argument(3, ARGUMENT_SCRATCHPAD, library.made("dnnl_memory", scratch, library.engine(), spare));
            }
        }

        private void argument(int index, int role, MemorySegment memory) {
            arguments.set(JAVA_INT, index * ARGUMENT_BYTES, role);
            arguments.set(ADDRESS, index * ARGUMENT_BYTES + 8, memory);
        }

        /// Multiplies the rows that begin at an address.
        public void run(long from) {
            library.move(rows, from);
            library.execute(primitive, stream, count, arguments);
        }

        /// Multiplies the rows that begin at an address, for a target that begins at another.
        public void run(long from, long to) {
            library.move(results, to);
            run(from);
        }
    }
}
