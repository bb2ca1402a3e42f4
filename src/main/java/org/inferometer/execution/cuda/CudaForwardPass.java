package org.inferometer.execution.cuda;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUstream;
import org.inferometer.engine.ModelShape;
import org.jspecify.annotations.Nullable;

/// The transformer's forward pass as kernel launches, prepared once for one step table and one lane's buffers. Used by
/// one lane.
///
/// Products round activations to BF16 and add in FP32. The residual stream is FP32; queries and keys are FP16.
final class CudaForwardPass {
    private static final int DECODE_SPLITS = 19;

    private final DeviceModel model;
    private final Attention attention;
    private final DeviceStepTable table;
    private final DecodeSplits splits;
    private final Kernel embed;
    private final Kernel norm;
    private final Kernel place;
    private final Kernel sample;
    private final KernelArguments embedding;
    private final List<LayerCalls> layers = new ArrayList<>();
    private final KernelArguments finalNorm;
    private final Product head;
    private final KernelArguments sampling;

    /// The kernels of attention.
    private record Attention(Kernel decode, Kernel prefill) {}

    /// The launches of one layer, in order.
    private record LayerCalls(KernelArguments attentionNorm, Product queryKeyValue, KernelArguments placing,
            KernelArguments decoding, KernelArguments prefilling, Product output, KernelArguments feedForwardNorm,
            Product up, Product down) {}

    /// The inputs of a pass.
    ///
    /// @param arena lives as long as the pass
    record PassParts(KernelModule module, DeviceModel model, CudaKvPool pool, DeviceStepTable table,
            CudaLaneBuffers buffers, CudaLaneBuffers.Sizes sizes, Arena arena) {}

    CudaForwardPass(PassParts parts) {
        KernelModule module = parts.module();
        model = parts.model();
        table = parts.table();
        splits = parts.sizes().splits();
        ModelShape shape = model.shape();
        String kv = parts.pool().format();
        embed = module.kernel("embed_" + model.embedding().format(), KernelTiles.EMBED_THREADS, 0);
        norm = module.kernel("norm", KernelTiles.NORM_THREADS, 0);
        place = module.kernel("place_" + kv, KernelTiles.PLACE_THREADS, 0);
        sample = module.kernel("sample", KernelTiles.SAMPLE_THREADS, 0);
        CudaLaneBuffers buffers = parts.buffers();
        embedding = KernelArguments.of(parts.arena()).address(model.embedding().values())
                .address(model.embedding().scales()).integer(model.embedding().strideBytes()).address(table.tokens())
                .address(table.positions()).optional(model.positions()).address(buffers.residual())
                .integer(shape.hidden()).build();
        attention = new Attention(module.kernel("attend_decode_" + kv, KernelTiles.ATTEND_THREADS, 0),
                module.kernel("attend_prefill_" + kv, KernelTiles.PREFILL_THREADS, 0));
        for (int layer = 0; layer < model.layers().size(); layer++) {
            layers.add(layer(parts, layer));
        }
        finalNorm = norm(parts, model.finalNorm(), buffers.residual(), table.picks(), buffers.picked());
        head = new Product(module, parts.arena(), model.head(), null,
                new Product.Operands(buffers.picked(), buffers.logits(), shape.vocabulary(), Product.Finish.WRITE),
                null);
        sampling = KernelArguments.of(parts.arena()).address(buffers.logits()).integer(shape.vocabulary())
                .integer(shape.vocabulary()).address(table.choices()).address(buffers.chosen()).build();
    }

    private static LayerCalls layer(PassParts parts, int index) {
        List<DeviceModel.Layer> layers = parts.model().layers();
        DeviceModel.Layer layer = layers.get(index);
        CudaLaneBuffers buffers = parts.buffers();
        CudaLaneBuffers.Sizes sizes = parts.sizes();
        ModelShape shape = parts.model().shape();
        Product.Finish activation = sizes.gated() ? Product.Finish.SWIGLU : Product.Finish.GELU;
        return new LayerCalls(norm(parts, layer.attentionNorm(), buffers.residual(), null, buffers.normed()),
                product(parts, layer.queryKeyValue(), buffers.normed(), buffers.queryKeyValue(),
                        sizes.queryKeyValueWidth(), Product.Finish.WRITE),
                placing(parts, layer, index), decoding(parts, layer, index), prefilling(parts, index),
                added(parts, layer.output(), buffers.attended(), layer.feedForwardNorm()),
                norm(parts, layer.feedForwardNorm(), buffers.residual(), null, buffers.normed()),
                product(parts, layer.up(), buffers.normed(), buffers.activated(),
                        PaddedWidth.inputs(shape.intermediate()), activation),
                added(parts, layer.down(), buffers.activated(),
                        index + 1 < layers.size() ? layers.get(index + 1).attentionNorm() : null));
    }

    private static Product product(PassParts parts, DeviceModel.Linear linear, DeviceAddress x, DeviceAddress y,
            int stride, Product.Finish finish) {
        return new Product(parts.module(), parts.arena(), linear.weight(), linear.bias(),
                new Product.Operands(x, y, stride, finish), null);
    }

    /// A product that is added to the residual stream, with the norm that follows it.
    private static Product added(PassParts parts, DeviceModel.Linear linear, DeviceAddress x,
            DeviceModel.@Nullable Norm next) {
        CudaLaneBuffers buffers = parts.buffers();
        ModelShape shape = parts.model().shape();
        Product.NextNorm norm = next == null ? null : new Product.NextNorm(next, buffers.normed(),
                PaddedWidth.inputs(shape.hidden()), (float) shape.normEpsilon(), buffers.arrivals());
        return new Product(parts.module(), parts.arena(), linear.weight(), linear.bias(),
                new Product.Operands(x, buffers.residual(), shape.hidden(), Product.Finish.ADD), norm);
    }

    private static KernelArguments norm(PassParts parts, DeviceModel.Norm norm, DeviceAddress x,
            @Nullable DeviceAddress picks, DeviceAddress out) {
        ModelShape shape = parts.model().shape();
        return KernelArguments.of(parts.arena()).address(x).integer(shape.hidden()).optional(picks)
                .address(norm.weight()).optional(norm.bias()).address(out).integer(PaddedWidth.inputs(shape.hidden()))
                .integer(shape.hidden()).real((float) shape.normEpsilon()).build();
    }

    private static KernelArguments placing(PassParts parts, DeviceModel.Layer layer, int index) {
        ModelShape shape = parts.model().shape();
        return heads(parts, layer).address(parts.table().positions()).address(parts.table().tables())
                .address(parts.table().blockTables()).address(parts.buffers().query())
                .address(parts.pool().layer(index)).integer(shape.heads()).integer(shape.kvHeads())
                .integer(shape.headDim()).integer(parts.pool().blockTokens()).real((float) shape.normEpsilon()).build();
    }

    private static KernelArguments decoding(PassParts parts, DeviceModel.Layer layer, int index) {
        ModelShape shape = parts.model().shape();
        return lookup(heads(parts, layer).real((float) shape.normEpsilon()).address(parts.pool().layer(index))
                .address(parts.table().decoding()), parts.table()).address(parts.buffers().partial())
                .address(parts.buffers().arrivals()).address(parts.buffers().attended())
                .integer(PaddedWidth.inputs(shape.queryWidth())).integer(shape.heads()).integer(shape.kvHeads())
                .integer(shape.headDim()).integer(parts.pool().blockTokens()).integer(1).integer(shape.queryWidth())
                .build();
    }

    private static KernelArguments prefilling(PassParts parts, int index) {
        ModelShape shape = parts.model().shape();
        return lookup(KernelArguments.of(parts.arena()).address(parts.buffers().query())
                .address(parts.pool().layer(index)).address(parts.table().prefillTiles()), parts.table())
                .address(parts.buffers().attended()).integer(PaddedWidth.inputs(shape.queryWidth()))
                .integer(shape.heads()).integer(shape.kvHeads()).integer(shape.headDim())
                .integer(parts.pool().blockTokens()).integer(shape.queryWidth()).build();
    }

    /// Arguments for queries, keys and values: products, head norms, positions and cache.
    private static KernelArguments.Builder heads(PassParts parts, DeviceModel.Layer layer) {
        return KernelArguments.of(parts.arena()).address(parts.buffers().queryKeyValue())
                .integer(parts.sizes().queryKeyValueWidth()).optional(layer.queryNorm()).optional(layer.keyNorm())
                .optional(parts.model().rotary());
    }

    private static KernelArguments.Builder lookup(KernelArguments.Builder builder, DeviceStepTable table) {
        return builder.address(table.positions()).address(table.tables()).address(table.blockTables());
    }

    /// The number of parts into which the positions of decoding rows are split.
    int splits() {
        return splits.of(table.decodeRows(), table.longest());
    }

    /// Enqueues the pass over the step table's rows on the stream.
    ///
    /// @param parts number of parts of the positions of each decoding row
    void launch(CUstream stream, int parts) {
        int rows = table.rows();
        // With few rows, the products that are added to the residual stream also compute the next norm.
        boolean separateNorms = rows > KernelTiles.MATVEC_TOKENS;
        embedding.launch(embed, stream, rows, 1, 1);
        for (LayerCalls layer : layers) {
            if (separateNorms || layer == layers.getFirst()) {
                layer.attentionNorm().launch(norm, stream, rows, 1, 1);
            }
            layer.queryKeyValue().launch(stream, rows);
            attend(layer, stream, parts);
            layer.output().launch(stream, rows);
            if (separateNorms) {
                layer.feedForwardNorm().launch(norm, stream, rows, 1, 1);
            }
            layer.up().launch(stream, rows);
            layer.down().launch(stream, rows);
        }
        if (table.sampled() > 0) {
            finalNorm.launch(norm, stream, table.sampled(), 1, 1);
            head.launch(stream, table.sampled());
            sampling.launch(sample, stream, table.sampled(), 1, 1);
        }
    }

    private void attend(LayerCalls layer, CUstream stream, int parts) {
        ModelShape shape = model.shape();
        if (table.tiles() > 0) {
            // Includes decoding rows, with the values that their own attention writes: the whole step is cached before
            // it is read.
            layer.placing().launch(place, stream, table.rows(), 1, 1);
        }
        if (table.decodeRows() > 0) {
            layer.decoding().set(DECODE_SPLITS, parts);
            layer.decoding().launch(attention.decode(), stream, table.decodeRows(), shape.kvHeads(), parts);
        }
        if (table.tiles() > 0) {
            layer.prefilling().launch(attention.prefill(), stream, table.tiles(), shape.heads(), 1);
        }
    }
}
