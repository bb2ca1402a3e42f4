package org.inferometer.execution.cuda;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUstream;
import org.inferometer.engine.ModelShape;
import org.jspecify.annotations.Nullable;

/// The transformer's forward pass as launches of kernels, prepared once for the places where one step table and one lane's buffers
/// lie. Used by one lane.
///
/// The products round activations to BF16 and add in FP32; the residual stream is FP32, queries and keys are FP16.
final class ForwardPass {
    private static final int ACTIVATE_EACH = 4096;
    private static final int DECODE_SPLITS = 13;
    private static final int COMBINE_SPLITS = 6;

    private final DeviceModel model;
    private final Attention attention;
    private final StepTable table;
    private final DecodeSplits splits;
    private final Kernel embed;
    private final Kernel norm;
    private final Kernel place;
    private final Kernel activate;
    private final Kernel sample;
    /// Blocks of threads that share a row where it is activated.
    private final int activateParts;
    private final KernelArguments embedding;
    private final List<LayerCalls> layers = new ArrayList<>();
    private final KernelArguments finalNorm;
    private final Product head;
    private final KernelArguments sampling;

    /// The kernels of attention.
    private record Attention(Kernel decode, Kernel combine, Kernel prefill, KernelArguments combining) {}

    /// One block's launches in the order of their places.
    private record LayerCalls(
            KernelArguments attentionNorm,
            Product queryKeyValue,
            KernelArguments placing,
            KernelArguments decoding,
            KernelArguments prefilling,
            Product output,
            KernelArguments feedForwardNorm,
            Product up,
            KernelArguments activating,
            Product down) {}

    /// What a pass is prepared for.
    ///
    /// @param arena as long-lived as the pass
    record Parts(
            KernelModule module, DeviceModel model, KvPool pool, StepTable table, LaneBuffers buffers, LaneBuffers.Sizes sizes, Arena arena) {}

    ForwardPass(Parts parts) {
        KernelModule module = parts.module();
        model = parts.model();
        table = parts.table();
        splits = parts.sizes().splits();
        ModelShape shape = model.shape();
        String kv = parts.pool().format();
        embed = module.kernel("embed_" + model.embedding().format(), KernelTiles.EMBED_THREADS, 0);
        norm = module.kernel("norm", KernelTiles.NORM_THREADS, 0);
        place = module.kernel("place_" + kv, KernelTiles.PLACE_THREADS, 0);
        activate = module.kernel(model.layers().getFirst().gated() ? "swiglu" : "gelu", KernelTiles.ACTIVATE_THREADS, 0);
        activateParts = Math.ceilDiv(PaddedWidth.inputs(shape.intermediate()), ACTIVATE_EACH);
        sample = module.kernel("sample", KernelTiles.SAMPLE_THREADS, 0);
        LaneBuffers buffers = parts.buffers();
        embedding = optional(KernelArguments.of(parts.arena())
                .address(model.embedding().values())
                .address(model.embedding().scales())
                .integer(model.embedding().strideBytes())
                .address(table.tokens())
                .address(table.positions()), model.positions())
                .address(buffers.residual())
                .integer(shape.hidden())
                .build();
        attention = new Attention(
                module.kernel("attend_decode_" + kv, KernelTiles.ATTEND_THREADS, 0),
                module.kernel("attend_combine", KernelTiles.COMBINE_THREADS, 0),
                module.kernel("attend_prefill_" + kv, KernelTiles.PREFILL_THREADS, 0),
                combining(parts));
        for (int layer = 0; layer < model.layers().size(); layer++) {
            layers.add(layer(parts, layer));
        }
        finalNorm = norm(parts, model.finalNorm(), buffers.residual(), table.picks(), buffers.picked());
        head = new Product(module, parts.arena(), model.head(), null,
                new Product.Operands(buffers.picked(), buffers.logits(), shape.vocabulary(), false));
        sampling = KernelArguments.of(parts.arena())
                .address(buffers.logits())
                .integer(shape.vocabulary())
                .integer(shape.vocabulary())
                .address(table.choices())
                .address(buffers.chosen())
                .build();
    }

    private static LayerCalls layer(Parts parts, int index) {
        DeviceModel.Layer layer = parts.model().layers().get(index);
        LaneBuffers buffers = parts.buffers();
        LaneBuffers.Sizes sizes = parts.sizes();
        ModelShape shape = parts.model().shape();
        KernelArguments activating = KernelArguments.of(parts.arena())
                .address(buffers.raised())
                .integer(sizes.raisedWidth())
                .integer(shape.intermediate())
                .address(buffers.activated())
                .integer(PaddedWidth.inputs(shape.intermediate()))
                .build();
        return new LayerCalls(
                norm(parts, layer.attentionNorm(), buffers.residual(), null, buffers.normed()),
                product(parts, layer.queryKeyValue(), buffers.normed(), buffers.queryKeyValue(), sizes.queryKeyValueWidth(), false),
                placing(parts, layer, index),
                decoding(parts, index),
                prefilling(parts, index),
                product(parts, layer.output(), buffers.attended(), buffers.residual(), shape.hidden(), true),
                norm(parts, layer.feedForwardNorm(), buffers.residual(), null, buffers.normed()),
                product(parts, layer.up(), buffers.normed(), buffers.raised(), sizes.raisedWidth(), false),
                activating,
                product(parts, layer.down(), buffers.activated(), buffers.residual(), shape.hidden(), true));
    }

    private static Product product(
            Parts parts, DeviceModel.Linear linear, DeviceAddress x, DeviceAddress y, int stride, boolean add) {
        return new Product(parts.module(), parts.arena(), linear.weight(), linear.bias(), new Product.Operands(x, y, stride, add));
    }

    private static KernelArguments norm(
            Parts parts, DeviceModel.Norm norm, DeviceAddress x, @Nullable DeviceAddress picks, DeviceAddress out) {
        ModelShape shape = parts.model().shape();
        KernelArguments.Builder builder = KernelArguments.of(parts.arena()).address(x).integer(shape.hidden());
        return optional(optional(builder, picks).address(norm.weight()), norm.bias())
                .address(out)
                .integer(PaddedWidth.inputs(shape.hidden()))
                .integer(shape.hidden())
                .real((float) shape.normEpsilon())
                .build();
    }

    private static KernelArguments placing(Parts parts, DeviceModel.Layer layer, int index) {
        ModelShape shape = parts.model().shape();
        KernelArguments.Builder builder = KernelArguments.of(parts.arena())
                .address(parts.buffers().queryKeyValue())
                .integer(parts.sizes().queryKeyValueWidth());
        return optional(optional(optional(builder, layer.queryNorm()), layer.keyNorm()), parts.model().rotary())
                .address(parts.table().positions())
                .address(parts.table().tables())
                .address(parts.table().blockTables())
                .address(parts.buffers().query())
                .address(parts.pool().layer(index))
                .integer(shape.heads())
                .integer(shape.kvHeads())
                .integer(shape.headDim())
                .integer(parts.pool().blockTokens())
                .real((float) shape.normEpsilon())
                .build();
    }

    private static KernelArguments decoding(Parts parts, int index) {
        ModelShape shape = parts.model().shape();
        return lookup(KernelArguments.of(parts.arena())
                .address(parts.buffers().query())
                .address(parts.pool().layer(index))
                .address(parts.table().decoding()), parts.table())
                .address(parts.buffers().partial())
                .address(parts.buffers().attended())
                .integer(PaddedWidth.inputs(shape.queryWidth()))
                .integer(shape.heads())
                .integer(shape.kvHeads())
                .integer(shape.headDim())
                .integer(parts.pool().blockTokens())
                .integer(1)
                .integer(shape.queryWidth())
                .build();
    }

    private static KernelArguments combining(Parts parts) {
        ModelShape shape = parts.model().shape();
        return KernelArguments.of(parts.arena())
                .address(parts.buffers().partial())
                .address(parts.table().decoding())
                .address(parts.buffers().attended())
                .integer(PaddedWidth.inputs(shape.queryWidth()))
                .integer(shape.heads())
                .integer(shape.headDim())
                .integer(1)
                .integer(shape.queryWidth())
                .build();
    }

    private static KernelArguments prefilling(Parts parts, int index) {
        ModelShape shape = parts.model().shape();
        return lookup(KernelArguments.of(parts.arena())
                .address(parts.buffers().query())
                .address(parts.pool().layer(index))
                .address(parts.table().prefillTiles()), parts.table())
                .address(parts.buffers().attended())
                .integer(PaddedWidth.inputs(shape.queryWidth()))
                .integer(shape.heads())
                .integer(shape.kvHeads())
                .integer(shape.headDim())
                .integer(parts.pool().blockTokens())
                .integer(shape.queryWidth())
                .build();
    }

    private static KernelArguments.Builder lookup(KernelArguments.Builder builder, StepTable table) {
        return builder.address(table.positions()).address(table.tables()).address(table.blockTables());
    }

    private static KernelArguments.Builder optional(KernelArguments.Builder builder, @Nullable DeviceAddress address) {
        return address == null ? builder.none() : builder.address(address);
    }

    /// Into how many parts the positions of the laid out step's decoding rows are split.
    int splits() {
        return splits.of(table.decodeRows(), table.longest());
    }

    /// Puts the pass over what the step table now holds into the stream's queue.
    ///
    /// @param parts into how many the positions of each decoding row are split
    void launch(CUstream stream, int parts) {
        int rows = table.rows();
        embedding.launch(embed, stream, rows, 1, 1);
        for (LayerCalls layer : layers) {
            layer.attentionNorm().launch(norm, stream, rows, 1, 1);
            layer.queryKeyValue().launch(stream, rows);
            layer.placing().launch(place, stream, rows, 1, 1);
            attend(layer, stream, parts);
            layer.output().launch(stream, rows);
            layer.feedForwardNorm().launch(norm, stream, rows, 1, 1);
            layer.up().launch(stream, rows);
            layer.activating().launch(activate, stream, rows, activateParts, 1);
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
        if (table.decodeRows() > 0) {
            layer.decoding().set(DECODE_SPLITS, parts);
            layer.decoding().launch(attention.decode(), stream, table.decodeRows(), shape.kvHeads(), parts);
            if (parts > 1) {
                attention.combining().set(COMBINE_SPLITS, parts);
                attention.combining().launch(attention.combine(), stream, table.decodeRows(), 1, 1);
            }
        }
        if (table.tiles() > 0) {
            layer.prefilling().launch(attention.prefill(), stream, table.tiles(), shape.heads(), 1);
        }
    }
}
