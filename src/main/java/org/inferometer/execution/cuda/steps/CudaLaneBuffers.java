package org.inferometer.execution.cuda.steps;

import java.util.stream.LongStream;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PaddedWidth;
import org.inferometer.execution.cuda.steps.TokenSampler.SampleBlocks;
import org.inferometer.execution.cuda.steps.TokenSampler.SamplerBuffers;

/// Buffers of one lane on the device, sized by the rows of its largest step. The inputs of products have rows for whole
/// tiles.
///
/// @param residual FP32 `[rows][hidden]`
/// @param normed BF16 `[rows][hidden padded to 128]`; padding stays zero, as in all buffers
/// @param queryKeyValue FP32 `[rows][queryWidth + 2 · kvWidth]`
/// @param query FP16 `[rows][heads][headDim padded to 8]`
/// @param attended BF16 `[rows][queryWidth padded to 128]`
/// @param activated BF16 `[rows][intermediate padded to 128]`
/// @param ordered BF16 `[rows][the wider of hidden and queryWidth, padded to 128]`, the input of a product with act-order
/// @param partial FP32 `[rows of ranges][heads][headDim padded to 4, and 4 more]`, attention over ranges of positions
/// @param arrivals counters of finished thread blocks, one for each row and KV head; zero between launches
/// @param squares FP32, sums of squares of parts of the residual stream; see [KernelTiles#normParts]
/// @param splitSums FP32, sums of products that divide their inputs; see [KernelTiles.Matmul#splits]
/// @param splitArrivals counters of the blocks of such products; zero between launches
/// @param picked BF16 `[sampled][hidden padded to 128]`
/// @param logits FP32 `[sampled][vocabulary]`
/// @param sampler scratch memory of the sampler, for `sampled` rows
record CudaLaneBuffers(DeviceAddress residual, DeviceAddress normed, DeviceAddress queryKeyValue, DeviceAddress query,
        DeviceAddress attended, DeviceAddress activated, DeviceAddress ordered, DeviceAddress partial,
        DeviceAddress arrivals, DeviceAddress squares, DeviceAddress splitSums, DeviceAddress splitArrivals,
        DeviceAddress picked, DeviceAddress logits, SamplerBuffers sampler) {

    /// The sizes from which the buffers follow.
    ///
    /// @param gated whether the feed-forward part is gated
    /// @param ordered whether products have their inputs in orders of their own
    /// @param rows capacity, at least four, the rows of the largest matrix-vector product
    /// @param sampled capacity, at least four
    record Sizes(ModelShape shape, boolean gated, boolean ordered, int rows, int sampled, AttentionTiling tiling) {
        static Sizes of(ModelShape shape, ModelWeights weights, ExecutorSizes sizes, AttentionTiling tiling) {
            int recorded = Math.max(recordedRows(sizes), KernelTiles.MATVEC_TOKENS);
            boolean gated = weights.layers().getFirst().feedForward() instanceof ModelWeights.FeedForward.SwiGlu;
            return new Sizes(shape, gated, weights.hasOrders(), Math.max(sizes.maxStepPositions(), recorded),
                    Math.max(sizes.maxSampledRows(), recorded), tiling);
        }

        /// Rows of the largest decode step that is a recorded graph.
        static int recordedRows(ExecutorSizes sizes) {
            return DecodeGraphs.padded(Math.min(sizes.maxSampledRows(), DecodeGraphs.mostRows()));
        }

        SampleBlocks sampleBlocks() {
            return new SampleBlocks(tiling.multiprocessors(), shape.vocabulary());
        }

        /// Rows of a product's input: wide products read whole tiles of rows.
        private static long inputRows(int rows) {
            int tile = KernelTiles.Matmul.TOKENS_128.tokens();
            return rows <= KernelTiles.Matmul.TOKENS_32.tokens() ? rows : (long) Math.ceilDiv(rows, tile) * tile;
        }

        private long inputBytes(int rows, int width) {
            return Short.BYTES * inputRows(rows) * PaddedWidth.inputs(width);
        }

        /// Bytes of each buffer but the sampler's, in order.
        private long[] each() {
            long row = rows;
            int multiprocessors = tiling.multiprocessors();
            return new long[]{Float.BYTES * row * shape.hidden(), inputBytes(rows, shape.hidden()),
                    Float.BYTES * row * shape.queryKeyValueWidth(),
                    Short.BYTES * row * shape.heads() * PaddedWidth.head(shape.headDim()),
                    inputBytes(rows, shape.queryWidth()), inputBytes(rows, shape.intermediate()),
                    ordered ? inputBytes(rows, Math.max(shape.hidden(), shape.queryWidth())) : 0,
                    Float.BYTES * tiling.mostPartialRows(rows) * shape.heads() * PaddedWidth.partial(shape.headDim()),
                    Integer.BYTES * row * shape.kvHeads(), Float.BYTES * KernelTiles.mostNormSums(rows, shape.hidden()),
                    rows <= KernelTiles.MATVEC_TOKENS ? 0
                            : Float.BYTES * KernelTiles.Matmul.mostSplitSums(multiprocessors),
                    (long) Integer.BYTES * KernelTiles.Matmul.mostSplitBlocks(multiprocessors),
                    inputBytes(sampled, shape.hidden()), (long) Float.BYTES * sampled * shape.vocabulary()};
        }

        /// Bytes of all buffers.
        long bytes() {
            return LongStream.of(each()).sum()
                    + SamplerBuffers.bytes(sampled, sampleBlocks().most(sampled), shape.vocabulary());
        }
    }

    /// Allocates all buffers.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    static CudaLaneBuffers take(Sizes sizes, DeviceMemory memory) throws ExecutorException {
        DeviceAddress[] taken = memory.takeEach(DeviceMemory.Owner.ACTIVATIONS, sizes.each());
        return new CudaLaneBuffers(taken[0], taken[1], taken[2], taken[3], taken[4], taken[5], taken[6], taken[7],
                taken[8], taken[9], taken[10], taken[11], taken[12], taken[13], SamplerBuffers.take(sizes.sampled(),
                        sizes.sampleBlocks().most(sizes.sampled()), sizes.shape().vocabulary(), memory));
    }
}
