package org.inferometer.execution.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.BackendRatio;
import org.inferometer.units.Clock;

/// How near the host backend comes to what this machine allows, as ratios within one run: these travel between machines where
/// absolute figures do not.
///
/// Runs on the calling thread and the threads it is told of. Memory: about 200 MB beside the model that is given.
public final class HostRatios {
    private static final int PREFILL_ROWS = 512;

    private final Clock clock;
    private final int threads;
    private final long budgetNanos;

    /// @param threads threads that compute
    /// @param budgetNanos time for each comparison; a second gives steady values on a quiet machine
    public HostRatios(Clock clock, int threads, long budgetNanos) {
        this.clock = clock;
        this.threads = threads;
        this.budgetNanos = budgetNanos;
    }

    /// As many threads as a single lane would take here.
    public static int standardThreads() {
        return PhysicalCores.count();
    }

    /// Decode and prefill of INT4 and FP8 matrices of a 1.1-billion model.
    public List<BackendRatio> kernels() {
        List<BackendRatio> ratios = new ArrayList<>();
        KernelRatios kernels = new KernelRatios(clock, threads, budgetNanos);
        for (Precision precision : List.of(Precision.INT4, Precision.FP8, Precision.BF16)) {
            String name = precision.name().toLowerCase(Locale.ROOT);
            KernelRatios.Rates rates = kernels.measure(precision, PREFILL_ROWS);
            ratios.add(new BackendRatio("host_decode_" + name, "one-row products, " + precision + ", against a plain read of the same memory",
                    rates.decodeRatio(), "x", true, 0.65, KernelRatios.gigabytes(rates.decodeBytes(), rates.readBytes()) + "."));
            ratios.add(new BackendRatio("host_prefill_" + name, "products of " + PREFILL_ROWS + " rows, " + precision + ", against FP32 blocks in the cache",
                    rates.productRatio(), "x", true, 0.40, KernelRatios.gigaflops(rates.flops(), rates.plainFlops()) + "."));
        }
        return ratios;
    }

    /// The start: from opening an engine to a first step possible, its packed weights lying beside it. They are written first where
    /// they are missing, so the folder may gain a file as large as the weights.
    ///
    /// @param folder of a built engine
    /// @throws EngineFormatException when the engine is damaged
    /// @throws ExecutorException when the model does not fit into memory
    public BackendRatio start(Path folder) throws EngineFormatException, ExecutorException {
        long first = StepRatios.startNanos(folder, threads, clock);
        long again = StepRatios.startNanos(folder, threads, clock);
        boolean kept;
        try (Engine engine = Engine.open(folder)) {
            kept = new PackFile(engine, threads).fits();
        }
        return new BackendRatio("host_start", "from opening the engine to a first step possible", again / 1e9, "s", false, 1.5,
                (kept ? "The packed weights lie in a file." : "The weights were packed in memory: the engine's folder takes no file.")
                        + String.format(Locale.ROOT, " Opened once before in this process, in %.2f s.", first / 1e9));
    }

    /// Sixteen sequences against one, lanes against threads, and the share outside the kernels, of one model.
    ///
    /// @throws ExecutorException when the model does not fit into memory
    public List<BackendRatio> steps(ModelShape shape, ModelWeights weights) throws ExecutorException, InterruptedException {
        StepRatios steps = steps(shape, weights, HostOptions.Activations.FP32);
        StepRatios.OneLane one = steps.oneLane(threads);
        List<BackendRatio> ratios = new ArrayList<>();
        ratios.add(together("host_together", "", one));
        if (PackedModel.distinct(weights).stream().anyMatch(matrix -> matrix.precision() == Precision.INT4)) {
            StepRatios.OneLane rounded = steps(shape, weights, HostOptions.Activations.INT8).oneLane(threads);
            ratios.add(together("host_together_int8", ", activations=int8", rounded));
        }
        if (threads > 1 && StepRatios.SEQUENCES % threads == 0) {
            long many = steps.manyLanesNanos(threads);
            ratios.add(new BackendRatio("host_lanes", threads + " lanes of one thread against one lane of " + threads + " threads",
                    (double) one.togetherNanos() / many, "x", true, 0.9,
                    String.format(Locale.ROOT, "%d sequences take %.2f ms on one lane and %.2f ms shared out.",
                            StepRatios.SEQUENCES, one.togetherNanos() / 1e6, many / 1e6)));
        }
        ratios.add(share(one));
        return ratios;
    }

    private StepRatios steps(ModelShape shape, ModelWeights weights, HostOptions.Activations activations) {
        return new StepRatios(shape, weights, activations, clock, budgetNanos);
    }

    private static BackendRatio together(String id, String under, StepRatios.OneLane one) {
        double together = (double) StepRatios.SEQUENCES * one.aloneNanos() / one.togetherNanos();
        return new BackendRatio(id, StepRatios.SEQUENCES + " sequences together against one" + under, together, "x", true, 4,
                String.format(Locale.ROOT, "A step takes %.2f ms for one sequence and %.2f ms for %d.",
                        one.aloneNanos() / 1e6, one.togetherNanos() / 1e6, StepRatios.SEQUENCES));
    }

    private static BackendRatio share(StepRatios.OneLane one) {
        double share = 1 - (double) one.aloneKernelNanos() / one.aloneNanos();
        return new BackendRatio("host_share_outside_kernels", "share of a one-sequence step outside the kernels", share * 100, "%", false, 8,
                String.format(Locale.ROOT, "The best step takes %.3f ms.", one.aloneNanos() / 1e6));
    }
}
