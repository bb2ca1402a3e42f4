package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.check.AgreementCase.Tolerance;
import org.inferometer.execution.check.ReferenceForward.Rounding;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.ModuleChoice;
import org.inferometer.execution.cuda.steps.CudaExecutor;
import org.inferometer.execution.cuda.steps.CudaKvPool;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;

/// Compares a GPU's logits with the reference pass, for every model family, weight format and KV format. Small random
/// models in mixed steps reach every kernel; the reference rounds where the GPU rounds by design. Runs on the calling
/// thread.
///
/// The remaining differences are the order of FP32 sums and values that round the other way.
///
/// @param device number or UUID
/// @param begun receives the name of each part as it begins
/// @param rounds of each case: one may not show a missing synchronization between thread blocks
public record CudaAgreement(Clock clock, String device, Consumer<String> begun, Agreement.Load load, LargeLoad large,
        int rounds) {
    private static final Tolerance WITH_FP16 = new Tolerance(0.06, 0.03, 0.015);
    private static final Tolerance WITH_FP8 = new Tolerance(0.12, 0.06, 0.015);
    private static final String TOLERANCE =
            "0.06 + 3 % of their size each, 0.12 + 6 % with keys and values in FP8, and 1.5 % all together";
    private static final Agreement.Load STANDARD =
            new Agreement.Load(new AgreementExtent(List.of(1, 2, 4, 8, 16, 32, 64, 128), 16),
                    new AgreementExtent(List.of(1, 2, 3, 4, 7, 8, 16, 32, 64, 128), 64), 151_936, 4);
    private static final LargeLoad STANDARD_LARGE =
            new LargeLoad(4096, new AgreementExtent(List.of(1, 2, 4, 8, 16, 32, 64, 128), 64),
                    new AgreementExtent(IntStream.generate(() -> 128).limit(34).boxed().toList(), 3));
    static final Agreement.Load SMALL = new Agreement.Load(new AgreementExtent(List.of(2, 13), 3),
            new AgreementExtent(List.of(2, 8, 16, 20, 40, 66), 2), 1100, 8);
    static final LargeLoad SMALL_LARGE = new LargeLoad(2048, new AgreementExtent(List.of(2, 5, 13, 40), 3),
            new AgreementExtent(List.of(64, 64, 64, 64, 64, 64), 2));
    private static final List<WeightFormats> NARROW_GROUPS =
            List.of(DeviceFormat.INT4_G64.everywhere(), DeviceFormat.INT4_G32.everywhere());
    /// Steps within and beyond a tile of 128 and of 256 tokens.
    private static final AgreementExtent WARPGROUP_STEPS = new AgreementExtent(List.of(70, 128, 300), 2);
    private static final int WIDE_BLOCK_TOKENS = 16;
    private static final long SEED = 7;

    /// The cases in which rings of copies wrap and many thread blocks meet.
    ///
    /// @param hidden inputs of most products: many chunks a thread block, and many blocks before a norm
    /// @param deep sequences of the model of that width
    /// @param far sequences of a narrow model, one of them long: more splits of its positions than are combined at once
    public record LargeLoad(int hidden, AgreementExtent deep, AgreementExtent far) {}

    /// What `selfcheck` computes.
    public static CudaAgreement standard(Clock clock, String device, Consumer<String> begun) {
        return new CudaAgreement(clock, device, begun, STANDARD, STANDARD_LARGE, 3);
    }

    /// Every case and kernel with short sequences, computed once: less than a card must pass.
    public static CudaAgreement small(Clock clock, String device, Consumer<String> begun) {
        return new CudaAgreement(clock, device, begun, SMALL, SMALL_LARGE, 1);
    }

    /// The rounding of this backend by design: activations to BF16 before each product, queries to FP16, keys and
    /// values to the cache's format.
    public static Rounding rounding(KvDtype dtype) {
        DoubleUnaryOperator fp16 = x -> Float.float16ToFloat(Float.floatToFloat16((float) x));
        return new Rounding(Rounding.Input.each(Bfloat16::rounded), fp16, switch (dtype) {
            case FP16 -> Rounding.Cached.each(fp16);
            case FP8 -> ScaledE4m3::rounded;
        }, true);
    }

    /// The rounding of products of layers by cuBLASLt: as [#rounding], and INT4 weights to BF16.
    public static Rounding libraryRounding(KvDtype dtype) {
        return rounding(dtype)
                .with((weight, format) -> format == Precision.INT4 ? (float) Bfloat16.rounded(weight) : weight);
    }

    /// The tolerance for a cache format.
    static Tolerance tolerance(KvDtype dtype) {
        return switch (dtype) {
            case FP16 -> WITH_FP16;
            case FP8 -> WITH_FP8;
        };
    }

    /// A random model with its formats and extent.
    ///
    /// @param name in messages
    public record CudaCase(String name, ModelShape shape, WeightFormats formats, KvDtype dtype, AgreementExtent extent,
            int lanes, int blockTokens, Numbers numbers) {
        ReferenceSequences known(Rounding rounding) {
            return ReferenceSequences.of(switch (numbers) {
                case ALIKE -> RandomModel.of(shape, formats, SEED);
                case SPREAD -> SpreadModel.of(shape, SEED);
            }, rounding, extent, SEED);
        }
    }

    /// Sizes of keys and values.
    enum Numbers {
        /// All about equal.
        ALIKE,
        /// Those of [SpreadModel].
        SPREAD
    }

    /// The figures of all cases, failed ones included, then those of sampling.
    ///
    /// @throws ExecutorException if there is no such GPU or its driver rejects the kernels
    public List<BackendFigure> ratios() throws ExecutorException, InterruptedException {
        try (LoadedGpu gpu = LoadedGpu.open(device)) {
            List<AgreementCase> cases = new ArrayList<>();
            List<CudaCase> subjects = new ArrayList<>(subjects(gpu.device().multiprocessors()));
            subjects.addAll(spreadSubjects());
            subjects.addAll(windowSubjects());
            subjects.addAll(largeSubjects());
            for (CudaCase subject : subjects) {
                begun.accept("agreement of the GPU backend, " + subject.name());
                cases.addAll(run(gpu, subject, false, true));
            }
            if (gpu.gemm().find(CudaOptions.Gemm.AUTO).isPresent()) {
                for (CudaCase subject : librarySubjects(gpu.device().multiprocessors())) {
                    begun.accept("agreement of the GPU backend with cuBLASLt, " + subject.name());
                    cases.add(runLibrary(gpu, subject));
                }
            }
            begun.accept("agreement of the GPU backend, sampling");
            BackendFigure sampled = sampling(gpu);
            // Last: no card has run these kernels, and a fault would end all other cases.
            if (ModuleChoice.hasWarpgroups(gpu.device().computeCapability(), gpu.device().driver())) {
                for (CudaCase subject : warpgroupSubjects()) {
                    begun.accept("agreement of the GPU backend with wgmma, " + subject.name());
                    cases.add(runWarpgroups(gpu, subject));
                }
            }
            List<BackendFigure> ratios = new ArrayList<>(new Agreement("cuda", TOLERANCE, cases).ratios());
            ratios.add(sampled);
            return ratios;
        } catch (CudaFailure failure) {
            throw new ExecutorException("The GPU's agreement could not be checked: " + failure.getMessage() + ".",
                    failure);
        }
    }

    /// Every family in every format with odd widths. Then wide models with heads of the tensor cores' width, on two
    /// concurrent streams. Narrow groups of INT4 differ in products and embedding alone, act-order in the inputs of products,
    /// so fewer models reach them.
    List<CudaCase> subjects(int multiprocessors) {
        List<CudaCase> subjects = new ArrayList<>();
        List<Precision> precisions = DeviceFormat.precisions();
        for (Precision precision : precisions) {
            WeightFormats formats = WeightFormats.all(precision);
            for (KvDtype dtype : KvDtype.values()) {
                for (ModelFamily family : ModelFamily.values()) {
                    subjects.add(odd(family, formats, dtype));
                }
                int headDim = (precisions.indexOf(precision) + dtype.ordinal()) % 2 == 0 ? 64 : 128;
                subjects.add(wide(formats, dtype, headDim, multiprocessors));
            }
        }
        WeightFormats ordered = WeightFormats.all(Precision.INT4).withActOrder();
        subjects.add(odd(ModelFamily.LLAMA, ordered, KvDtype.FP16));
        subjects.add(odd(ModelFamily.GPT2, ordered, KvDtype.FP16));
        for (WeightFormats formats : NARROW_GROUPS) {
            subjects.add(odd(ModelFamily.LLAMA, formats, KvDtype.FP16));
            subjects.add(odd(ModelFamily.GPT2, formats, KvDtype.FP16));
            subjects.add(wide(formats, KvDtype.FP16, 64, multiprocessors));
        }
        return subjects;
    }

    private CudaCase odd(ModelFamily family, WeightFormats formats, KvDtype dtype) {
        return new CudaCase(family.label() + " " + text(formats) + ", " + dtype + " cache", RandomModel.odd(family),
                formats, dtype, load.odd(), 1, RandomModel.blockTokens(family), Numbers.ALIKE);
    }

    /// Gate and up together give each multiprocessor a whole block of outputs.
    private CudaCase wide(WeightFormats formats, KvDtype dtype, int headDim, int multiprocessors) {
        int intermediate = KernelTiles.Matmul.TOKENS_128.outputs() / 2 * multiprocessors;
        return new CudaCase(
                "wide Llama " + text(formats) + ", " + dtype + " cache, heads of " + headDim + ", two streams",
                RandomModel.shape(ModelFamily.LLAMA, 1, 128, intermediate, 4, 2, headDim, 101, null), formats, dtype,
                load.wide(), 2, WIDE_BLOCK_TOKENS, Numbers.ALIKE);
    }

    /// An FP8 cache whose rows need different scales, by each kernel of attention.
    List<CudaCase> spreadSubjects() {
        return IntStream.of(64, 128, 24)
                .mapToObj(headDim -> new CudaCase("spread Llama, FP8 cache, heads of " + headDim,
                        RandomModel.shape(ModelFamily.LLAMA, 1, 64, 48, 4, 2, headDim, 50, null),
                        WeightFormats.all(Precision.BF16), KvDtype.FP8, load.odd(), 1, WIDE_BLOCK_TOKENS,
                        Numbers.SPREAD))
                .toList();
    }

    /// Sliding windows by each kernel of attention: shorter than chunks, as long as a stage, and one position longer than a
    /// range of a long sequence.
    List<CudaCase> windowSubjects() {
        List<CudaCase> subjects = new ArrayList<>();
        for (KvDtype dtype : KvDtype.values()) {
            for (int headDim : List.of(64, 128, 24)) {
                subjects.add(
                        window(dtype, headDim, dtype == KvDtype.FP16 ? 7 : KernelTiles.ATTEND_POSITIONS, load.odd()));
            }
            subjects.add(window(dtype, 64, KernelTiles.LEAST_RANGE_POSITIONS + 1, large.far()));
        }
        return subjects;
    }

    private static CudaCase window(KvDtype dtype, int headDim, int window, AgreementExtent extent) {
        ModelShape shape = RandomModel.shape(ModelFamily.LLAMA, 1, 64, 48, 4, 2, headDim, 50, null);
        return new CudaCase("Llama, " + dtype + " cache, heads of " + headDim + ", window of " + window,
                shape.withSlidingWindow(window), WeightFormats.all(Precision.BF16), dtype, extent, 1, WIDE_BLOCK_TOKENS,
                Numbers.ALIKE);
    }

    private static String text(WeightFormats formats) {
        return formats.projections()
                + (NARROW_GROUPS.contains(formats) ? " in groups of " + formats.groupColumns() : "")
                + (formats.actOrder() ? " with act-order" : "");
    }

    /// A model with wide inputs in every format, whose second layer reads what many blocks of the first handed over. Then
    /// one long sequence among short ones.
    List<CudaCase> largeSubjects() {
        List<CudaCase> subjects = new ArrayList<>();
        Stream.concat(DeviceFormat.precisions().stream().map(WeightFormats::all), NARROW_GROUPS.stream()).forEach(
                formats -> subjects.add(new CudaCase("Llama " + text(formats) + " with " + large.hidden() + " inputs",
                        RandomModel.shape(ModelFamily.LLAMA, 2, large.hidden(), 256, 2, 1, 64, 101, null), formats,
                        KvDtype.FP16, large.deep(), 1, WIDE_BLOCK_TOKENS, Numbers.ALIKE)));
        for (KvDtype dtype : KvDtype.values()) {
            subjects.add(new CudaCase("Llama, " + dtype + " cache, one long sequence",
                    RandomModel.shape(ModelFamily.LLAMA, 1, 128, 128, 2, 1, 64, 101, null),
                    WeightFormats.all(Precision.INT4), dtype, large.far(), 1, WIDE_BLOCK_TOKENS, Numbers.ALIKE));
        }
        return subjects;
    }

    /// Those of [#subjects] that differ in what surrounds a product by cuBLASLt.
    public List<CudaCase> librarySubjects(int multiprocessors) {
        return subjects(multiprocessors).stream()
                .filter(each -> each.dtype() == KvDtype.FP16
                        && (each.shape().family() == ModelFamily.LLAMA || each.shape().family() == ModelFamily.GPT2))
                .toList();
    }

    /// The case of a model whose layers' products cuBLASLt computes, whatever their number of tokens.
    public AgreementCase runLibrary(LoadedGpu gpu, CudaCase subject) throws InterruptedException {
        return run(gpu.with(gpu.gemm().from(1)), subject, subject.known(libraryRounding(subject.dtype())), ", cuBLASLt",
                CudaOptions.Gemm.CUBLASLT, false);
    }

    /// A model with wide inputs in every format, in steps for each tile of warpgroups.
    List<CudaCase> warpgroupSubjects() {
        return largeSubjects().stream().filter(each -> each.shape().hidden() == large.hidden())
                .map(each -> new CudaCase(each.name(), each.shape(), each.formats(), each.dtype(), WARPGROUP_STEPS, 1,
                        WIDE_BLOCK_TOKENS, Numbers.ALIKE))
                .toList();
    }

    /// The case of a model whose products of many tokens warpgroups compute.
    AgreementCase runWarpgroups(LoadedGpu gpu, CudaCase subject) throws InterruptedException {
        return run(gpu, subject, subject.known(rounding(subject.dtype())), ", wgmma", CudaOptions.Gemm.WGMMA, true);
    }

    /// The cases of one model: without graphs, with graphs, or both.
    List<AgreementCase> run(LoadedGpu gpu, CudaCase subject, boolean... graphs) throws InterruptedException {
        ReferenceSequences known = subject.known(rounding(subject.dtype()));
        List<AgreementCase> cases = new ArrayList<>();
        for (boolean recorded : graphs) {
            cases.add(run(gpu, subject, known, recorded ? ", graphs" : ", no graphs", CudaOptions.Gemm.OWN, recorded));
        }
        return cases;
    }

    private AgreementCase run(LoadedGpu gpu, CudaCase subject, ReferenceSequences known, String how,
            CudaOptions.Gemm gemm, boolean graphs) throws InterruptedException {
        AgreementCase figures = new AgreementCase(subject.name() + how, tolerance(subject.dtype()));
        CudaOptions options =
                new CudaOptions(device, subject.lanes(), subject.blockTokens(), subject.dtype(), graphs, gemm);
        figures.run(known, rounds, subject.extent().sizes(subject.lanes(), subject.blockTokens(),
                CudaKvPool.blockBytes(subject.shape(), options)), opening(gpu, options));
        return figures;
    }

    /// Sampling from a large vocabulary.
    BackendFigure sampling(LoadedGpu gpu) throws ExecutorException, InterruptedException {
        CudaOptions options =
                new CudaOptions(device, 1, SamplingAgreement.BLOCK_TOKENS, KvDtype.FP16, true, CudaOptions.Gemm.OWN);
        return new SamplingAgreement("cuda", load.sampledSteps()).ratio(load.vocabulary(),
                shape -> CudaKvPool.blockBytes(shape, options), opening(gpu, options));
    }

    private Agreement.Opening opening(LoadedGpu gpu, CudaOptions options) {
        return (model, sizes) -> CudaExecutor.open(gpu, model.shape(), model.weights(), options,
                LaneLayout.sharing(options.lanes()), sizes, clock);
    }
}
