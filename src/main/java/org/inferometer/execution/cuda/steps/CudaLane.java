package org.inferometer.execution.cuda.steps;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.cuda.device.CudaDevice;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.DependentLaunch;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.LaunchFunction;
import org.inferometer.execution.cuda.device.PinnedMemory;
import org.inferometer.execution.cuda.steps.LaneGemm.GemmScratch;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Computes steps on its own CUDA stream. Kernels read the step table from pinned host memory and write the sampled
/// tokens to it; nothing is copied by the driver.
///
/// Decode-only steps use recorded graphs if the options ask for graphs. Kernel time is the time between two device
/// events. A step that repeats the running one is launched behind it and reads the tokens of that one on the device.
final class CudaLane extends CudaLaneWork<Step> {
    private static final int NONE = -1;

    private final DeviceModel model;
    private final CudaLaneBuffers buffers;
    private final KernelModule kernels;
    private final DeviceStream stream;
    private final int recordedRows; // of the largest decode step with a graph, 0 without graphs
    private final List<StepSlot> slots; // in turn
    private final float[] elapsed = new float[1];
    private int turn;
    private int sampledBefore = NONE; // tokens of the step that was launched last; NONE if it failed
    private @Nullable StepSlot aheadSlot; // of the step that was launched behind the running one
    private @Nullable ExecutorException aheadFailure; // its failure
    private long endedNanos; // of the step that ended last

    /// The inputs of a lane.
    ///
    /// @param gemm cuBLASLt and its sizes, if it computes products
    /// @param queuedSteps steps that it holds behind the running one, 0 or 1
    /// @param dependent launches kernels so that each may start while the one before ends; empty for ordinary launches
    /// @param priority of the stream; lower numbers go first
    record LaneSetup(CudaDevice device, DeviceMemory memory, KernelModule module, DeviceModel model, CudaKvPool pool,
            ExecutorSizes sizes, CudaLaneBuffers.Sizes bufferSizes, Optional<GemmLibrary> gemm, boolean graphs,
            int queuedSteps, Optional<LaunchFunction> dependent, int priority, Clock clock) {}

    /// cuBLASLt with the sizes of its products.
    record GemmLibrary(CublasLt library, GemmSizes sizes) {}

    /// Allocates the lane's memory; the device's context is current. On failure only allocations from `memory` remain.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    CudaLane(LaneSetup setup) throws ExecutorException {
        super(setup.device(), setup.clock());
        model = setup.model();
        kernels = setup.dependent().map(launch -> setup.module().dependent(new DependentLaunch(launch, arena)))
                .orElse(setup.module());
        recordedRows = setup.graphs() ? CudaLaneBuffers.Sizes.recordedRows(setup.sizes()) : 0;
        try {
            buffers = CudaLaneBuffers.take(setup.bufferSizes(), setup.memory());
            stream = stream(setup.priority());
            LaneGemm gemm = gemm(setup);
            PinnedMemory chosen = tokenMemory(setup);
            if (setup.queuedSteps() == 0) {
                slots = List.of(slot(setup, chosen, null, gemm));
            } else {
                PinnedMemory other = tokenMemory(setup);
                slots = List.of(slot(setup, chosen, other, gemm), slot(setup, other, chosen, gemm));
            }
            stream.await();
        } catch (ExecutorException | RuntimeException | Error refused) {
            held.close();
            throw refused;
        }
    }

    private PinnedMemory tokenMemory(LaneSetup setup) {
        return held.taken(new PinnedMemory((long) Integer.BYTES * setup.bufferSizes().sampled()), PinnedMemory::close);
    }

    /// @param chosen receives the tokens of its steps
    /// @param before receives those of the step before; null if no step is queued
    private StepSlot slot(LaneSetup setup, PinnedMemory chosen, @Nullable PinnedMemory before, @Nullable LaneGemm gemm)
            throws ExecutorException {
        int blockTokens = setup.pool().blockTokens();
        DeviceStepTable large = table(setup, StepSlot.largeTable(setup.sizes(), setup.bufferSizes(), blockTokens));
        DeviceStepTable small = table(setup, StepSlot.smallTable(setup.sizes(), setup.bufferSizes(), blockTokens));
        // The library is not called while a stream is captured.
        DecodeGraphs recorded =
                held.taken(new DecodeGraphs(pass(setup, small, chosen, before, null)), DecodeGraphs::close);
        recorded.recordAll(stream, small, recordedRows);
        return new StepSlot(large, pass(setup, large, chosen, before, gemm), small, recorded, chosen, event(), event());
    }

    private DeviceStepTable table(LaneSetup setup, DeviceStepTable.Capacity capacity) throws ExecutorException {
        return held.taken(new DeviceStepTable(setup.memory(), capacity, setup.bufferSizes().tiling(),
                setup.model().shape(), setup.pool().blockTokens()), DeviceStepTable::close);
    }

    private DeviceStream.Event event() {
        return held.taken(new DeviceStream.Event(), DeviceStream.Event::close);
    }

    private @Nullable LaneGemm gemm(LaneSetup setup) throws ExecutorException {
        if (setup.gemm().isEmpty()) {
            return null;
        }
        GemmLibrary gemm = setup.gemm().get();
        GemmScratch scratch = GemmScratch.take(gemm.sizes(), setup.memory());
        return held.taken(new LaneGemm(gemm.library(), gemm.sizes(), scratch, stream), LaneGemm::close);
    }

    private CudaForwardPass pass(LaneSetup setup, DeviceStepTable table, PinnedMemory chosen,
            @Nullable PinnedMemory before, @Nullable LaneGemm gemm) {
        return new CudaForwardPass(new CudaForwardPass.PassParts(kernels, setup.model(), setup.pool(), table,
                chosen.address(), before == null ? null : before.address(), buffers, setup.bufferSizes(), gemm, arena));
    }

    @Override
    public int queuedJobs() {
        return slots.size() - 1;
    }

    @Override
    StepOutcome compute(Step step, long startNanos, Supplier<Optional<Step>> behind) throws ExecutorException {
        ExecutorException failure = aheadFailure;
        aheadFailure = null;
        if (failure != null) {
            throw failure;
        }
        StepSlot ahead = aheadSlot;
        aheadSlot = null;
        StepSlot slot = ahead == null ? launch(step) : ahead;
        await(slot, step, behind);
        int[] tokens = slot.tokens(sampled(step));
        float[][] logits = step.wantLogits() ? logits(tokens.length) : new float[0][];
        // A step that was launched behind another starts on the lane when that one ends.
        long fromNanos = ahead == null ? startNanos : endedNanos;
        endedNanos = clock.nanos();
        return new StepOutcome.Completed(tokens, fromNanos, endedNanos, slot.kernelNanos(elapsed), logits);
    }

    /// Enqueues a step in the next slot.
    private StepSlot launch(Step step) throws ExecutorException {
        if (step.repeats() && sampledBefore != step.slices().size()) {
            throw new ExecutorException("Step " + step.number() + " needs the tokens of the step before, which failed; "
                    + "the log has its failure.");
        }
        sampledBefore = NONE;
        turn = (turn + 1) % slots.size();
        StepSlot slot = slots.get(turn);
        slot.launch(stream, step, recordedRows);
        sampledBefore = sampled(step);
        return slot;
    }

    /// Waits for a step. Launches the one behind it as soon as it is there, so that the device need not wait for the host.
    private void await(StepSlot slot, Step step, Supplier<Optional<Step>> behind) {
        if (slots.size() == 1) {
            stream.await();
            return;
        }
        // The next step overwrites the logits.
        boolean seeks = !step.wantLogits();
        while (seeks && !slot.ended().reached()) {
            Optional<Step> next = behind.get();
            if (next.isPresent()) {
                launchAhead(next.get());
                seeks = false;
            } else {
                Thread.onSpinWait();
            }
        }
        slot.ended().await();
    }

    private void launchAhead(Step step) {
        try {
            aheadSlot = named(step, () -> launch(step));
        } catch (ExecutorException failed) {
            aheadFailure = failed;
        }
    }

    private static int sampled(Step step) {
        List<StepSlice> slices = step.slices();
        int count = 0;
        for (int i = 0; i < slices.size(); i++) {
            count += slices.get(i).sample() ? 1 : 0;
        }
        return count;
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
