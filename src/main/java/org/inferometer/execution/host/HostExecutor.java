package org.inferometer.execution.host;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.OwnedMemory;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// The CPU backend: the transformer's forward pass on the Vector API.
///
/// Weights are copied once into the kernels' layout, off-heap; the mapped file stays in use for embedding rows, so the engine
/// must stay open as long as the executor. All lanes share weights and pool 0; everything else is a lane's own.
public final class HostExecutor implements Executor {
    private static final PoolId POOL = new PoolId(0);

    private final String description;
    private final List<Lane> lanes;
    private final List<HostLane> runners;
    private final List<KvGeometry> pools;
    private final StepCheck check;
    private final HostSizes sizes;
    private final OwnedMemory memory;
    private final Arena arena;

    private HostExecutor(
            String description, List<Lane> lanes, List<HostLane> runners, StepCheck check, HostSizes sizes, OwnedMemory memory, Arena arena) {
        this.description = description;
        this.runners = runners;
        this.pools = List.of(check.pool());
        this.lanes = lanes;
        this.check = check;
        this.sizes = sizes;
        this.memory = memory;
        this.arena = arena;
    }

    /// Takes memory, lays out the weights and starts the lanes' threads; the caller closes the executor, then the engine.
    ///
    /// @throws ExecutorException when shape and weights do not fit together or memory is lacking: one sentence with the way out
    public static HostExecutor open(ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout, HostSizes sizes, Clock clock)
            throws ExecutorException {
        ModelCheck.require(shape, weights, sizes);
        int threads = options.threads() > 0 ? options.threads() : Math.max(1, PhysicalCores.count() / layout.lanes().size());
        MemoryPlan plan = MemoryPlan.of(shape, weights, options, layout.lanes().size(), threads, sizes);
        plan.require(FreeMemory.physical(), FreeMemory.heap(), options);
        Arena arena = Arena.ofShared();
        List<HostLane> runners = new ArrayList<>();
        try {
            PackedModel packed = new PackedModel(weights, arena, threads * layout.lanes().size());
            KvCache cache = new KvCache(shape, options, POOL, plan.kvBlocks(), arena);
            @Nullable RotaryTable rotary =
                    shape.family() == ModelFamily.GPT2 ? null : new RotaryTable(shape, sizes.maxSequencePositions());
            ForwardPass.SharedModel shared = new ForwardPass.SharedModel(shape, weights, packed, rotary);
            for (int i = 0; i < layout.lanes().size(); i++) {
                LaneBuffers buffers = new LaneBuffers(shape, sizes);
                runners.add(new HostLane(
                        "inferometer-lane-" + i, threads, clock,
                        group -> new ForwardPass(shared, cache, group, buffers, sizes, clock)));
            }
            StepCheck check = new StepCheck(shape, cache.geometry(), sizes);
            return new HostExecutor(describe(layout, options, threads), layout.lanes(), runners, check, sizes, plan.memory(), arena);
        } catch (OutOfMemoryError | IllegalArgumentException | IllegalStateException e) {
            runners.forEach(HostLane::close);
            arena.close();
            throw new ExecutorException("The host backend could not be opened: " + e.getMessage()
                    + "; lower --kv-memory or the scheduler's token budget, or choose another engine.", e);
        }
    }

    /// Width of the vectors that the kernels use on this machine, in bits.
    public static int vectorBits() {
        return 32 * Vectors.LANES;
    }

    private static String describe(LaneLayout layout, HostOptions options, int threads) {
        String work = (layout.lanes().size() > 1 ? layout.lanes().size() + " lanes of " : "") + threads + (threads == 1 ? " thread" : " threads");
        return "host, " + work + ", " + vectorBits() + "-bit vectors, "
                + (options.deterministic() ? "deterministic" : "batch-dependent rounding allowed");
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
        return pools;
    }

    @Override
    public int maxStepPositions() {
        return sizes.maxStepPositions();
    }

    @Override
    public OwnedMemory memory() {
        return memory;
    }

    /// Starts a step; a step that would leave the buffers or the pool is answered with a failed outcome on the caller's thread.
    ///
    /// @throws IllegalStateException on a busy lane or a closed executor
    @Override
    public void submit(Lane lane, Step step, Consumer<StepOutcome> whenDone) {
        HostLane runner = runners.get(lane.id().index());
        Optional<String> fault = check.fault(step);
        if (fault.isPresent()) {
            whenDone.accept(new StepOutcome.Failed(new ExecutorException(fault.get())));
        } else {
            runner.submit(step, whenDone);
        }
    }

    /// Not offered yet: all lanes share one pool.
    @Override
    public void transfer(Lane lane, KvTransfer transfer, Consumer<StepOutcome> whenDone) {
        whenDone.accept(new StepOutcome.Failed(new ExecutorException("This host executor has one KV pool.")));
    }

    /// Waits for the running steps, ends the threads and gives the memory back; closing twice is allowed.
    @Override
    public void close() {
        runners.forEach(HostLane::close);
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
