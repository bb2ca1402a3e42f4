package org.inferometer.execution.cuda.device;

import java.util.ArrayList;
import java.util.List;

/// A struct of the kernels: the argument of a kernel, passed by value, or an item of a list. Names, order and types are
/// those of the sources; a test compares them.
public enum KernelStruct {
    HEADS("Heads", pointer("qkv"), pointer("queryNorm"), pointer("keyNorm"), pointer("rotary"), integer("stride"),
            integer("heads"), integer("kvHeads"), integer("headDim"), real("epsilon")),
    NORM_IN("NormIn", pointer("squares"), integer("parts"), integer("tokensStride"), integer("width"), real("epsilon")),
    NORM_OUT("NormOut", pointer("weight"), pointer("out"), pointer("squares"), integer("stride"),
            integer("tokensStride")),
    SPLIT_K("SplitK", pointer("partial"), pointer("arrivals"), integer("count")),
    PRODUCT("Product", pointer("values"), pointer("scales"), pointer("x"), pointer("bias"), pointer("out"),
            integer("xStride"), integer("outStride"), integer("outputs"), integer("paddedK"), integer("finish"),
            integer("tokens"), nested("split", SPLIT_K), nested("normIn", NORM_IN), nested("normOut", NORM_OUT)),
    WIDENING("Widening", pointer("values"), pointer("scales"), pointer("rows"), integer("chunks")),
    EPILOGUE("Epilogue", nested("product", PRODUCT), pointer("sums"), integer("sumsStride"), integer("firstOutput"),
            integer("outputs")),
    STEP_ROW("StepRow", integer("token"), integer("position"), integer("table"), integer("end")),
    STEP_STAGING("StepStaging", pointer("from"), pointer("to"), integer("fixedPieces"), integer("blocks")),
    EMBEDDING("Embedding", pointer("values"), pointer("scales"), pointer("rows"), pointer("sampledBefore"),
            pointer("positionTable"), pointer("residual"), integer("chunks"), integer("hidden"),
            nested("norm", NORM_OUT), nested("staging", STEP_STAGING)),
    PACKING("Packing", pointer("rows"), pointer("values"), integer("chunks")),
    NORM("Norm", pointer("x"), pointer("pick"), pointer("weight"), pointer("bias"), pointer("out"), integer("xStride"),
            integer("outStride"), integer("width"), real("epsilon")),
    REORDERING("Reordering", pointer("x"), pointer("order"), pointer("out"), integer("stride"), integer("width")),
    CACHE_LAYER("CacheLayer", pointer("entries"), pointer("scales")),
    PLACEMENT("Placement", nested("heads", HEADS), pointer("rows"), pointer("blockTables"), pointer("q"),
            nested("cache", CACHE_LAYER), integer("blockTokens")),
    ATTENTION("Attention", nested("heads", HEADS), pointer("q"), nested("cache", CACHE_LAYER), pointer("items"),
            pointer("rows"), pointer("blockTables"), pointer("partial"), pointer("arrivals"), pointer("out"),
            integer("blockTokens"), integer("outStride"), integer("window"), integer("placed")),
    ATTENTION_ITEM("AttentionItem", integer("firstRow"), integer("rows"), integer("table"), integer("from"),
            integer("end"), integer("range"), integer("ranges"), integer("partial")),
    SAMPLING("Sampling", pointer("logits"), pointer("choice"), pointer("tokens"), pointer("largest"), pointer("slices"),
            pointer("arrivals"), pointer("stepMass"), pointer("stepCount"), pointer("places"), pointer("candidates"),
            integer("stride"), integer("vocabulary")),
    BLOCK_COPY("BlockCopy", pointer("from"), pointer("to"), pointer("fromBlocks"), pointer("toBlocks"),
            wide("blockBytes"), wide("fromLayerBytes"), wide("toLayerBytes"), integer("count")),
    MMA_RATE("MmaRate", pointer("out"), integer("iterations")),
    READ_RATE("ReadRate", pointer("from"), pointer("out"), wide("bytes"));

    private final String source;
    private final List<Field> fields;
    private final int bytes;

    /// The type of a field in C++.
    enum Type {
        POINTER(8), LONG_LONG(8), INT(4), FLOAT(4);

        private final int bytes;

        Type(int bytes) {
            this.bytes = bytes;
        }

        public int bytes() {
            return bytes;
        }
    }

    /// One field; those of a nested struct have its name in front, as in `norm.weight`.
    ///
    /// @param offset in bytes from the start of the struct
    public record Field(String name, Type type, int offset) {}

    private sealed interface Member {
        record Plain(String name, Type type) implements Member {}

        record Nested(String name, KernelStruct struct) implements Member {}
    }

    KernelStruct(String source, Member... members) {
        this.source = source;
        List<Field> placed = new ArrayList<>();
        int end = 0;
        for (Member member : members) {
            switch (member) {
                case Member.Plain plain -> {
                    end = aligned(end, plain.type().bytes());
                    placed.add(new Field(plain.name(), plain.type(), end));
                    end += plain.type().bytes();
                }
                case Member.Nested nested -> {
                    int start = aligned(end, Long.BYTES);
                    nested.struct().fields.forEach(field -> placed
                            .add(new Field(nested.name() + "." + field.name(), field.type(), start + field.offset())));
                    end = start + nested.struct().bytes;
                }
            }
        }
        fields = List.copyOf(placed);
        // Every argument has a pointer, so it is aligned to one.
        bytes = aligned(end, Long.BYTES);
    }

    private static int aligned(int offset, int bytes) {
        return Math.ceilDiv(offset, bytes) * bytes;
    }

    private static Member pointer(String name) {
        return new Member.Plain(name, Type.POINTER);
    }

    private static Member integer(String name) {
        return new Member.Plain(name, Type.INT);
    }

    private static Member wide(String name) {
        return new Member.Plain(name, Type.LONG_LONG);
    }

    private static Member real(String name) {
        return new Member.Plain(name, Type.FLOAT);
    }

    private static Member nested(String name, KernelStruct struct) {
        return new Member.Nested(name, struct);
    }

    /// Its name in the sources.
    String source() {
        return source;
    }

    public List<Field> fields() {
        return fields;
    }

    public int bytes() {
        return bytes;
    }

    /// The field of that name.
    Field field(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(source + " has no field " + name));
    }
}
