package org.inferometer.execution.host;

import java.util.List;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.Backend;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// The CPU backend, as the planner and the worker see it.
///
/// @param memoryBytes memory that this process may use
/// @param cores physical ones
public record HostBackend(long memoryBytes, int cores) implements Backend {
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
        ExecutorSizes sizes = new ExecutorSizes(kvBytes, limits.maxStepPositions(), limits.maxSequencePositions(),
                limits.maxBatchRows());
        return HostExecutor.open(engine, checked(selection), layout, sizes, clock);
    }

    private static HostOptions checked(Selection selection) {
        try {
            return OptionRecords.read(HostOptions.class, selection);
        } catch (OptionException e) {
            throw new IllegalArgumentException("The selection was to be checked first: " + e.getMessage(), e);
        }
    }
}
