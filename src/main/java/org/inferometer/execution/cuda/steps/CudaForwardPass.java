package org.inferometer.execution.cuda.steps;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PaddedWidth;
import org.jspecify.annotations.Nullable;

/// The transformer's forward pass as kernel launches, prepared once for one step table and one lane's buffers. Used by
/// one lane.
///
/// RMSNorms have no launch of their own, apart from the last: the kernel that completes a row of the residual stream writes
/// it times the norm's weight, and the product that reads this applies 1 / root mean square. LayerNorms are launched.
///
/// Products round activations to BF16 and add in FP32. The residual stream is FP32, queries are FP16.
final class CudaForwardPass {
    private final DeviceModel model;
    private final DeviceStepTable table;
    private final boolean folded;
    private final @Nullable LaneGemm gemm;
    private final Kernel embed;
    private final Kernel norm;
    private final Kernel reorder;
    private final Kernel place;
    private final Kernel attend;
    private final KernelArguments embedding;
    private final List<LayerCalls> layers = new ArrayList<>();
    private final KernelArguments finalNorm;
    private final Product head;
    private final TokenSampler sampler;

    /// Attention of a layer; whether the step was placed before it changes between steps.
    private record Attention(KernelArguments arguments, KernelArguments.IntSlot placed) {}

    /// A product of a layer.
    ///
    /// @param ordering brings its input into the order of its weights; null if it is in order
    private record Ordered(@Nullable KernelArguments ordering, int width, Product product) {}

    /// The launches of one layer, in order.
    private record LayerCalls(KernelArguments attentionNorm, Ordered queryKeyValue, KernelArguments placing,
            Attention attention, Ordered output, KernelArguments feedForwardNorm, Ordered up, Product down) {}

    /// The inputs of a pass.
    ///
    /// @param chosen receives a token id for each sampled row
    /// @param sampledBefore token ids of the step before, for steps that repeat it; null if none does
    /// @param gemm for the products of layers with many tokens; null while steps are recorded, or without cuBLASLt
    /// @param arena lives as long as the pass
    record PassParts(KernelModule module, DeviceModel model, CudaKvPool pool, DeviceStepTable table,
            DeviceAddress chosen, @Nullable DeviceAddress sampledBefore, CudaLaneBuffers buffers,
            CudaLaneBuffers.Sizes sizes, @Nullable LaneGemm gemm, Arena arena) {}

    CudaForwardPass(PassParts parts) {
        KernelModule module = parts.module();
        model = parts.model();
        table = parts.table();
        folded = folded(model);
        gemm = parts.gemm();
        ModelShape shape = model.shape();
        // The first kernel of a step has none before it.
        embed = module.kernel("embed_" + model.embedding().format().id(), KernelTiles.EMBED_THREADS, 0).ordinary();
        norm = module.kernel("norm", KernelTiles.NORM_THREADS, 0);
        reorder = module.kernel("reorder", KernelTiles.REORDER_THREADS, 0);
        place = module.kernel("place_" + CudaKvPool.kernels(parts.pool().dtype()), KernelTiles.PLACE_THREADS, 0);
        attend = CudaKvPool.attention(module, parts.pool().dtype(), shape.headDim());
        CudaLaneBuffers buffers = parts.buffers();
        embedding = KernelArguments.of(KernelStruct.EMBEDDING, parts.arena())
                .address("values", model.embedding().values()).address("scales", model.embedding().scales())
                .address("rows", table.hostRows()).optional("sampledBefore", parts.sampledBefore())
                .optional("positionTable", model.positions()).address("residual", buffers.residual())
                .integer("chunks", model.embedding().chunks()).integer("hidden", shape.hidden()).in("norm")
                .optional("weight", folded ? model.layers().getFirst().attentionNorm().weight() : null)
                .address("out", buffers.normed()).address("squares", buffers.squares())
                .integer("stride", PaddedWidth.inputs(shape.hidden())).integer("tokensStride", 1).in("staging")
                .address("from", table.host()).address("to", table.device()).integer("fixedPieces", table.fixedPieces())
                .integer("blocks", table.stagingBlocks()).build();
        for (int layer = 0; layer < model.layers().size(); layer++) {
            layers.add(layer(parts, layer));
        }
        finalNorm = norm(parts, model.finalNorm(), buffers.residual(), table.picks(), buffers.picked());
        head = new Product(module, parts.arena(), model.head(), null, new Product.Operands(buffers.picked(),
                buffers.logits(), shape.vocabulary(), Product.Finish.WRITE, split(buffers)), norms(parts, false, null),
                null);
        sampler = new TokenSampler(module, parts.arena(),
                new TokenSampler.Operands(buffers.logits(), table.choices(), parts.chosen(), shape.vocabulary()),
                buffers.sampler(), parts.sizes().sampleBlocks()::of);
    }

    private static LayerCalls layer(PassParts parts, int index) {
        List<DeviceModel.Layer> layers = parts.model().layers();
        DeviceModel.Layer layer = layers.get(index);
        CudaLaneBuffers buffers = parts.buffers();
        CudaLaneBuffers.Sizes sizes = parts.sizes();
        ModelShape shape = parts.model().shape();
        Product.Finish activation = sizes.gated() ? Product.Finish.SWIGLU : Product.Finish.GELU;
        return new LayerCalls(norm(parts, layer.attentionNorm(), buffers.residual(), null, buffers.normed()),
                ordered(parts, layer.queryKeyValue(), buffers.normed(),
                        x -> product(parts, layer.queryKeyValue(), x, buffers.queryKeyValue(),
                                shape.queryKeyValueWidth(), Product.Finish.WRITE)),
                placing(parts, layer, index), attention(parts, layer, index),
                ordered(parts, layer.output(), buffers.attended(),
                        x -> added(parts, layer.output(), x, layer.feedForwardNorm())),
                norm(parts, layer.feedForwardNorm(), buffers.residual(), null, buffers.normed()),
                ordered(parts, layer.up(), buffers.normed(),
                        x -> product(parts, layer.up(), x, buffers.activated(),
                                PaddedWidth.inputs(shape.intermediate()), activation)),
                added(parts, layer.down(), buffers.activated(),
                        index + 1 < layers.size() ? layers.get(index + 1).attentionNorm() : null));
    }

    /// A product of x, whose elements are first brought into the order of its weights if they have one.
    private static Ordered ordered(PassParts parts, DeviceModel.Linear linear, DeviceAddress x,
            Function<DeviceAddress, Product> product) {
        DeviceModel.InputOrder order = linear.order();
        int stride = linear.weight().paddedInputs();
        if (order == null) {
            return new Ordered(null, stride, product.apply(x));
        }
        DeviceAddress to = parts.buffers().ordered();
        KernelArguments ordering = KernelArguments.of(KernelStruct.REORDERING, parts.arena()).address("x", x)
                .address("order", order.places()).address("out", to).integer("stride", stride)
                .integer("width", order.inputs()).build();
        return new Ordered(ordering, stride, product.apply(to));
    }

    private static Product product(PassParts parts, DeviceModel.Linear linear, DeviceAddress x, DeviceAddress y,
            int stride, Product.Finish finish) {
        return new Product(parts.module(), parts.arena(), linear.weight(), linear.bias(),
                new Product.Operands(x, y, stride, finish, split(parts.buffers())),
                norms(parts, folded(parts.model()), null), parts.gemm());
    }

    private static Product.Split split(CudaLaneBuffers buffers) {
        return new Product.Split(buffers.splitSums(), buffers.splitArrivals());
    }

    /// A product that is added to the residual stream, with the norm that follows it.
    private static Product added(PassParts parts, DeviceModel.Linear linear, DeviceAddress x,
            DeviceModel.@Nullable Norm next) {
        CudaLaneBuffers buffers = parts.buffers();
        ModelShape shape = parts.model().shape();
        return new Product(parts.module(), parts.arena(), linear.weight(), linear.bias(),
                new Product.Operands(x, buffers.residual(), shape.hidden(), Product.Finish.ADD, split(buffers)),
                norms(parts, false, next == null || !folded(parts.model()) ? null : next.weight()), parts.gemm());
    }

    private static Product.Norms norms(PassParts parts, boolean in, @Nullable DeviceAddress next) {
        ModelShape shape = parts.model().shape();
        return new Product.Norms(in, next, parts.buffers().normed(), parts.buffers().squares(), shape.hidden(),
                (float) shape.normEpsilon());
    }

    /// Whether the model has RMSNorms, which have no bias.
    private static boolean folded(DeviceModel model) {
        return model.finalNorm().bias() == null;
    }

    private static KernelArguments norm(PassParts parts, DeviceModel.Norm norm, DeviceAddress x,
            @Nullable DeviceAddress picks, DeviceAddress out) {
        ModelShape shape = parts.model().shape();
        return KernelArguments.of(KernelStruct.NORM, parts.arena()).address("x", x).optional("pick", picks)
                .address("weight", norm.weight()).optional("bias", norm.bias()).address("out", out)
                .integer("xStride", shape.hidden()).integer("outStride", PaddedWidth.inputs(shape.hidden()))
                .integer("width", shape.hidden()).real("epsilon", (float) shape.normEpsilon()).build();
    }

    private static KernelArguments placing(PassParts parts, DeviceModel.Layer layer, int index) {
        DeviceStepTable table = parts.table();
        return heads(KernelArguments.of(KernelStruct.PLACEMENT, parts.arena()), parts, layer)
                .address("rows", table.stepRows()).address("blockTables", table.blockTables())
                .address("q", parts.buffers().query()).integer("blockTokens", parts.pool().blockTokens()).in("cache")
                .address("entries", parts.pool().entries(index)).optional("scales", parts.pool().scales(index)).build();
    }

    private static Attention attention(PassParts parts, DeviceModel.Layer layer, int index) {
        CudaLaneBuffers buffers = parts.buffers();
        DeviceStepTable table = parts.table();
        KernelArguments arguments = heads(KernelArguments.of(KernelStruct.ATTENTION, parts.arena()), parts, layer)
                .address("q", buffers.query()).address("items", table.attentionItems())
                .address("rows", table.stepRows()).address("blockTables", table.blockTables())
                .address("partial", buffers.partial()).address("arrivals", buffers.arrivals())
                .address("out", buffers.attended()).integer("blockTokens", parts.pool().blockTokens())
                .integer("outStride", PaddedWidth.inputs(parts.model().shape().queryWidth()))
                .integer("window", parts.model().shape().slidingWindow()).integer("placed", 0).in("cache")
                .address("entries", parts.pool().entries(index)).optional("scales", parts.pool().scales(index)).build();
        return new Attention(arguments, arguments.integer("placed"));
    }

    /// Adds queries, keys and values: products, head norms, positions.
    private static KernelArguments.Builder heads(KernelArguments.Builder builder, PassParts parts,
            DeviceModel.Layer layer) {
        ModelShape shape = parts.model().shape();
        return builder.in("heads").address("qkv", parts.buffers().queryKeyValue())
                .optional("queryNorm", layer.queryNorm()).optional("keyNorm", layer.keyNorm())
                .optional("rotary", parts.model().rotary()).integer("stride", shape.queryKeyValueWidth())
                .integer("heads", shape.heads()).integer("kvHeads", shape.kvHeads()).integer("headDim", shape.headDim())
                .real("epsilon", (float) shape.normEpsilon()).in("");
    }

    /// Enqueues the pass over the step table's rows on the stream, up to the likeliest tokens.
    void launch(DeviceStream stream) {
        int rows = table.rows();
        int hidden = model.shape().hidden();
        int parts = gemm != null && gemm.takes(rows) ? LibraryProduct.normParts(hidden)
                : KernelTiles.normParts(rows, hidden);
        embedding.launch(embed, stream, table.stagingBlocks() + rows, 1, 1);
        for (LayerCalls layer : layers) {
            if (!folded) {
                layer.attentionNorm().launch(norm, stream, rows, 1, 1);
            }
            launch(layer.queryKeyValue(), stream, rows, layer == layers.getFirst() ? 1 : parts);
            attend(layer, stream);
            launch(layer.output(), stream, rows, parts);
            if (!folded) {
                layer.feedForwardNorm().launch(norm, stream, rows, 1, 1);
            }
            launch(layer.up(), stream, rows, parts);
            layer.down().launch(stream, rows, parts);
        }
        if (table.sampled() > 0) {
            finalNorm.launch(norm, stream, table.sampled(), 1, 1);
            head.launch(stream, table.sampled(), 0);
            sampler.chooseLikeliest(stream, table.sampled());
        }
    }

    private void launch(Ordered ordered, DeviceStream stream, int rows, int parts) {
        KernelArguments ordering = ordered.ordering();
        if (ordering != null) {
            int blocks = Math.ceilDiv(ordered.width(), KernelTiles.REORDER_THREADS);
            ordering.launch(reorder, stream, rows, blocks, 1);
        }
        ordered.product().launch(stream, rows, parts);
    }

    /// Enqueues the draw of tokens that are not the likeliest ones, if the step has any. Never part of a graph, which
    /// would then have to exist with and without it.
    void draw(DeviceStream stream) {
        if (table.drawn()) {
            sampler.draw(stream, table.sampled());
        }
    }

    private void attend(LayerCalls layer, DeviceStream stream) {
        if (table.chunks()) {
            // The whole step is cached before it is read. A single row needs no launch for that: the block that reads
            // its position caches it.
            layer.placing().launch(place, stream, table.rows(), 1, 1);
        }
        if (table.items() > 0) {
            layer.attention().placed().set(table.chunks() ? 1 : 0);
            layer.attention().arguments().launch(attend, stream, table.items() * model.shape().kvHeads(), 1, 1);
        }
    }
}
