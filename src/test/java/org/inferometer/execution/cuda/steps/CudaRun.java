package org.inferometer.execution.cuda.steps;

import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.CudaAgreement;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.check.ReferenceSequences;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;

/// Drives a [CudaExecutor] in tests, on whichever driver this process has.
final class CudaRun extends ExecutorRun {
    private final Executor executor;

    CudaRun(RandomModel model, CudaOptions options) throws ExecutorException {
        this(model, options, LaneLayout.sharing(Math.max(1, options.lanes())));
    }

    CudaRun(RandomModel model, CudaOptions options, LaneLayout layout) throws ExecutorException {
        this(open(model, options, layout));
    }

    CudaRun(Executor executor) {
        super(executor);
        this.executor = executor;
    }

    static Executor open(RandomModel model, CudaOptions options, LaneLayout layout) throws ExecutorException {
        ExecutorSizes sizes = new ExecutorSizes(8 << 20, 128, MAX_SEQUENCE, 16);
        return CudaExecutor.open(model.shape(), model.weights(), options, layout, sizes, new SystemClock());
    }

    static CudaOptions options(int lanes, int blockTokens, CudaOptions.KvDtype dtype, boolean graphs) {
        return new CudaOptions("0", lanes, blockTokens, dtype, graphs, CudaOptions.Gemm.OWN);
    }

    /// The reference pass, rounded where this backend rounds by design.
    static double[][] reference(RandomModel model, int[] tokens, CudaOptions.KvDtype dtype) {
        return ReferenceSequences.logits(model, CudaAgreement.rounding(dtype), tokens);
    }

    Executor executor() {
        return executor;
    }
}
