package org.inferometer.execution.host.steps;

import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.products.BatchedProduct;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;

/// Drives a [HostExecutor] in tests: opens it, submits steps and waits for them.
public final class HostRun extends ExecutorRun {
    private static final ExecutorSizes SIZES = new ExecutorSizes(8 << 20, 128, MAX_SEQUENCE, 16);

    private final Executor executor;

    public HostRun(RandomModel model, HostOptions options) throws ExecutorException {
        this(model, options, LaneLayout.sharing(Math.max(1, options.lanes())));
    }

    public HostRun(RandomModel model, HostOptions options, LaneLayout layout) throws ExecutorException {
        this(open(model, options, layout));
    }

    /// A run on another processor.
    public HostRun(RandomModel model, HostOptions options, BatchedProduct.Processor processor)
            throws ExecutorException {
        this(HostExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(options.lanes()), SIZES,
                new SystemClock(), processor));
    }

    private HostRun(Executor executor) {
        super(executor);
        this.executor = executor;
    }

    private static Executor open(RandomModel model, HostOptions options, LaneLayout layout) throws ExecutorException {
        return HostExecutor.open(model.shape(), model.weights(), options, layout, SIZES, new SystemClock());
    }

    public static HostOptions options(int threads, int lanes, int blockTokens, HostOptions.KvDtype dtype) {
        return options(threads, lanes, blockTokens, dtype, HostOptions.Activations.FP32);
    }

    public static HostOptions options(int threads, int lanes, int blockTokens, HostOptions.KvDtype dtype,
            HostOptions.Activations activations) {
        return options(threads, lanes, blockTokens, dtype, HostOptions.FloatActivations.FP32, activations);
    }

    public static HostOptions options(int threads, int lanes, int blockTokens, HostOptions.KvDtype dtype,
            HostOptions.FloatActivations floats, HostOptions.Activations activations) {
        return new HostOptions(threads, lanes, true, blockTokens, dtype, floats, activations);
    }

    public Executor executor() {
        return executor;
    }
}
