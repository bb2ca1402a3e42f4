package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.steps.CudaKvPool;
import org.inferometer.workload.Sampling;

/// A model whose steps are timed on a GPU, and those steps. Few layers stand for all of a model: their weights are
/// several times the largest cache.
///
/// @param id in figures: "8b"
/// @param name in messages
/// @param limited whether its decode rate has a limit; fixed costs of a launch dominate in small models
public record StepSubject(String id, String name, ModelShape shape, boolean limited, Extent extent) {
    static final int BLOCK_TOKENS = 16;
    private static final Sampling TOP_P = new Sampling(0.8, 0, 0.9, 1);

    /// @param context positions before a decoded token
    /// @param longContext of one long sequence
    /// @param together sequences that decode together
    /// @param prompt positions of a prompt
    record Extent(int context, int longContext, int together, int prompt) {}

    private static final Extent CARD = new Extent(128, 4096, 64, 2048);

    /// Layers of Llama-3.1-8B and of TinyLlama.
    public static final List<StepSubject> ALL = List.of(
            new StepSubject("8b", "two layers of Llama-3.1-8B",
                    RandomModel.shape(ModelFamily.LLAMA, 2, 4096, 14_336, 32, 8, 128, 8_000, null), true, CARD),
            new StepSubject("1b", "eight layers of TinyLlama-1.1B",
                    RandomModel.shape(ModelFamily.LLAMA, 8, 2048, 5632, 32, 4, 64, 32_000, null), false, CARD));

    /// To see that every step is timed; the times mean nothing.
    public static final List<StepSubject> SMALL = List.of(new StepSubject("tiny", "a tiny model",
            RandomModel.shape(ModelFamily.LLAMA, 1, 32, 32, 2, 1, 64, 20, null), false, new Extent(5, 70, 3, 20)));

    /// Random weights. All layers have those of one, which fit in a heap of 1 GiB; the device has a copy for each layer.
    RandomModel model(DeviceFormat format) {
        ModelShape oneLayer = new ModelShape(shape.family(), 1, shape.hidden(), shape.intermediate(), shape.heads(),
                shape.kvHeads(), shape.headDim(), shape.vocabulary(), shape.maxPositions(), shape.tiedHead(),
                shape.ropeTheta(), shape.ropeScaling(), shape.normEpsilon(), shape.slidingWindow());
        ModelWeights one = RandomModel.of(oneLayer, format.everywhere(), 1).weights();
        return new RandomModel(shape, new ModelWeights(one.embedding(), one.positions(),
                Collections.nCopies(shape.layers(), one.layers().getFirst()), one.finalNorm(), one.head()));
    }

    /// The products of its layers, as kernels are timed.
    KernelSizes kernels(KernelSizes.Effort effort) {
        return new KernelSizes(shape, List.of(extent.prompt()), List.of(), effort);
    }

    /// Room for all steps.
    ExecutorSizes sizes(CudaOptions options) {
        int blocks = blocks(extent.together()) + blocks(1, Math.max(extent.longContext(), extent.prompt()));
        return new ExecutorSizes(blocks * CudaKvPool.blockBytes(shape, options), extent.prompt(),
                Math.max(extent.longContext(), extent.prompt()) + 1, extent.together() + 1);
    }

    private int blocks(int sequences) {
        return blocks(sequences, extent.context());
    }

    private static int blocks(int sequences, int context) {
        return sequences * Math.ceilDiv(context + 1, BLOCK_TOKENS);
    }

    /// One token of each of some sequences of the usual length.
    Step decode(int sequences, boolean topP) {
        return new Step(0, slices(sequences, topP ? TOP_P : Sampling.GREEDY), 0, false);
    }

    /// One token of the long sequence.
    Step decodeLong() {
        return new Step(0, List.of(longSlice()), 0, false);
    }

    /// As many sequences as decode together, one of them the long one.
    Step decodeRagged() {
        List<StepSlice> slices = slices(extent.together() - 1, Sampling.GREEDY);
        slices.add(longSlice());
        return new Step(0, slices, 0, false);
    }

    /// A whole prompt.
    Step prefill() {
        return new Step(0, List.of(new StepSlice(0, new int[extent.prompt()], longBlocks(), true, Sampling.GREEDY)), 0,
                false);
    }

    private List<StepSlice> slices(int sequences, Sampling sampling) {
        int each = blocks(1);
        List<StepSlice> slices = new ArrayList<>();
        for (int i = 0; i < sequences; i++) {
            slices.add(new StepSlice(extent.context(), new int[]{i % shape.vocabulary()},
                    IntStream.range(i * each, (i + 1) * each).toArray(), true, sampling));
        }
        return slices;
    }

    private StepSlice longSlice() {
        return new StepSlice(extent.longContext(), new int[]{1}, longBlocks(), true, Sampling.GREEDY);
    }

    private int[] longBlocks() {
        int first = blocks(extent.together());
        return IntStream.range(first, first + blocks(1, Math.max(extent.longContext(), extent.prompt()))).toArray();
    }

    /// Floating-point operations of the products of a prompt: two for each weight of the layers and position, and the
    /// head's for one position.
    double prefillFlops() {
        double layer = (double) shape.hidden()
                * (2.0 * shape.queryWidth() + 2.0 * shape.kvWidth() + 3.0 * shape.intermediate());
        return 2 * (shape.layers() * layer * extent.prompt() + (double) shape.hidden() * shape.vocabulary());
    }
}
