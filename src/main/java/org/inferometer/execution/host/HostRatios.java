package org.inferometer.execution.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.host.kernels.KernelRatios;
import org.inferometer.execution.host.packed.PackFile;
import org.inferometer.execution.host.packed.PackedModel;
import org.inferometer.units.Clock;

/// How near the host backend comes to what this machine allows, as ratios within one run: these travel between machines where
/// absolute figures do not.
///
/// Runs on the calling thread and the threads it is told of. Memory: about 200 MB beside the model that is given.
public final class HostRatios {
    private static final int PREFILL_ROWS = 512;
    private static final int ATTENTION_CONTEXT = 4096;

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

    /// Decode and prefill of INT4, FP8 and BF16 matrices of a 1.1-billion model, and its attention at a long context.
    public List<BackendFigure> kernels() {
        List<BackendFigure> ratios = new ArrayList<>();
        KernelRatios kernels = new KernelRatios(clock, threads, budgetNanos);
        for (Precision precision : List.of(Precision.INT4, Precision.FP8, Precision.BF16)) {
            addKernels(kernels, precision, HostOptions.Activations.FP32, Naming.EXACT, ratios);
            if (precision == Precision.INT4) {
                addKernels(kernels, precision, HostOptions.Activations.INT8, Naming.ROUNDED, ratios);
            }
        }
        ratios.add(attention(kernels));
        return ratios;
    }

    private static void addKernels(KernelRatios kernels, Precision precision, HostOptions.Activations activations,
            Naming naming, List<BackendFigure> ratios) {
        String name = precision.name().toLowerCase(Locale.ROOT) + naming.idEnd();
        KernelRatios.Decode decode = kernels.decode(precision, activations);
        ratios.add(new BackendFigure("host_decode_" + name,
                "one-row products, " + precision + naming.under() + ", against a plain read of the same memory",
                decode.ratio(), "x", true, 0.65,
                KernelRatios.gigabytes(decode.decodeBytes(), decode.readBytes()) + "."));
        KernelRatios.Products products = kernels.products(precision, activations, PREFILL_ROWS);
        String what = "products of " + PREFILL_ROWS + " rows, " + precision + naming.under();
        ratios.add(new BackendFigure("host_prefill_" + name, what + ", against the best product of blocks in the cache",
                products.ratio(), "x", true, 0.40, KernelRatios.gigaflops(products.flops(), products.bestFlops())
                        + ", which " + products.bestBy() + " reaches."));
        products.chosenFlops()
                .ifPresent(chosen -> ratios.add(new BackendFigure("host_prefill_chosen_" + name,
                        what + ", deterministic=false, against the same", chosen / products.bestFlops(), "x", true,
                        OptionalDouble.empty(),
                        KernelRatios.gigaflops(chosen, products.bestFlops()) + "; " + products.chosenBy() + ".")));
    }

    private BackendFigure attention(KernelRatios kernels) {
        ModelShape shape = new ModelShape(ModelFamily.LLAMA, 1, 2048, KernelRatios.OUTPUTS, 32, 4, 64, 32_000,
                ATTENTION_CONTEXT, false, 10_000, null, 1e-5);
        HostOptions options = new HostOptions(threads, 1, true, StepRatios.BLOCK_TOKENS, HostOptions.KvDtype.FP32,
                HostOptions.Activations.FP32);
        double[] rates = kernels.attention(shape, options, ATTENTION_CONTEXT);
        return new BackendFigure("host_attention",
                "attention of one sequence at " + ATTENTION_CONTEXT
                        + " positions against a plain read of the same KV cache",
                rates[0] / rates[1], "x", true, 0.45, KernelRatios.gigabytes(rates[0], rates[1]) + ".");
    }

    /// The start: from opening an engine to a first step possible, its packed weights lying beside it. They are written first where
    /// they are missing, so the folder may gain a file as large as the weights.
    ///
    /// @param folder of a built engine
    /// @throws EngineFormatException when the engine is damaged
    /// @throws ExecutorException when the model does not fit into memory
    public BackendFigure start(Path folder) throws EngineFormatException, ExecutorException {
        long first = StepRatios.startNanos(folder, threads, clock);
        long again = StepRatios.startNanos(folder, threads, clock);
        boolean kept;
        try (Engine engine = Engine.open(folder)) {
            kept = new PackFile(engine, threads).fits();
        }
        return new BackendFigure("host_start", "from opening the engine to a first step possible", again / 1e9, "s",
                false, 1.5,
                (kept ? "The packed weights lie in a file."
                        : "The weights were packed in memory: the engine's folder takes no file.")
                        + String.format(Locale.ROOT, " Opened once before in this process, in %.2f s.", first / 1e9));
    }

    /// Sixteen sequences against one, lanes against threads, and the share outside the kernels, of one engine. Its packed weights
    /// are mapped once more for each executor that is open, which takes no memory twice.
    ///
    /// @throws EngineFormatException when the engine is damaged
    /// @throws ExecutorException when the model does not fit into memory
    public List<BackendFigure> steps(Engine engine)
            throws EngineFormatException, ExecutorException, InterruptedException {
        return steps(engine.descriptor().shape(), engine.weights(),
                (options, layout, sizes) -> HostExecutor.open(engine, options, layout, sizes, clock));
    }

    List<BackendFigure> steps(ModelShape shape, ModelWeights weights, StepRatios.Opening opening)
            throws ExecutorException, InterruptedException {
        boolean int4 = PackedModel.distinct(weights).stream().anyMatch(matrix -> matrix.precision() == Precision.INT4);
        List<HostOptions.Activations> formats =
                int4 ? List.of(HostOptions.Activations.FP32, HostOptions.Activations.INT8)
                        : List.of(HostOptions.Activations.FP32);
        int lanes = StepRatios.SEQUENCES % threads == 0 ? threads : 1;
        List<StepRatios.Times> times =
                new StepRatios(shape, opening, clock, budgetNanos).measure(formats, threads, lanes);
        List<BackendFigure> ratios = new ArrayList<>();
        for (int i = 0; i < formats.size(); i++) {
            Naming naming = formats.get(i) == HostOptions.Activations.INT8 ? Naming.ROUNDED : Naming.EXACT;
            ratios.add(together(naming, times.get(i)));
            if (lanes > 1) {
                ratios.add(sharedOut(naming, lanes, times.get(i)));
                ratios.add(eachFull(naming, lanes, times.get(i)));
            }
        }
        ratios.add(share(times.getFirst()));
        return ratios;
    }

    /// @param leastLanes what several lanes are held to; absent for integer products, where a lane of few rows decodes every weight for
    ///     itself and gains the less from company the cheaper a row is
    private record Naming(String idEnd, String under, OptionalDouble leastLanes) {
        private static final Naming EXACT = new Naming("", "", OptionalDouble.of(0.9));
        private static final Naming ROUNDED = new Naming("_int8", ", activations=int8", OptionalDouble.empty());
    }

    private static BackendFigure together(Naming naming, StepRatios.Times times) {
        double together = (double) StepRatios.SEQUENCES * times.aloneNanos() / times.togetherNanos();
        return new BackendFigure("host_together" + naming.idEnd(),
                StepRatios.SEQUENCES + " sequences together against one" + naming.under(), together, "x", true, 4,
                String.format(Locale.ROOT, "A step takes %.2f ms for one sequence and %.2f ms for %d.",
                        times.aloneNanos() / 1e6, times.togetherNanos() / 1e6, StepRatios.SEQUENCES));
    }

    private static BackendFigure sharedOut(Naming naming, int lanes, StepRatios.Times times) {
        return new BackendFigure("host_lanes" + naming.idEnd(),
                lanes + " lanes of one thread against one lane of " + lanes + " threads, " + StepRatios.SEQUENCES
                        + " sequences in all" + naming.under(),
                (double) times.togetherNanos() / times.sharedOutNanos(), "x", true, naming.leastLanes(),
                String.format(Locale.ROOT, "%d sequences take %.2f ms on one lane and %.2f ms shared out.",
                        StepRatios.SEQUENCES, times.togetherNanos() / 1e6, times.sharedOutNanos() / 1e6));
    }

    private static BackendFigure eachFull(Naming naming, int lanes, StepRatios.Times times) {
        return new BackendFigure("host_lanes_full" + naming.idEnd(),
                lanes + " lanes of one thread against one lane of " + lanes + " threads, " + StepRatios.SEQUENCES
                        + " sequences on each lane" + naming.under(),
                (double) lanes * times.togetherNanos() / times.eachFullNanos(), "x", true, OptionalDouble.empty(),
                String.format(Locale.ROOT, "%d sequences take %.2f ms on one lane; %d on %d lanes take %.2f ms.",
                        StepRatios.SEQUENCES, times.togetherNanos() / 1e6, lanes * StepRatios.SEQUENCES, lanes,
                        times.eachFullNanos() / 1e6));
    }

    private static BackendFigure share(StepRatios.Times one) {
        double share = 1 - (double) one.aloneKernelNanos() / one.aloneNanos();
        return new BackendFigure("host_share_outside_kernels", "share of a one-sequence step outside the kernels",
                share * 100, "%", false, 8,
                String.format(Locale.ROOT, "The best step takes %.3f ms.", one.aloneNanos() / 1e6));
    }
}
