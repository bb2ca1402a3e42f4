package org.inferometer.execution.cuda.steps;

import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.PaddedWidth;

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

        int queryKeyValueWidth() {
            return shape.queryWidth() + 2 * shape.kvWidth();
        }

        SampleBlocks sampleBlocks() {
            return new SampleBlocks(tiling.multiprocessors(), shape.vocabulary());
        }

        private long partialBytes() {
            return Float.BYTES * tiling.mostPartialRows(rows) * shape.heads() * PaddedWidth.partial(shape.headDim());
        }

        private long squareBytes() {
            return Float.BYTES * KernelTiles.mostNormSums(rows, shape.hidden());
        }

        private long splitSumBytes() {
            return rows <= KernelTiles.MATVEC_TOKENS ? 0
                    : Float.BYTES * KernelTiles.Matmul.mostSplitSums(tiling.multiprocessors());
        }

        private long splitArrivalBytes() {
            return (long) Integer.BYTES * KernelTiles.Matmul.mostSplitBlocks(tiling.multiprocessors());
        }

        private long arrivalBytes() {
            return Integer.BYTES * (long) rows * shape.kvHeads();
        }

        /// Rows of a product's input: wide products read whole tiles of rows.
        private static long inputRows(int rows) {
            int tile = KernelTiles.Matmul.TOKENS_128.tokens();
            return rows <= KernelTiles.Matmul.TOKENS_32.tokens() ? rows : (long) Math.ceilDiv(rows, tile) * tile;
        }

        private long inputBytes(int rows, int width) {
            return Short.BYTES * inputRows(rows) * PaddedWidth.inputs(width);
        }

        private long orderedBytes() {
            return ordered ? inputBytes(rows, Math.max(shape.hidden(), shape.queryWidth())) : 0;
        }

        /// Bytes of all buffers.
        long bytes() {
            long perRow = Float.BYTES * ((long) shape.hidden() + queryKeyValueWidth())
                    + (long) Short.BYTES * shape.heads() * PaddedWidth.head(shape.headDim());
            long perSampled = (long) Float.BYTES * shape.vocabulary();
            return rows * perRow + sampled * perSampled + inputBytes(rows, shape.hidden())
                    + inputBytes(rows, shape.queryWidth()) + inputBytes(rows, shape.intermediate())
                    + inputBytes(sampled, shape.hidden()) + orderedBytes() + partialBytes() + arrivalBytes()
                    + squareBytes() + splitSumBytes() + splitArrivalBytes()
                    + SamplerBuffers.bytes(sampled, sampleBlocks().most(sampled), shape.vocabulary());
        }
    }

    /// Allocates all buffers.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    static CudaLaneBuffers take(Sizes sizes, DeviceMemory memory) throws ExecutorException {
        ModelShape shape = sizes.shape();
        long rows = sizes.rows();
        long sampled = sizes.sampled();
        DeviceMemory.Owner owner = DeviceMemory.Owner.ACTIVATIONS;
        return new CudaLaneBuffers(memory.take(owner, Float.BYTES * rows * shape.hidden()),
                memory.take(owner, sizes.inputBytes(sizes.rows(), shape.hidden())),
                memory.take(owner, Float.BYTES * rows * sizes.queryKeyValueWidth()),
                memory.take(owner, Short.BYTES * rows * shape.heads() * PaddedWidth.head(shape.headDim())),
                memory.take(owner, sizes.inputBytes(sizes.rows(), shape.queryWidth())),
                memory.take(owner, sizes.inputBytes(sizes.rows(), shape.intermediate())),
                memory.take(owner, sizes.orderedBytes()), memory.take(owner, sizes.partialBytes()),
                memory.take(owner, sizes.arrivalBytes()), memory.take(owner, sizes.squareBytes()),
                memory.take(owner, sizes.splitSumBytes()), memory.take(owner, sizes.splitArrivalBytes()),
                memory.take(owner, sizes.inputBytes(sizes.sampled(), shape.hidden())),
                memory.take(owner, Float.BYTES * sampled * shape.vocabulary()), SamplerBuffers.take(sizes.sampled(),
                        sizes.sampleBlocks().most(sizes.sampled()), shape.vocabulary(), memory));
    }
}
