package org.inferometer.execution.host;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineFormatException;
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
import org.inferometer.execution.host.attention.KvCache;
import org.inferometer.execution.host.attention.RotaryTable;
import org.inferometer.execution.host.kernels.ProductAutotuner;
import org.inferometer.execution.host.kernels.ProductPlan;
import org.inferometer.execution.host.kernels.Vectors;
import org.inferometer.execution.host.packed.PackFile;
import org.inferometer.execution.host.packed.PackedModel;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// The CPU backend: the transformer's forward pass on the Vector API.
///
/// The kernels read weights in a layout of their own, off-heap: mapped from a [PackFile] beside an engine's weights, or packed into
/// memory. The mapped weights stay in use for embedding rows, so the engine must stay open as long as the executor. Lanes share the weights, which nobody writes, and the memory of their pool, in which
/// each writes only the blocks of its requests; threads, buffers and scratch memory are a lane's own. A lane's priority has no
/// effect here.
public final class HostExecutor implements Executor {
    private final String description;
    private final List<Lane> lanes;
    private final LaneRunners runners;
    private final StepCheck check;
    private final ExecutorSizes sizes;
    private final OwnedMemory memory;
    private final Memory taken;

    private HostExecutor(String description, List<Lane> lanes, LaneRunners runners, StepCheck check,
            ExecutorSizes sizes, OwnedMemory memory, Memory taken) {
        this.description = description;
        this.runners = runners;
        this.lanes = lanes;
        this.check = check;
        this.sizes = sizes;
        this.memory = memory;
        this.taken = taken;
    }

    /// Where the packed weights come from.
    private interface Packing {
        PackedModel with(int threads) throws ExecutorException;
    }

    /// What is given back after the lanes' threads have ended.
    private record Memory(Arena arena, @Nullable PackedModel packed, ProductPlan products) {
        void close() {
            products.close();
            if (packed != null) {
                packed.close();
            }
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
    }

    /// Takes memory, maps the packed weights, packing them first where that was not done, and starts the lanes' threads; the
    /// caller closes the executor, then the engine.
    ///
    /// @throws ExecutorException when shape and weights do not fit together, weights are damaged or memory is lacking: one sentence
    ///     with the way out
    public static HostExecutor open(Engine engine, HostOptions options, LaneLayout layout, ExecutorSizes sizes,
            Clock clock) throws ExecutorException {
        return open(engine.descriptor().shape(), engine.weights(), options, layout, sizes, clock, racing(clock),
                threads -> {
                    try {
                        return PackFile.load(engine, threads);
                    } catch (EngineFormatException damaged) {
                        throw new ExecutorException(String.valueOf(damaged.getMessage()), damaged);
                    }
                });
    }

    /// The same with weights that belong to no engine folder: they are packed into memory, their values unchecked.
    ///
    /// @throws ExecutorException when shape and weights do not fit together or memory is lacking: one sentence with the way out
    public static HostExecutor open(ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock) throws ExecutorException {
        return open(shape, weights, options, layout, sizes, clock, racing(clock));
    }

    /// The same with a race of the caller's.
    static HostExecutor open(ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock, ProductPlan.Racing racing) throws ExecutorException {
        return open(shape, weights, options, layout, sizes, clock, racing,
                threads -> PackedModel.inMemory(weights, threads));
    }

    private static ProductPlan.Racing racing(Clock clock) {
        return (inputs, maxRows) -> ProductAutotuner.run(inputs, maxRows, clock);
    }

    private static HostExecutor open(ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout,
            ExecutorSizes sizes, Clock clock, ProductPlan.Racing racing, Packing packing) throws ExecutorException {
        ModelCheck.require(shape, weights, sizes);
        if (layout.computingLanes() == 0) {
            throw new ExecutorException(
                    "The host backend needs at least one lane that computes; choose another scheduler.");
        }
        LaneThreads threads = LaneThreads.of(layout, options.threads(), PhysicalCores.count());
        ProductPlan products = ProductPlan.of(weights, options, sizes, racing);
        Arena arena = Arena.ofShared();
        LaneRunners runners = new LaneRunners();
        @Nullable PackedModel packed = null;
        try {
            HostMemoryPlan plan = HostMemoryPlan.of(shape, weights, options, layout, threads, sizes, products);
            plan.require(FreeMemory.physical(), FreeMemory.heap(), options);
            packed = packing.with(threads.total());
            List<KvCache> caches = new ArrayList<>();
            for (int pool = 0; pool < plan.poolBlocks().size(); pool++) {
                caches.add(new KvCache(shape, options, new PoolId(pool), plan.poolBlocks().get(pool), arena));
            }
            @Nullable RotaryTable rotary =
                    shape.traits().rotary() ? new RotaryTable(shape, sizes.maxSequencePositions()) : null;
            HostForwardPass.SharedModel shared =
                    new HostForwardPass.SharedModel(shape, weights, packed, rotary, products);
            for (Lane lane : layout.lanes()) {
                if (lane.role() == Lane.Role.TRANSFER) {
                    runners.copy(lane, new HostTransfer(caches, clock));
                } else {
                    KvCache cache = caches.get(lane.pool().index());
                    HostLane work = HostLane.open(LaneRunners.name(lane), threads.perLane().get(lane.id().index()),
                            clock, group -> new HostForwardPass(shared, cache, group,
                                    new HostLaneBuffers(shape, sizes, products, arena), sizes, arena, clock));
                    runners.compute(lane, work);
                }
            }
            StepCheck check = new StepCheck(shape, caches.stream().map(KvCache::geometry).toList(), sizes);
            Memory taken = new Memory(arena, packed, products);
            return new HostExecutor(describe(threads, options, products), layout.lanes(), runners, check, sizes,
                    plan.memory(), taken);
        } catch (ExecutorException refused) {
            new Memory(arena, packed, products).close();
            throw refused;
        } catch (OutOfMemoryError | IllegalArgumentException | IllegalStateException e) {
            runners.close();
            new Memory(arena, packed, products).close();
            throw new ExecutorException("The host backend could not be opened: " + e.getMessage()
                    + "; lower --kv-memory or the scheduler's token budget, use fewer lanes or threads, or choose another engine.",
                    e);
        }
    }

    /// Width of the vectors that the kernels use on this machine, in bits.
    public static int vectorBits() {
        return 32 * Vectors.LANES;
    }

    private static String describe(LaneThreads threads, HostOptions options, ProductPlan products) {
        return "host, " + threads.describe() + ", " + vectorBits() + "-bit vectors, "
                + products.words(options.deterministic());
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
        return memory;
    }

    /// Starts a step; a step that would leave the buffers or the lane's pool is answered with a failed outcome on the caller's thread.
    ///
    /// @throws IllegalStateException on a busy lane or a closed executor
    @Override
    public void submit(Lane lane, Step step, Consumer<StepOutcome> whenDone) {
        runners.submit(lanes, lane, step, check, whenDone);
    }

    /// Starts a copy of whole blocks, the last one included where it is not full; a transfer that would leave a pool, or that is given
    /// to a lane which computes or copies elsewhere, is answered with a failed outcome on the caller's thread.
    ///
    /// @throws IllegalStateException on a busy lane or a closed executor
    @Override
    public void transfer(Lane lane, KvTransfer transfer, Consumer<StepOutcome> whenDone) {
        runners.transfer(lanes, lane, transfer, check, whenDone);
    }

    /// Waits for the running steps, ends the threads and gives the memory back; closing twice is allowed.
    @Override
    public void close() {
        runners.close();
        taken.close();
    }
}
