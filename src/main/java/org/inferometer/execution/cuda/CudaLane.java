package org.inferometer.execution.cuda;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import jcuda.Pointer;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Computes steps on its own CUDA stream. Kernels read the step table from pinned host memory and write the sampled
/// tokens to it; nothing is copied by the driver.
///
/// Decode-only steps use recorded graphs if the options ask for graphs. Kernel time is the time between two device
/// events.
final class CudaLane extends CudaLaneWork<Step> {
    private final DeviceModel model;
    private final CudaLaneBuffers buffers;
    private final boolean graphs;
    private final int recordedRows;
    private final DeviceStream stream;
    private final CUevent begun;
    private final CUevent ended;
    private final float[] elapsed = new float[1];
    private final DeviceStepTable large;
    private final CudaForwardPass largePass;
    private final DeviceStepTable small;
    private final DecodeGraphs recorded;
    private final KernelModule kernels;
    private final PinnedMemory chosen; // token ids [sampled], written by the sampler

    /// The inputs of a lane.
    ///
    /// @param gemm cuBLASLt and its sizes, if it computes products
    /// @param dependent launches kernels so that each may start while the one before ends; empty for ordinary launches
    /// @param priority of the stream; lower numbers go first
    record LaneSetup(CudaDevice device, DeviceMemory memory, KernelModule module, DeviceModel model, CudaKvPool pool,
            ExecutorSizes sizes, CudaLaneBuffers.Sizes bufferSizes, Optional<GemmLibrary> gemm, boolean graphs,
            Optional<LaunchFunction> dependent, int priority, Clock clock) {}

    /// cuBLASLt with the sizes of its products.
    record GemmLibrary(CublasLt library, GemmSizes sizes) {}

    /// Allocates the lane's memory; the device's context is current. On failure only allocations from `memory` remain.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    CudaLane(LaneSetup setup) throws ExecutorException {
        super(setup.device(), setup.clock());
        model = setup.model();
        graphs = setup.graphs();
        kernels = setup.dependent().map(launch -> setup.module().dependent(new DependentLaunch(launch, arena)))
                .orElse(setup.module());
        ExecutorSizes sizes = setup.sizes();
        recordedRows = CudaLaneBuffers.Sizes.recordedRows(sizes);
        try {
            buffers = CudaLaneBuffers.take(setup.bufferSizes(), setup.memory());
            DeviceStepTable.Capacity all = largeTable(sizes, setup.bufferSizes(), setup.pool().blockTokens());
            large = table(setup, all);
            small = table(setup, smallTable(sizes, setup.bufferSizes(), all));
            chosen = held.taken(new PinnedMemory((long) Integer.BYTES * setup.bufferSizes().sampled()),
                    PinnedMemory::close);
            begun = event();
            ended = event();
            stream = stream(setup.priority());
            largePass = pass(setup, large, gemm(setup));
            // The library is not called while a stream is captured.
            recorded = held.taken(new DecodeGraphs(pass(setup, small, null)), DecodeGraphs::close);
            if (graphs) {
                recorded.recordAll(stream, small, recordedRows);
                CudaFailure.require("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
            }
        } catch (ExecutorException | RuntimeException | Error refused) {
            held.close();
            throw refused;
        }
    }

    private DeviceStepTable table(LaneSetup setup, DeviceStepTable.Capacity capacity) throws ExecutorException {
        return held.taken(
                new DeviceStepTable(setup.memory(), capacity, setup.bufferSizes().tiling(), setup.pool().blockTokens()),
                DeviceStepTable::close);
    }

    private CUevent event() {
        return held.taken(Streams.event(), JCudaDriver::cuEventDestroy);
    }

    private @Nullable LaneGemm gemm(LaneSetup setup) throws ExecutorException {
        if (setup.gemm().isEmpty()) {
            return null;
        }
        GemmLibrary gemm = setup.gemm().get();
        GemmScratch scratch = GemmScratch.take(gemm.sizes(), setup.memory());
        return held.taken(new LaneGemm(gemm.library(), gemm.sizes(), scratch, stream), LaneGemm::close);
    }

    private CudaForwardPass pass(LaneSetup setup, DeviceStepTable table, @Nullable LaneGemm gemm) {
        return new CudaForwardPass(new CudaForwardPass.PassParts(kernels, setup.model(), setup.pool(), table,
                chosen.address(), buffers, setup.bufferSizes(), gemm, arena));
    }

    private static DeviceStepTable.Capacity largeTable(ExecutorSizes sizes, CudaLaneBuffers.Sizes buffers,
            int blockTokens) {
        long blocks = (long) sizes.maxSampledRows() * Math.ceilDiv(sizes.maxSequencePositions(), blockTokens);
        return DeviceStepTable.Capacity.of(buffers.rows(), buffers.sampled(), (int) Math.min(blocks, 1 << 28),
                buffers.tiling());
    }

    private static DeviceStepTable.Capacity smallTable(ExecutorSizes sizes, CudaLaneBuffers.Sizes buffers,
            DeviceStepTable.Capacity large) {
        int recorded = CudaLaneBuffers.Sizes.recordedRows(sizes);
        return DeviceStepTable.Capacity.of(recorded, recorded, large.blocks(), buffers.tiling());
    }

    /// Bytes of a lane's step tables on the device.
    static long tableBytes(ExecutorSizes sizes, CudaLaneBuffers.Sizes buffers, int blockTokens) {
        DeviceStepTable.Capacity all = largeTable(sizes, buffers, blockTokens);
        return all.bytes() + smallTable(sizes, buffers, all).bytes();
    }

    @Override
    StepOutcome compute(Step step, long startNanos) throws ExecutorException {
        boolean wholeGraph = graphs && onlyDecodes(step);
        DeviceStepTable table = wholeGraph ? small : large;
        int padded = wholeGraph ? DecodeGraphs.padded(step.rows()) : 0;
        if (!table.fill(step, padded, padded)) {
            throw new ExecutorException("Step " + step.number() + " has " + step.slices().size() + " slices and "
                    + step.rows() + " positions, which exceeds the executor's step tables.");
        }
        record(begun);
        if (wholeGraph) {
            recorded.launch(stream, padded);
        } else {
            largePass.launch(stream);
            largePass.draw(stream);
        }
        record(ended);
        int[] tokens = tokens(step);
        CudaFailure.require("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(elapsed, begun, ended));
        float[][] logits = step.wantLogits() ? logits(tokens.length) : new float[0][];
        return new StepOutcome.Completed(tokens, startNanos, clock.nanos(), (long) (elapsed[0] * 1e6), logits);
    }

    private boolean onlyDecodes(Step step) {
        List<StepSlice> slices = step.slices();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.get(i).tokens().length != 1) {
                return false;
            }
        }
        return step.rows() <= recordedRows;
    }

    private void record(CUevent event) {
        CudaFailure.require("cuEventRecord", JCudaDriver.cuEventRecord(event, stream));
    }

    /// The sampled tokens, after the device has finished.
    ///
    /// The host may read mapped memory that kernels write only after it has synchronised with their stream or an event
    /// behind them (CUDA C++ Programming Guide, "Mapped Memory"). The kernels need no fence: what a grid wrote is visible
    /// to the host once its end was waited for.
    private int[] tokens(Step step) {
        int count = 0;
        for (int i = 0; i < step.slices().size(); i++) {
            count += step.slices().get(i).sample() ? 1 : 0;
        }
        CudaFailure.require("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
        int[] tokens = new int[count];
        for (int i = 0; i < count; i++) {
            tokens[i] = chosen.segment().getAtIndex(ValueLayout.JAVA_INT, i);
        }
        return tokens;
    }

    private float[][] logits(int rows) {
        int vocabulary = model.shape().vocabulary();
        float[][] logits = new float[rows][vocabulary];
        for (int row = 0; row < rows; row++) {
            CudaFailure.require("cuMemcpyDtoH", JCudaDriver.cuMemcpyDtoH(Pointer.to(logits[row]),
                    buffers.logits().plus((long) Float.BYTES * row * vocabulary), (long) Float.BYTES * vocabulary));
        }
        return logits;
    }
}
