package org.inferometer.execution.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.OwnedMemory;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.LaneRunners;
import org.inferometer.execution.backend.ModelCheck;
import org.inferometer.execution.backend.StepCheck;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;

/// The GPU backend: one NVIDIA GPU through its driver, a CUDA stream for each lane.
///
/// Weights are carried to the device once; lanes share them and the memory of their pool. The engine may be closed once the
/// executor is open, but callers keep it open as with every backend.
public final class CudaExecutor implements Executor {
    private final String description;
    private final List<Lane> lanes;
    private final StepCheck check;
    private final ExecutorSizes sizes;
    private final OwnedMemory owned;
    private final Held held;
    private boolean open = true;

    /// What is given back on closing, the lanes' threads first.
    ///
    /// @param owned whether the GPU is this executor's to close
    private record Held(LaneRunners runners, DeviceMemory memory, LoadedGpu gpu, boolean owned) {
        void close() {
            runners.close();
            try {
                gpu.device().makeCurrent();
                memory.close();
            } catch (CudaFailure lost) {
                System.getLogger(CudaExecutor.class.getName()).log(System.Logger.Level.WARNING,
                        "The GPU was lost before its memory was given back", lost);
            }
            if (owned) {
                gpu.close();
            }
        }
    }

    private CudaExecutor(String description, List<Lane> lanes, StepCheck check, ExecutorSizes sizes, OwnedMemory owned,
            Held held) {
        this.description = description;
        this.lanes = lanes;
        this.check = check;
        this.sizes = sizes;
        this.owned = owned;
        this.held = held;
    }

    /// Opens the GPU that the options name and carries the engine's weights to it; the caller closes the executor, then the engine.
    ///
    /// @throws ExecutorException without a driver or such a GPU, when either is too old, when memory does not suffice or the driver
    ///     refuses: one sentence with the way out
    public static CudaExecutor open(Engine engine, CudaOptions options, LaneLayout layout, ExecutorSizes sizes,
            Clock clock) throws ExecutorException {
        return open(engine.descriptor().shape(), engine.weights(), options, layout, sizes, clock);
    }

    /// The same with weights that belong to no engine folder.
    ///
    /// @throws ExecutorException as above
    public static CudaExecutor open(ModelShape shape, ModelWeights weights, CudaOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock) throws ExecutorException {
        require(shape, weights, layout, sizes);
        try {
            return open(LoadedGpu.open(options.device()), true, shape, weights, options, layout, sizes, clock);
        } catch (CudaFailure failure) {
            throw refused(options.device(), failure);
        }
    }

    /// The same on a GPU that is open already, stays open and is not closed with the executor; the options' choice counts for nothing.
    ///
    /// @throws ExecutorException as above
    static CudaExecutor open(LoadedGpu gpu, ModelShape shape, ModelWeights weights, CudaOptions options,
            LaneLayout layout, ExecutorSizes sizes, Clock clock) throws ExecutorException {
        require(shape, weights, layout, sizes);
        try {
            return open(gpu, false, shape, weights, options, layout, sizes, clock);
        } catch (CudaFailure failure) {
            throw refused(Integer.toString(gpu.device().index()), failure);
        }
    }

    private static void require(ModelShape shape, ModelWeights weights, LaneLayout layout, ExecutorSizes sizes)
            throws ExecutorException {
        ModelCheck.require(shape, weights, sizes);
        if (layout.computingLanes() == 0) {
            throw new ExecutorException(
                    "The cuda backend needs at least one lane that computes; choose another scheduler.");
        }
    }

    private static ExecutorException refused(String device, CudaFailure failure) {
        return new ExecutorException("Opening the engine on GPU " + device + " failed: " + failure.getMessage() + "; "
                + (failure.outOfMemory() ? DeviceMemory.waysOut() : "look at nvidia-smi") + ".", failure);
    }

    private static CudaExecutor open(LoadedGpu gpu, boolean owned, ModelShape shape, ModelWeights weights,
            CudaOptions options, LaneLayout layout, ExecutorSizes sizes, Clock clock) throws ExecutorException {
        try (Opening opening = new Opening(gpu, owned)) {
            CudaExecutor executor = opened(shape, weights, options, layout, sizes, clock, opening);
            opening.succeeded = true;
            return executor;
        }
    }

    /// What is at hand while an executor is being opened, given back unless that succeeds.
    private static final class Opening implements AutoCloseable {
        private final LoadedGpu gpu;
        private final boolean owned;
        private final DeviceMemory memory;
        private final LaneRunners runners = new LaneRunners();
        private boolean succeeded;

        Opening(LoadedGpu gpu, boolean owned) {
            this.gpu = gpu;
            this.owned = owned;
            try {
                gpu.device().makeCurrent();
                memory = new DeviceMemory(gpu.device());
            } catch (CudaFailure failure) {
                closeGpu();
                throw failure;
            }
        }

        @Override
        public void close() {
            if (!succeeded) {
                runners.close();
                memory.close();
                closeGpu();
            }
        }

        private void closeGpu() {
            if (owned) {
                gpu.close();
            }
        }
    }

    private static CudaExecutor opened(ModelShape shape, ModelWeights weights, CudaOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock, Opening opening) throws ExecutorException {
        CudaDevice device = opening.gpu.device();
        KernelModule module = opening.gpu.module();
        DeviceMemory memory = opening.memory;
        boolean gated = weights.layers().getFirst().feedForward() instanceof ModelWeights.FeedForward.SwiGlu;
        LaneBuffers.Sizes buffers =
                LaneBuffers.Sizes.of(shape, gated, sizes, new DecodeSplits(device.multiprocessors(), shape.kvHeads()));
        MemoryPlan plan = MemoryPlan.of(shape, weights, options, layout, sizes, buffers);
        plan.require(device);
        DeviceModel model;
        try (WeightUpload upload = new WeightUpload(memory, plan.memory().weightBytes())) {
            model = DeviceModel.upload(shape, weights, sizes.maxSequencePositions(), upload);
        }
        List<KvPool> pools = new ArrayList<>();
        for (int pool = 0; pool < plan.poolBlocks().size(); pool++) {
            pools.add(KvPool.take(shape, options, new PoolId(pool), plan.poolBlocks().get(pool), memory));
        }
        for (Lane lane : layout.lanes()) {
            if (lane.role() == Lane.Role.TRANSFER) {
                opening.runners.copy(lane,
                        new CudaTransfer(device, memory, module, pools, sizes, lane.priority(), clock));
            } else {
                KvPool pool = pools.get(lane.pool().index());
                opening.runners.compute(lane, new CudaLane(new CudaLane.Setup(device, memory, module, model, pool,
                        sizes, buffers, options.graphs(), lane.priority(), clock)));
            }
        }
        StepCheck check = new StepCheck(shape, pools.stream().map(KvPool::geometry).toList(), sizes);
        return new CudaExecutor(describe(device, module, options, layout), layout.lanes(), check, sizes, memory.owned(),
                new Held(opening.runners, memory, opening.gpu, opening.owned));
    }

    private static String describe(CudaDevice device, KernelModule module, CudaOptions options, LaneLayout layout) {
        int lanes = layout.computingLanes();
        return "cuda, " + device.name() + ", driver CUDA " + device.driver().text() + ", "
                + (module.choice() == ModuleChoice.WITH_E4M3 ? "kernels for compute capability 8.9"
                        : "kernels for compute capability 8.0")
                + ", " + lanes + (lanes == 1 ? " stream" : " streams") + ", "
                + (options.graphs() ? "decode steps as graphs" : "no graphs")
                + ", BF16 activations; a row's rounding depends on how many are computed together";
    }

    /// Bytes that one position leaves in the KV cache, padding of heads included.
    public static long kvBytesPerToken(ModelShape shape, CudaOptions options) {
        return KvPool.tokenBytes(shape, options);
    }

    @Override
    public Optional<String> gpuUuid() {
        return Optional.of(held.gpu().device().uuid());
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public List<Lane> lanes() {
        return lanes;
    }

    @Override
    public List<KvGeometry> pools() {
        return check.pools();
    }

    @Override
    public int maxStepPositions() {
        return sizes.maxStepPositions();
    }

    @Override
    public OwnedMemory memory() {
        return owned;
    }

    /// Starts a step; a step that would leave the buffers or the lane's pool is answered with a failed outcome on the caller's thread.
    ///
    /// @throws IllegalStateException on a busy lane or a closed executor
    @Override
    public void submit(Lane lane, Step step, Consumer<StepOutcome> whenDone) {
        held.runners().submit(lanes, lane, step, check, whenDone);
    }

    /// Starts a copy of whole blocks; one that would leave a pool, or that is given to a lane which computes or copies elsewhere, is
    /// answered with a failed outcome on the caller's thread.
    ///
    /// @throws IllegalStateException on a busy lane or a closed executor
    @Override
    public void transfer(Lane lane, KvTransfer transfer, Consumer<StepOutcome> whenDone) {
        held.runners().transfer(lanes, lane, transfer, check, whenDone);
    }

    /// Waits for the running steps, ends the threads and gives the memory back; closing twice is allowed.
    @Override
    public void close() {
        if (open) {
            open = false;
            held.close();
        }
    }
}
