package org.inferometer.execution.cuda.steps;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.ExecutorDevice;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.LaneExecutor;
import org.inferometer.execution.backend.ModelCheck;
import org.inferometer.execution.backend.StepCheck;
import org.inferometer.execution.cuda.device.CudaDevice;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.LaunchFunction;
import org.inferometer.execution.cuda.device.WarpgroupTile;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Opens executors of the GPU backend: one NVIDIA GPU through its driver, a CUDA stream for each lane.
///
/// Weights are copied to the device once. Lanes share the weights and the memory of their pool.
public final class CudaExecutor {
    private CudaExecutor() {}

    /// Opens the GPU that the options name and copies the engine's weights to it. The caller closes the executor, then
    /// the engine.
    ///
    /// @throws ExecutorException if there is no driver or GPU, either is too old, memory does not suffice, or a driver
    ///     call fails
    public static Executor open(Engine engine, CudaOptions options, LaneLayout layout, ExecutorSizes sizes, Clock clock)
            throws ExecutorException {
        return open(engine.descriptor().shape(), engine.weights(), options, layout, sizes, clock);
    }

    /// Like the above, with weights that belong to no engine folder.
    ///
    /// @throws ExecutorException as above
    public static Executor open(ModelShape shape, ModelWeights weights, CudaOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock) throws ExecutorException {
        return open(null, options.device(), shape, weights, options, layout, sizes, clock);
    }

    /// Like the above, on an open GPU that stays open afterwards. The device option is ignored.
    ///
    /// @throws ExecutorException as above
    public static Executor open(LoadedGpu gpu, ModelShape shape, ModelWeights weights, CudaOptions options,
            LaneLayout layout, ExecutorSizes sizes, Clock clock) throws ExecutorException {
        return open(gpu, Integer.toString(gpu.device().index()), shape, weights, options, layout, sizes, clock);
    }

    /// @param kept stays open; null to open one that the executor closes
    /// @param device that GPU in messages
    private static Executor open(@Nullable LoadedGpu kept, String device, ModelShape shape, ModelWeights weights,
            CudaOptions options, LaneLayout layout, ExecutorSizes sizes, Clock clock) throws ExecutorException {
        ModelCheck.require("cuda", shape, weights, layout, sizes);
        ModelCheck.requireDeviceFormats("cuda", weights);
        try {
            LoadedGpu gpu = kept == null ? LoadedGpu.open(device) : kept;
            return open(gpu, kept == null, shape, weights, options, layout, sizes, clock);
        } catch (CudaFailure failure) {
            throw new ExecutorException("Opening the engine on GPU " + device + " failed: " + failure.getMessage()
                    + "; " + failure.remedy() + ".", failure);
        }
    }

    /// @param owned whether to close the GPU with the executor, or if opening fails
    private static Executor open(LoadedGpu gpu, boolean owned, ModelShape shape, ModelWeights weights,
            CudaOptions options, LaneLayout layout, ExecutorSizes sizes, Clock clock) throws ExecutorException {
        @Nullable DeviceMemory memory = null;
        try {
            gpu.device().makeCurrent();
            memory = new DeviceMemory(gpu.device());
            return start(gpu, owned, memory, shape, weights, options, layout, sizes, clock);
        } catch (ExecutorException | RuntimeException | Error failed) {
            if (memory != null) {
                memory.close();
            }
            if (owned) {
                gpu.close();
            }
            throw failed;
        }
    }

    /// Frees the device's memory after the lanes have ended.
    private static void release(LoadedGpu gpu, boolean owned, DeviceMemory memory) {
        try {
            gpu.device().makeCurrent();
            memory.close();
        } catch (CudaFailure lost) {
            System.getLogger(CudaExecutor.class.getName()).log(System.Logger.Level.WARNING,
                    "The GPU was lost before its memory was released", lost);
        }
        if (owned) {
            gpu.close();
        }
    }

    private static LaneExecutor start(LoadedGpu gpu, boolean owned, DeviceMemory memory, ModelShape shape,
            ModelWeights weights, CudaOptions options, LaneLayout layout, ExecutorSizes sizes, Clock clock)
            throws ExecutorException {
        CudaDevice device = gpu.device();
        KernelModule module =
                options.gemm() == CudaOptions.Gemm.WGMMA ? gpu.module().withWarpgroups(device) : gpu.module();
        CudaLaneBuffers.Sizes buffers = CudaLaneBuffers.Sizes.of(shape, weights, sizes,
                new AttentionTiling(device.multiprocessors(), shape.kvHeads(), shape.heads() / shape.kvHeads()));
        Optional<CudaLane.GemmLibrary> gemm = gpu.gemm().find(options.gemm())
                .map(library -> new CudaLane.GemmLibrary(library,
                        GemmSizes.of(shape, buffers.gated(), buffers.rows(), gpu.gemm())))
                .filter(found -> found.sizes().used());
        CudaMemoryPlan plan = CudaMemoryPlan.of(shape, weights, options, layout, sizes, buffers,
                gemm.map(found -> found.sizes().bytes()).orElse(0L));
        plan.require(device);
        DeviceModel model;
        try (WeightUpload upload =
                new WeightUpload(module, memory, plan.memory().weightBytes(), DeviceModel.mostTileBytes(shape))) {
            model = DeviceModel.upload(shape, weights, sizes.maxSequencePositions(), upload);
        }
        List<CudaKvPool> pools = new ArrayList<>();
        for (int pool = 0; pool < plan.poolBlocks().size(); pool++) {
            pools.add(CudaKvPool.take(shape, options, new PoolId(pool), plan.poolBlocks().get(pool), memory));
        }
        StepCheck check = new StepCheck(shape, pools.stream().map(CudaKvPool::geometry).toList(), sizes);
        Optional<LaunchFunction> dependent = gpu.dependentLaunch(options);
        return LaneExecutor.start(new LaneExecutor.BackendParts(describe(gpu, options, layout, gemm), layout, check,
                () -> List.of(new ExecutorDevice(device.uuid(), memory.owned())), () -> release(gpu, owned, memory)),
                lane -> new CudaLane(new CudaLane.LaneSetup(device, memory, module, model,
                        pools.get(lane.pool().index()), sizes, buffers, gemm, options.graphs(), options.queuedSteps(),
                        dependent, lane.priority(), clock)),
                lane -> new CudaTransfer(device, memory, module, pools, sizes, lane.priority(), clock));
    }

    private static String describe(LoadedGpu gpu, CudaOptions options, LaneLayout layout,
            Optional<CudaLane.GemmLibrary> gemm) {
        CudaDevice device = gpu.device();
        int lanes = layout.computingLanes();
        return "cuda, " + device.name() + ", driver CUDA " + device.driver().text()
                + ", kernels for compute capability " + gpu.module().choice().computeCapability() + ", " + lanes
                + (lanes == 1 ? " stream" : " streams") + ", "
                + (options.graphs() ? "decode steps as graphs" : "no graphs") + ", "
                + (gpu.dependentLaunch(options).isPresent() ? "dependent launches" : "no dependent launches") + ", "
                + (options.queuedSteps() > 0 ? options.queuedSteps() + " queued step, " : "") + "KV cache in "
                + options.kvDtype().text() + ", "
                + gemm.map(used -> "products of " + used.sizes().setup().leastTokens() + " and more tokens by cuBLASLt "
                        + used.library().version()).orElse(ownProducts(options))
                + ", BF16 activations; a row's rounding depends on how many are computed together";
    }

    private static String ownProducts(CudaOptions options) {
        return options.gemm() == CudaOptions.Gemm.WGMMA
                ? "products of " + WarpgroupTile.LEAST_TOKENS + " and more tokens by wgmma" : "own products";
    }

    /// KV bytes per position, including padding of heads.
    public static long kvBytesPerToken(ModelShape shape, CudaOptions options) {
        return CudaKvPool.tokenBytes(shape, options);
    }
}
