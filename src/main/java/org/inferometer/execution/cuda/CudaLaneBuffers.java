package org.inferometer.execution.cuda;

import org.inferometer.engine.ModelShape;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;

/// Buffers of one lane on the device, sized by the rows of its largest step.
///
/// @param residual FP32 `[rows][hidden]`
/// @param normed BF16 `[rows][hidden padded to 128]`; padding stays zero, as in all buffers
/// @param queryKeyValue FP32 `[rows][queryWidth + 2 · kvWidth]`
/// @param query FP16 `[rows][heads][headDim padded to 8]`
/// @param attended BF16 `[rows][queryWidth padded to 128]`
/// @param activated BF16 `[rows][intermediate padded to 128]`
/// @param partial FP32, partial results of splits
/// @param arrivals counters of finished thread blocks, one for each row and KV head; zero between launches
/// @param picked BF16 `[sampled][hidden padded to 128]`
/// @param logits FP32 `[sampled][vocabulary]`
/// @param chosen token ids `[sampled]`
record CudaLaneBuffers(DeviceAddress residual, DeviceAddress normed, DeviceAddress queryKeyValue, DeviceAddress query,
        DeviceAddress attended, DeviceAddress activated, DeviceAddress partial, DeviceAddress arrivals,
        DeviceAddress picked, DeviceAddress logits, DeviceAddress chosen) {

    /// The sizes from which the buffers follow.
    ///
    /// @param gated whether the feed-forward part is gated
    /// @param rows capacity, at least four, the rows of the largest matrix-vector product
    /// @param sampled capacity, at least four
    record Sizes(ModelShape shape, boolean gated, int rows, int sampled, DecodeSplits splits) {
        static Sizes of(ModelShape shape, boolean gated, ExecutorSizes sizes, DecodeSplits splits) {
            int recorded = Math.max(recordedRows(sizes), KernelTiles.MATVEC_TOKENS);
            return new Sizes(shape, gated, Math.max(sizes.maxStepPositions(), recorded),
                    Math.max(sizes.maxSampledRows(), recorded), splits);
        }

        /// Rows of the largest decode step that is a recorded graph.
        static int recordedRows(ExecutorSizes sizes) {
            return DecodeGraphs.padded(Math.min(sizes.maxSampledRows(), DecodeGraphs.mostRows()));
        }

        int queryKeyValueWidth() {
            return shape.queryWidth() + 2 * shape.kvWidth();
        }

        private long partialBytes() {
            return Float.BYTES * splits.mostPartials(rows) * shape.heads() * (shape.headDim() + 2L);
        }

        private long arrivalBytes() {
            return Integer.BYTES * (long) rows * shape.kvHeads();
        }

        /// Bytes of all buffers.
        long bytes() {
            long perRow = Float.BYTES * ((long) shape.hidden() + queryKeyValueWidth())
                    + Short.BYTES * ((long) PaddedWidth.inputs(shape.hidden())
                            + (long) shape.heads() * PaddedWidth.head(shape.headDim())
                            + PaddedWidth.inputs(shape.queryWidth()) + PaddedWidth.inputs(shape.intermediate()));
            long perSampled = (long) Short.BYTES * PaddedWidth.inputs(shape.hidden())
                    + (long) Float.BYTES * shape.vocabulary() + Integer.BYTES;
            return rows * perRow + sampled * perSampled + partialBytes() + arrivalBytes();
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
                memory.take(owner, Short.BYTES * rows * PaddedWidth.inputs(shape.hidden())),
                memory.take(owner, Float.BYTES * rows * sizes.queryKeyValueWidth()),
                memory.take(owner, Short.BYTES * rows * shape.heads() * PaddedWidth.head(shape.headDim())),
                memory.take(owner, Short.BYTES * rows * PaddedWidth.inputs(shape.queryWidth())),
                memory.take(owner, Short.BYTES * rows * PaddedWidth.inputs(shape.intermediate())),
                memory.take(owner, sizes.partialBytes()), memory.take(owner, sizes.arrivalBytes()),
                memory.take(owner, Short.BYTES * sampled * PaddedWidth.inputs(shape.hidden())),
                memory.take(owner, Float.BYTES * sampled * shape.vocabulary()),
                memory.take(owner, Integer.BYTES * sampled));
    }
}
