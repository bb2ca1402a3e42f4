package org.inferometer.execution.host.steps;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.MappedFiles;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.ExecutorDevice;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.LaneExecutor;
import org.inferometer.execution.backend.ModelCheck;
import org.inferometer.execution.backend.StepCheck;
import org.inferometer.execution.host.kernels.PackFile;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.FreeMemory;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.LaneThreads;
import org.inferometer.execution.host.machine.PhysicalCores;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.products.BatchedProduct;
import org.inferometer.execution.host.products.OneDnn;
import org.inferometer.execution.host.products.ProductPlan;
import org.inferometer.execution.host.steps.HostLane.HostTransfer;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Opens executors of the CPU backend: the transformer's forward pass on the Vector API.
///
/// The kernels read packed weights off-heap: mapped from a [PackFile] beside the engine's weights, or packed in memory.
/// Embedding rows come from the engine's mapped weights, so the engine must stay open. Lanes share the weights
/// (read-only) and the memory of their pool; each writes the blocks of its requests. Each lane has its own threads,
/// buffers and scratch memory. A lane's priority has no effect.
public final class HostExecutor {
    private final ModelShape shape;
    private final ModelWeights weights;
    private final HostOptions options;
    private final LaneLayout layout;
    private final ExecutorSizes sizes;
    private final Clock clock;
    private final LaneThreads threads;
    private final ProductPlan products;
    private final Arena arena = Arena.ofShared();
    private @Nullable PackedModel packed;

    private HostExecutor(ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock, ProductPlan products) {
        this.shape = shape;
        this.weights = weights;
        this.options = options;
        this.layout = layout;
        this.sizes = sizes;
        this.clock = clock;
        this.products = products;
        threads = LaneThreads.of(layout, options.threads(), PhysicalCores.count());
    }

    /// Where the packed weights come from.
    private interface Packing {
        PackedModel pack(int threads) throws ExecutorException;

        /// The likely cause if mapped weights cannot be read, as the end of a sentence.
        default String unreadable() {
            return "their mapped file was truncated or its disk failed.";
        }
    }

    /// Weights in an engine folder.
    private record EngineFiles(Engine engine) implements Packing {
        @Override
        public PackedModel pack(int threads) throws ExecutorException {
            try {
                return PackFile.load(engine, threads);
            } catch (EngineFormatException damaged) {
                throw new ExecutorException(String.valueOf(damaged.getMessage()), damaged);
            }
        }

        @Override
        public String unreadable() {
            return MappedFiles.fault(engine.folder());
        }
    }

    /// Allocates memory, maps the packed weights (packs them first if necessary) and starts the lanes' threads. The
    /// caller closes the executor, then the engine.
    ///
    /// @throws ExecutorException when shape and weights do not match, weights are damaged or memory does not suffice
    public static Executor open(Engine engine, HostOptions options, LaneLayout layout, ExecutorSizes sizes, Clock clock)
            throws ExecutorException {
        ModelShape shape = engine.descriptor().shape();
        return open(shape, engine.weights(), options, layout, sizes, clock, OneDnn::multipliesBf16,
                new EngineFiles(engine));
    }

    /// The same with weights that belong to no engine folder: they are packed into memory, their values unchecked.
    ///
    /// @throws ExecutorException when shape and weights do not match or memory does not suffice
    public static Executor open(ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock) throws ExecutorException {
        return open(shape, weights, options, layout, sizes, clock, OneDnn::multipliesBf16);
    }

    /// The same for another processor.
    static Executor open(ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock, BatchedProduct.Processor processor) throws ExecutorException {
        return open(shape, weights, options, layout, sizes, clock, processor,
                threads -> PackedModel.inMemory(weights, threads));
    }

    private static Executor open(ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock, BatchedProduct.Processor processor, Packing packing)
            throws ExecutorException {
        ModelCheck.require("host", shape, weights, layout, sizes);
        ProductPlan products = ProductPlan.of(weights, options, HostForwardPass.maxRows(sizes), processor);
        HostExecutor opening = new HostExecutor(shape, weights, options, layout, sizes, clock, products);
        try {
            return opening.start(packing);
        } catch (ExecutorException refused) {
            opening.release();
            throw refused;
        } catch (OutOfMemoryError | IllegalArgumentException | IllegalStateException e) {
            opening.release();
            throw new ExecutorException("The host backend could not be opened: " + e.getMessage()
                    + ". Lower the KV memory or the scheduler's token budget, use fewer lanes or threads, or choose another engine.",
                    e);
        }
    }

    private LaneExecutor start(Packing packing) throws ExecutorException {
        HostMemoryPlan plan = HostMemoryPlan.of(shape, weights, options, layout, threads, sizes, products);
        plan.require(FreeMemory.physical(), FreeMemory.heap(), options);
        PackedModel model = packing.pack(threads.total());
        packed = model;
        List<KvCache> caches = new ArrayList<>();
        for (int blocks : plan.poolBlocks()) {
            caches.add(new KvCache(shape, options, new PoolId(caches.size()), blocks, arena));
        }
        @Nullable RotaryTable rotary =
                shape.traits().rotary() ? new RotaryTable(shape, sizes.maxSequencePositions()) : null;
        HostForwardPass.SharedModel shared = new HostForwardPass.SharedModel(shape, weights, model, rotary, products);
        String description =
                "host, " + threads.describe() + ", " + vectorBits() + "-bit vectors, " + products.describe();
        StepCheck check = new StepCheck(shape, caches.stream().map(KvCache::geometry).toList(), sizes);
        return LaneExecutor.start(
                new LaneExecutor.BackendParts(description, layout, check,
                        () -> List.of(ExecutorDevice.cpu(plan.memory())), this::release),
                lane -> HostLane.open(LaneExecutor.threadName(lane), threads.perLane().get(lane.id().index()), clock,
                        packing.unreadable(),
                        group -> new HostForwardPass(shared, caches.get(lane.pool().index()), group,
                                new HostLaneBuffers(shape, sizes, products, arena), sizes, arena, clock)),
                lane -> new HostTransfer(caches, clock));
    }

    private void release() {
        products.close();
        if (packed != null) {
            packed.close();
        }
        arena.close();
    }

    /// Width of the vectors that the kernels use on this machine, in bits.
    public static int vectorBits() {
        return 32 * Vectors.LANES;
    }
}
