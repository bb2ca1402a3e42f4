package org.inferometer.execution.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ConcurrentSteps;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.backend.SteadyRounds;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;

/// Times whole steps on a GPU, with random weights of each format: one sequence, a long one, many, many with top-p, many
/// with a long one among them, and a prompt. The device time of one sequence is compared with copies of as many bytes on the
/// same card (with few layers, the wall time has more of the fixed costs of a step than a whole model), a prompt with the
/// card's tensor-core instruction. Runs on the calling thread.
///
/// @param device number or UUID
/// @param subjects models and steps
/// @param tensorIterations length of the tensor-core measurement
/// @param budgetNanos a step is repeated until none was faster for this long
record CudaStepsCheck(Clock clock, String device, List<StepSubject> subjects, int tensorIterations, long budgetNanos) {
    private static final double LEAST_OF_COPY = 0.70;
    private static final double LEAST_TOGETHER = 20;
    private static final double LEAST_OF_TENSOR = 40;
    private static final int ROUNDS_AT_LEAST = 8;

    /// The fastest of some repetitions.
    private record Timed(long wallNanos, long deviceNanos, int repetitions) {}

    /// The figures of every model and format.
    ///
    /// @param begun receives the name of each part as it begins
    /// @throws ExecutorException if there is no such GPU, or a model does not fit
    List<BackendFigure> figures(Consumer<String> begun) throws ExecutorException, InterruptedException {
        try {
            double copyBytes = DeviceRates.copyBytesPerSecond(device);
            double tensorFlops = DeviceRates.tensorFlopsPerSecond(device, tensorIterations);
            List<BackendFigure> figures = new ArrayList<>();
            for (StepSubject subject : subjects) {
                for (DeviceFormat format : DeviceFormat.values()) {
                    begun.accept("steps of " + subject.name() + " in " + format.text());
                    figures.addAll(figures(subject, format, copyBytes, tensorFlops));
                }
            }
            return figures;
        } catch (CudaFailure failure) {
            throw new ExecutorException("Steps on the GPU could not be timed: " + failure.getMessage() + ".", failure);
        }
    }

    private List<BackendFigure> figures(StepSubject subject, DeviceFormat format, double copyBytes, double tensorFlops)
            throws ExecutorException, InterruptedException {
        RandomModel model = subject.model(format);
        Figures figures = new Figures(subject, format);
        CudaOptions options = new CudaOptions(device, 1, StepSubject.BLOCK_TOKENS, CudaOptions.KvDtype.FP16, true,
                CudaOptions.Gemm.AUTO);
        try (Executor executor = open(subject, model, options)) {
            Timed one = time(executor, subject.decode(1, false));
            long bytes = DeviceModel.bytesRead(model.weights())
                    + subject.extent().context() * CudaKvPool.tokenBytes(subject.shape(), options);
            figures.add("decode_1", "decode of one sequence, on the device, against copies of as many bytes",
                    bytes / copyBytes * 1e9 / one.deviceNanos(), "x",
                    subject.limited() ? OptionalDouble.of(LEAST_OF_COPY) : OptionalDouble.empty(),
                    times(one) + String.format(Locale.ROOT, "reads %.3f GB; copies run at %.0f GB/s.", bytes / 1e9,
                            copyBytes / 1e9));
            figures.time("decode_long", "decode at " + subject.extent().longContext() + " positions",
                    time(executor, subject.decodeLong()));
            int together = subject.extent().together();
            Timed many = time(executor, subject.decode(together, false));
            figures.add("decode_" + together, "tokens a second of " + together + " sequences against one",
                    (double) together * one.wallNanos() / many.wallNanos(), "x",
                    subject.limited() ? OptionalDouble.of(LEAST_TOGETHER) : OptionalDouble.empty(),
                    times(many) + "decodes " + together + " tokens.");
            figures.time("decode_" + together + "_top_p", "the same with top-p 0.9",
                    time(executor, subject.decode(together, true)));
            figures.time("decode_ragged", together + " sequences, one of them of " + subject.extent().longContext(),
                    time(executor, subject.decodeRagged()));
            Timed prompt = time(executor, subject.prefill());
            double rate = subject.prefillFlops() * 1e9 / prompt.wallNanos();
            figures.add("prefill",
                    "products of a prompt of " + subject.extent().prompt()
                            + " tokens against the tensor-core instruction",
                    100 * rate / tensorFlops, "%",
                    subject.limited() ? OptionalDouble.of(LEAST_OF_TENSOR) : OptionalDouble.empty(),
                    times(prompt) + String.format(Locale.ROOT,
                            "is %.1f TFLOP/s of products, attention included in the time; the instruction does %.1f.",
                            rate / 1e12, tensorFlops / 1e12));
        }
        figures.time("decode_1_no_dependent_launch", "decode of one sequence with ordinary launches",
                one(subject, model, true, false));
        figures.time("decode_1_no_graphs", "decode of one sequence without graphs", one(subject, model, false, true));
        return figures.collected;
    }

    /// Decode of one sequence with other ways to launch.
    private Timed one(StepSubject subject, RandomModel model, boolean graphs, boolean dependent)
            throws ExecutorException, InterruptedException {
        CudaOptions options = new CudaOptions(device, 1, StepSubject.BLOCK_TOKENS, CudaOptions.KvDtype.FP16, graphs,
                CudaOptions.Gemm.AUTO, dependent);
        try (Executor executor = open(subject, model, options)) {
            return time(executor, subject.decode(1, false));
        }
    }

    private Executor open(StepSubject subject, RandomModel model, CudaOptions options) throws ExecutorException {
        return CudaExecutor.open(subject.shape(), model.weights(), options, LaneLayout.sharing(1),
                subject.sizes(options), clock);
    }

    private Timed time(Executor executor, Step step) throws ExecutorException, InterruptedException {
        ConcurrentSteps steps = new ConcurrentSteps(executor);
        StepOutcome.Completed best = steps.run(List.of(step)).getFirst();
        int repetitions = 1;
        SteadyRounds rounds = new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos);
        while (rounds.more()) {
            StepOutcome.Completed now = steps.run(List.of(step)).getFirst();
            rounds.seen(1.0 / nanos(best), 1.0 / nanos(now));
            best = nanos(now) < nanos(best) ? now : best;
            repetitions++;
        }
        return new Timed(nanos(best), Math.max(1, best.kernelNanos()), repetitions);
    }

    private static long nanos(StepOutcome.Completed step) {
        return Math.max(1, step.endNanos() - step.startNanos());
    }

    private static String times(Timed timed) {
        return String.format(Locale.ROOT, "The fastest of %d steps takes %.3f ms, %.3f ms of it on the device, and ",
                timed.repetitions(), timed.wallNanos() / 1e6, timed.deviceNanos() / 1e6);
    }

    /// The figures of one model in one format.
    private record Figures(StepSubject subject, DeviceFormat format, List<BackendFigure> collected) {
        Figures(StepSubject subject, DeviceFormat format) {
            this(subject, format, new ArrayList<>());
        }

        void add(String id, String name, double value, String unit, OptionalDouble limit, String sentence) {
            collected.add(new BackendFigure("cuda_steps_" + subject.id() + "_" + format.id() + "_" + id,
                    name + ", " + subject.name() + " in " + format.text(), value, unit, true, limit, sentence));
        }

        void time(String id, String name, Timed timed) {
            collected.add(new BackendFigure("cuda_steps_" + subject.id() + "_" + format.id() + "_" + id,
                    name + ", " + subject.name() + " in " + format.text(), timed.wallNanos() / 1e9, "s", false,
                    OptionalDouble.empty(), times(timed) + "is the whole step."));
        }
    }
}
