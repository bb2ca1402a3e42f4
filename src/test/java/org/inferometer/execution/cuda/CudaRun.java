package org.inferometer.execution.cuda;

import java.util.function.DoubleUnaryOperator;
import org.inferometer.engine.Bf16;
import org.inferometer.engine.E4m3;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.host.RandomModel;
import org.inferometer.execution.host.ReferenceForward;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;

/// Drives a [CudaExecutor] in tests, on whichever driver this process has.
final class CudaRun extends ExecutorRun {
    private static final DoubleUnaryOperator BF16 = x -> Bf16.decode(Bf16.encode((float) x));
    private static final DoubleUnaryOperator FP16 = x -> Float.float16ToFloat(Float.floatToFloat16((float) x));
    private static final DoubleUnaryOperator E4M3 = x -> E4m3.decode(E4m3.encode((float) x));

    private final CudaExecutor executor;

    CudaRun(RandomModel model, CudaOptions options) throws ExecutorException {
        this(model, options, LaneLayout.sharing(Math.max(1, options.lanes())));
    }

    CudaRun(RandomModel model, CudaOptions options, LaneLayout layout) throws ExecutorException {
        this(open(model, options, layout));
    }

    private CudaRun(CudaExecutor executor) {
        super(executor);
        this.executor = executor;
    }

    static CudaExecutor open(RandomModel model, CudaOptions options, LaneLayout layout) throws ExecutorException {
        ExecutorSizes sizes = new ExecutorSizes(8 << 20, 128, MAX_SEQUENCE, 16);
        return CudaExecutor.open(model.shape(), model.weights(), options, layout, sizes, new SystemClock());
    }

    static CudaOptions options(int lanes, int blockTokens, CudaOptions.KvDtype dtype, boolean graphs) {
        return new CudaOptions("0", lanes, blockTokens, dtype, graphs);
    }

    /// The plain pass, rounded where this backend rounds by design.
    static double[][] reference(RandomModel model, int[] tokens, CudaOptions.KvDtype dtype) {
        DoubleUnaryOperator cached = dtype == CudaOptions.KvDtype.FP16 ? FP16 : E4M3;
        ReferenceForward reference =
                new ReferenceForward(model.shape(), model.weights(), new ReferenceForward.Rounding(BF16, FP16, cached));
        double[][] logits = new double[tokens.length][];
        for (int i = 0; i < tokens.length; i++) {
            logits[i] = reference.next(tokens[i]);
        }
        return logits;
    }

    CudaExecutor executor() {
        return executor;
    }
}
