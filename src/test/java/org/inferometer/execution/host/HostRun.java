package org.inferometer.execution.host;

import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;

/// Drives a [HostExecutor] in tests: opens it, submits steps and waits for them.
final class HostRun extends ExecutorRun {
    private final HostExecutor executor;

    HostRun(RandomModel model, HostOptions options) throws ExecutorException {
        this(model, options, LaneLayout.sharing(Math.max(1, options.lanes())));
    }

    HostRun(RandomModel model, HostOptions options, LaneLayout layout) throws ExecutorException {
        this(open(model, options, layout));
    }

    private HostRun(HostExecutor executor) {
        super(executor);
        this.executor = executor;
    }

    private static HostExecutor open(RandomModel model, HostOptions options, LaneLayout layout) throws ExecutorException {
        ExecutorSizes sizes = new ExecutorSizes(8 << 20, 128, MAX_SEQUENCE, 16);
        return HostExecutor.open(model.shape(), model.weights(), options, layout, sizes, new SystemClock());
    }

    static HostOptions options(int threads, int lanes, int blockTokens, HostOptions.KvDtype dtype) {
        return options(threads, lanes, blockTokens, dtype, HostOptions.Activations.FP32);
    }

    static HostOptions options(int threads, int lanes, int blockTokens, HostOptions.KvDtype dtype, HostOptions.Activations activations) {
        return new HostOptions(threads, lanes, true, blockTokens, dtype, activations);
    }

    HostExecutor executor() {
        return executor;
    }
}
