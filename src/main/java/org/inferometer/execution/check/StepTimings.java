package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaOptions.Gemm;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.ModuleChoice;
import org.inferometer.execution.cuda.steps.CudaExecutor;
import org.inferometer.execution.cuda.steps.CudaKvPool;
import org.inferometer.execution.cuda.steps.DeviceModel;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;

/// Times of the steps of one model in one format: one sequence, a long one, many, many with top-p, many with a long one
/// among them, and a prompt; then one sequence and the prompt with other options.
///
/// The device time of one sequence is compared with copies of as many bytes on the same card: with few layers, the wall time
/// has more of the fixed costs of a step than that of a whole model. A prompt is compared with the card's tensor-core
/// instruction, and with cuBLASLt where it is installed.
///
/// @param budgetNanos a step is repeated until none was faster for this long
record StepTimings(Clock clock, LoadedGpu gpu, StepSubject subject, DeviceFormat format, Rates rates,
        long budgetNanos) {
    private static final double LEAST_OF_COPY = 0.70;
    private static final double LEAST_TOGETHER = 20;
    private static final double LEAST_OF_TENSOR = 40;
    private static final int ROUNDS_AT_LEAST = 8;
    private static final int CHAIN = 16;

    /// What steps are compared with.
    ///
    /// @param copyBytes read and written in a second by copies
    /// @param tensorFlops a second of the BF16 tensor-core instruction on registers
    /// @param libraryFlops a second of cuBLASLt on random numbers, in the product of gate and up of the prompt; empty if it
    ///     is not installed
    record Rates(double copyBytes, double tensorFlops, OptionalDouble libraryFlops) {}

    /// The fastest of some repetitions.
    private record Timed(long wallNanos, long deviceNanos, int repetitions) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT,
                    "The fastest of %d steps takes %.3f ms, %.3f ms of it on the device, and ", repetitions,
                    wallNanos / 1e6, deviceNanos / 1e6);
        }
    }

    /// All figures.
    ///
    /// @throws ExecutorException if the model does not fit
    List<BackendFigure> figures() throws ExecutorException, InterruptedException {
        RandomModel model = subject.model(format);
        List<BackendFigure> figures = new ArrayList<>();
        try (Executor executor = open(model, options(true, Gemm.AUTO, true))) {
            figures.addAll(decoding(executor, model));
            figures.addAll(prompt(time(executor, subject.prefill())));
        }
        Step one = subject.decode(1, false);
        figures.add(time("decode_1_no_dependent_launch", "decode of one sequence with ordinary launches",
                alone(model, options(true, Gemm.AUTO, false), one)));
        figures.add(time("decode_1_no_graphs", "decode of one sequence without graphs",
                alone(model, options(false, Gemm.AUTO, true), one)));
        figures.add(queued(model, one));
        if (rates.libraryFlops().isPresent()) {
            figures.add(time("prefill_own", "a prompt with gemm=own",
                    alone(model, options(true, Gemm.OWN, true), subject.prefill())));
        }
        if (ModuleChoice.hasWarpgroups(gpu.device().computeCapability(), gpu.device().driver())) {
            figures.add(time("prefill_wgmma", "a prompt with gemm=wgmma",
                    alone(model, options(true, Gemm.WGMMA, true), subject.prefill())));
        }
        return figures;
    }

    private List<BackendFigure> decoding(Executor executor, RandomModel model)
            throws ExecutorException, InterruptedException {
        Timed one = time(executor, subject.decode(1, false));
        long bytes = DeviceModel.bytesRead(model.weights())
                + subject.extent().context() * CudaKvPool.tokenBytes(subject.shape(), options(true, Gemm.AUTO, true));
        Timed far = time(executor, subject.decodeLong());
        int together = subject.extent().together();
        Timed many = time(executor, subject.decode(together, false));
        return List.of(
                figure("decode_1", "decode of one sequence, on the device, against copies of as many bytes",
                        bytes / rates.copyBytes() * 1e9 / one.deviceNanos(), "x", least(LEAST_OF_COPY),
                        one + String.format(Locale.ROOT, "reads %.3f GB; copies run at %.0f GB/s.", bytes / 1e9,
                                rates.copyBytes() / 1e9)),
                time("decode_long", "decode at " + subject.extent().longContext() + " positions", far),
                figure("decode_" + together, "tokens a second of " + together + " sequences against one",
                        (double) together * one.wallNanos() / many.wallNanos(), "x", least(LEAST_TOGETHER),
                        many + "decodes " + together + " tokens."),
                time("decode_" + together + "_top_p", "the same with top-p 0.9",
                        time(executor, subject.decode(together, true))),
                time("decode_ragged", together + " sequences, one of them of " + subject.extent().longContext(),
                        time(executor, subject.decodeRagged())));
    }

    private List<BackendFigure> prompt(Timed prompt) {
        double rate = subject.prefillFlops() * 1e9 / prompt.wallNanos();
        String does = prompt + String.format(Locale.ROOT,
                "is %.1f TFLOP/s of products, attention included in the time; ", rate / 1e12);
        String products = "products of a prompt of " + subject.extent().prompt() + " tokens against ";
        List<BackendFigure> figures = new ArrayList<>();
        figures.add(figure("prefill", products + "the tensor-core instruction", 100 * rate / rates.tensorFlops(), "%",
                least(LEAST_OF_TENSOR),
                does + String.format(Locale.ROOT, "the instruction does %.1f.", rates.tensorFlops() / 1e12)));
        rates.libraryFlops()
                .ifPresent(library -> figures.add(figure("prefill_of_cublaslt", products + "cuBLASLt",
                        100 * rate / library, "%", OptionalDouble.empty(),
                        does + String.format(Locale.ROOT,
                                "cuBLASLt's product of gate and up, BF16 on random numbers, does %.1f.",
                                library / 1e12))));
        return figures;
    }

    private OptionalDouble least(double limit) {
        return subject.limited() ? OptionalDouble.of(limit) : OptionalDouble.empty();
    }

    private CudaOptions options(boolean graphs, Gemm gemm, boolean dependent) {
        return new CudaOptions(Integer.toString(gpu.device().index()), 1, StepSubject.BLOCK_TOKENS,
                CudaOptions.KvDtype.FP16, graphs, gemm, dependent, 0);
    }

    /// A step behind itself. Less the wall time of the same step alone, it is what the device waits for the host.
    private BackendFigure queued(RandomModel model, Step step) throws ExecutorException, InterruptedException {
        CudaOptions options = new CudaOptions(Integer.toString(gpu.device().index()), 1, StepSubject.BLOCK_TOKENS,
                CudaOptions.KvDtype.FP16, true, Gemm.AUTO, true, 1);
        try (Executor executor = open(model, options)) {
            AwaitedSteps steps = new AwaitedSteps(executor);
            long best = steps.repeatedNanos(step, CHAIN);
            SteadyRounds rounds = new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos);
            while (rounds.more()) {
                long now = steps.repeatedNanos(step, CHAIN);
                rounds.seen(1.0 / best, 1.0 / now);
                best = Math.min(best, now);
            }
            return time("decode_1_queued", "decode of one sequence, each step behind the one before", best,
                    String.format(Locale.ROOT, "The fastest %d queued steps take %.3f ms each, host included.", CHAIN,
                            best / 1e6));
        }
    }

    /// A step of an executor of its own.
    private Timed alone(RandomModel model, CudaOptions options, Step step)
            throws ExecutorException, InterruptedException {
        try (Executor executor = open(model, options)) {
            return time(executor, step);
        }
    }

    private Executor open(RandomModel model, CudaOptions options) throws ExecutorException {
        return CudaExecutor.open(gpu, subject.shape(), model.weights(), options, LaneLayout.sharing(1),
                subject.sizes(options), clock);
    }

    private Timed time(Executor executor, Step step) throws ExecutorException, InterruptedException {
        AwaitedSteps steps = new AwaitedSteps(executor);
        StepOutcome.Completed best = steps.one(step);
        int repetitions = 1;
        SteadyRounds rounds = new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos);
        while (rounds.more()) {
            StepOutcome.Completed now = steps.one(step);
            rounds.seen(1.0 / nanos(best), 1.0 / nanos(now));
            best = nanos(now) < nanos(best) ? now : best;
            repetitions++;
        }
        return new Timed(nanos(best), Math.max(1, best.kernelNanos()), repetitions);
    }

    private static long nanos(StepOutcome.Completed step) {
        return Math.max(1, step.endNanos() - step.startNanos());
    }

    private BackendFigure figure(String id, String name, double value, String unit, OptionalDouble limit,
            String sentence) {
        return new BackendFigure("cuda_steps_" + subject.id() + "_" + format.id() + "_" + id,
                name + ", " + subject.name() + " in " + format.text(), value, unit, true, limit, sentence);
    }

    private BackendFigure time(String id, String name, Timed timed) {
        return time(id, name, timed.wallNanos(), timed + "is the whole step.");
    }

    private BackendFigure time(String id, String name, long nanos, String sentence) {
        return new BackendFigure("cuda_steps_" + subject.id() + "_" + format.id() + "_" + id,
                name + ", " + subject.name() + " in " + format.text(), nanos / 1e9, "s", false, OptionalDouble.empty(),
                sentence);
    }
}
