package org.inferometer.execution.host;

import java.util.List;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.Backend;
import org.inferometer.execution.BackendCheck;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.HostAgreement;
import org.inferometer.execution.check.HostCeilings;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.PhysicalCores;
import org.inferometer.execution.host.steps.HostExecutor;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// The CPU backend.
///
/// @param memoryBytes memory that this process may use
/// @param cores physical ones
public record HostBackend(long memoryBytes, int cores) implements Backend {
    private static final long CEILING_NANOS = 2_000_000_000L;

    /// Width of the CPU's vectors in bits; absent in a process that was started without the vector module.
    public static @Nullable Integer vectorBits() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() ? HostExecutor.vectorBits() : null;
    }

    @Override
    public String name() {
        return "host";
    }

    @Override
    public String summary() {
        return "The CPU, on the Vector API.";
    }

    @Override
    public String label() {
        return "CPU (host), " + cores + " cores";
    }

    @Override
    public List<OptionDescription> options() {
        return OptionRecords.describe(HostOptions.class);
    }

    @Override
    public List<String> faults(Selection selection) {
        try {
            OptionRecords.read(HostOptions.class, selection);
            return List.of();
        } catch (OptionException e) {
            return e.faults();
        }
    }

    @Override
    public long kvBytesPerToken(ModelShape shape, Selection selection) {
        return shape.kvElementsPerToken() * checked(selection).kvDtype().bytes();
    }

    @Override
    public int blockTokens(Selection selection) {
        return checked(selection).blockTokens();
    }

    @Override
    public int lanes(Selection selection) {
        return checked(selection).lanes();
    }

    @Override
    public List<Integer> threads(Selection selection, LaneLayout layout) {
        return checked(selection).threadsOf(layout);
    }

    @Override
    public long deviceMemoryBytes(Selection selection) {
        return memoryBytes;
    }

    @Override
    public Executor open(Engine engine, Selection selection, LaneLayout layout, Limits limits, long kvBytes,
            Clock clock) throws ExecutorException {
        return HostExecutor.open(engine, checked(selection), layout, ExecutorSizes.of(kvBytes, limits), clock);
    }

    @Override
    public List<BackendCheck> checks(Clock clock) {
        // Decode first: agreement runs small shapes, and kernels compiled for them are slow on large ones.
        return List.of(
                new BackendCheck("host_decode", "one-row products against a plain read of the same memory", "x",
                        progress -> ceilings(clock).decode()),
                new BackendCheck("host_step", "steps of one sequence against one-row products", "x",
                        progress -> ceilings(clock).step(progress)),
                new BackendCheck("host_prefill", "products of many rows, weights in the cache", "GFLOP/s",
                        progress -> List.of(ceilings(clock).prefill())),
                new BackendCheck("host_agreement", "agreement of the host backend with the reference pass", "%",
                        progress -> new HostAgreement(clock, progress, HostAgreement.STANDARD).ratios()));
    }

    /// Loads the vector module, which only processes that compute have.
    private static HostCeilings ceilings(Clock clock) {
        return new HostCeilings(clock, PhysicalCores.count(), CEILING_NANOS);
    }

    private static HostOptions checked(Selection selection) {
        return OptionRecords.parse(HostOptions.class, selection);
    }
}
