package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import org.inferometer.engine.Bfloat16;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.check.AgreementCase.Tolerance;
import org.inferometer.execution.check.ReferenceForward.Rounding;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.HostOptions.Activations;
import org.inferometer.execution.host.machine.HostOptions.FloatActivations;
import org.inferometer.execution.host.machine.HostOptions.KvDtype;
import org.inferometer.execution.host.steps.HostExecutor;
import org.inferometer.execution.host.steps.KvCache;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;

/// Compares this CPU's logits with the reference pass, for every model family, weight format, KV format and activation
/// format. Small random models in mixed steps; the reference rounds as the options do. Runs on the calling thread and
/// the executors' threads.
///
/// @param begun receives the name of each part as it begins
public record HostAgreement(Clock clock, Consumer<String> begun, Agreement.Load load) {
    /// What `selfcheck` computes.
    public static final Agreement.Load STANDARD =
            new Agreement.Load(new AgreementExtent(List.of(1, 2, 4, 7, 16, 33), 16),
                    new AgreementExtent(List.of(2, 3, 70), 17), 32_000, 8);

    private static final Tolerance EXACT = new Tolerance(5e-4, 2e-3, 2e-4);
    private static final Tolerance ROUNDED_CACHE = new Tolerance(0.01, 0.01, 0.003);
    private static final Tolerance ROUNDED_FLOATS = new Tolerance(0.04, 0.04, 0.01);
    private static final Tolerance ROUNDED_ACTIVATIONS = new Tolerance(0.06, 0.06, 0.01);
    private static final String TOLERANCE =
            "0.0005 + 0.2 % of their size each, 0.01 + 1 % with a BF16 cache, 0.04 + 4 % with BF16 activations, 0.06 + 6 % with INT8 activations";
    private static final int MOST = 127;
    private static final long SEED = 7;

    /// The options that round numbers.
    record Rounded(KvDtype dtype, FloatActivations floats, Activations activations) {
        private static final Rounded EXACT = new Rounded(KvDtype.FP32, FloatActivations.FP32, Activations.FP32);
        private static final Rounded INTEGERS = new Rounded(KvDtype.FP32, FloatActivations.FP32, Activations.INT8);
        private static final Rounded FLOATS = new Rounded(KvDtype.FP32, FloatActivations.BF16, Activations.FP32);
        private static final Rounded CACHE = new Rounded(KvDtype.BF16, FloatActivations.FP32, Activations.FP32);

        private String text() {
            return ", " + dtype + " cache" + (floats == FloatActivations.BF16 ? ", BF16 activations" : "")
                    + (activations == Activations.INT8 ? ", INT8 activations" : "");
        }
    }

    /// A model and the options that round its numbers.
    ///
    /// @param name in messages
    record HostCase(String name, ModelShape shape, WeightFormats formats, Rounded rounded, AgreementExtent extent,
            int blockTokens) {
        private Tolerance tolerance() {
            return rounded.activations() == Activations.INT8 ? ROUNDED_ACTIVATIONS
                    : rounded.floats() == FloatActivations.BF16 ? ROUNDED_FLOATS
                    : rounded.dtype() == KvDtype.BF16 ? ROUNDED_CACHE
                    : EXACT;
        }
    }

    /// The figures of all cases, failed ones included, then those of sampling.
    ///
    /// @throws ExecutorException when memory does not suffice
    public List<BackendFigure> ratios() throws ExecutorException, InterruptedException {
        List<AgreementCase> cases = new ArrayList<>();
        for (HostCase subject : subjects()) {
            begun.accept("agreement of the host backend, " + subject.name());
            cases.addAll(run(subject));
        }
        List<BackendFigure> ratios = new ArrayList<>(new Agreement("host", TOLERANCE, cases).ratios());
        begun.accept("agreement of the host backend, sampling");
        ratios.add(sampling());
        return ratios;
    }

    /// Every family in every format with odd widths, and a wide model; also with rounded activations;
    /// INT4 in narrower groups and with act-order, FP8 with scales of groups; sliding windows.
    List<HostCase> subjects() {
        List<HostCase> subjects = new ArrayList<>();
        for (Precision precision : Precision.values()) {
            addFamilies(subjects, precision, Rounded.EXACT);
            addFamilies(subjects, precision, precision.isInteger() ? Rounded.INTEGERS : Rounded.FLOATS);
            addFamilies(subjects, precision, Rounded.CACHE);
        }
        for (int groupColumns : WeightMatrix.Int4.GROUPS) {
            for (Rounded rounded : List.of(Rounded.EXACT, Rounded.INTEGERS)) {
                if (groupColumns != WeightMatrix.Int4.GROUP_COLUMNS) {
                    subjects.add(wide(new WeightFormats(Precision.INT4, Precision.INT4, groupColumns), rounded,
                            " INT4 in groups of " + groupColumns));
                }
            }
        }
        for (Rounded rounded : List.of(Rounded.EXACT, Rounded.INTEGERS)) {
            subjects.add(wide(WeightFormats.all(Precision.INT4).withActOrder(), rounded, " INT4 with act-order"));
        }
        for (Rounded rounded : List.of(Rounded.EXACT, Rounded.FLOATS)) {
            subjects.add(wide(new WeightFormats(Precision.FP8, Precision.FP8, WeightMatrix.Fp8.GROUP_COLUMNS), rounded,
                    " FP8 in groups of " + WeightMatrix.Fp8.GROUP_COLUMNS));
        }
        for (Rounded rounded : List.of(Rounded.EXACT, Rounded.CACHE)) {
            // Shorter than a chunk, a block of the cache long, and one position longer.
            for (int window : List.of(7, 16, 17)) {
                subjects.add(windowed(window, rounded));
            }
        }
        return subjects;
    }

    private HostCase windowed(int window, Rounded rounded) {
        return new HostCase("Llama FP8, window of " + window + rounded.text(),
                RandomModel.odd(ModelFamily.LLAMA).withSlidingWindow(window), WeightFormats.all(Precision.FP8), rounded,
                load.odd(), RandomModel.blockTokens(ModelFamily.LLAMA));
    }

    private void addFamilies(List<HostCase> subjects, Precision precision, Rounded rounded) {
        WeightFormats formats = WeightFormats.all(precision);
        for (ModelFamily family : ModelFamily.values()) {
            subjects.add(new HostCase(family.label() + " " + precision + rounded.text(), RandomModel.odd(family),
                    formats, rounded, load.odd(), RandomModel.blockTokens(family)));
        }
        subjects.add(wide(formats, rounded, " " + precision));
    }

    private HostCase wide(WeightFormats formats, Rounded rounded, String weights) {
        ModelShape wide = RandomModel.shape(ModelFamily.LLAMA, 1, 256, 400, 4, 2, 64, 301, null);
        return new HostCase("wide Llama" + weights + rounded.text(), wide, formats, rounded, load.wide(),
                RandomModel.blockTokens(ModelFamily.LLAMA));
    }

    /// One lane on all cores; the wide model also on two lanes of one thread each.
    List<AgreementCase> run(HostCase subject) throws InterruptedException {
        AgreementExtent extent = subject.extent();
        ReferenceSequences known = ReferenceSequences.of(RandomModel.of(subject.shape(), subject.formats(), SEED),
                rounding(subject), extent, SEED);
        List<AgreementCase> cases = new ArrayList<>();
        int most = extent == load.wide() ? 2 : 1;
        for (int lanes = 1; lanes <= most; lanes++) {
            AgreementCase figures = new AgreementCase(subject.name() + (lanes == 1 ? ", one lane" : ", two lanes"),
                    subject.tolerance());
            HostOptions options = options(lanes, subject.blockTokens(), subject.rounded());
            figures.run(known, 1,
                    extent.sizes(lanes, subject.blockTokens(), KvCache.blockBytes(subject.shape(), options)),
                    opening(options));
            cases.add(figures);
        }
        return cases;
    }

    /// Rounding that the options ask for.
    private static Rounding rounding(HostCase subject) {
        DoubleUnaryOperator exact = DoubleUnaryOperator.identity();
        int groupColumns = subject.formats().groupColumns();
        Rounding.Input input = subject.rounded().activations() == Activations.INT8
                ? (x, weights) -> eightBits(x, weights, groupColumns) : Rounding.NONE.input();
        return new Rounding(input, exact,
                Rounding.Cached.each(subject.rounded().dtype() == KvDtype.BF16 ? Bfloat16::rounded : exact), false);
    }

    /// Activations quantized for INT4 and INT8 weights: in each group integers up to 127 times a factor.
    private static double[] eightBits(double[] x, Precision weights, int groupColumns) {
        if (!weights.isInteger()) {
            return x;
        }
        double[] rounded = x.clone();
        for (int from = 0; from < x.length; from += groupColumns) {
            int end = Math.min(x.length, from + groupColumns);
            double largest = 0;
            for (int i = from; i < end; i++) {
                largest = Math.max(largest, Math.abs(x[i]));
            }
            for (int i = from; i < end && largest > 0; i++) {
                rounded[i] = Math.rint(x[i] * MOST / largest) * largest / MOST;
            }
        }
        return rounded;
    }

    /// Sampling from a large vocabulary.
    BackendFigure sampling() throws ExecutorException, InterruptedException {
        HostOptions options = options(1, SamplingAgreement.BLOCK_TOKENS, Rounded.EXACT);
        return new SamplingAgreement("host", load.sampledSteps()).ratio(load.vocabulary(),
                shape -> KvCache.blockBytes(shape, options), opening(options));
    }

    private Agreement.Opening opening(HostOptions options) {
        return (model, sizes) -> HostExecutor.open(model.shape(), model.weights(), options,
                LaneLayout.sharing(options.lanes()), sizes, clock);
    }

    private static HostOptions options(int lanes, int blockTokens, Rounded rounded) {
        return new HostOptions(lanes == 1 ? 0 : 1, lanes, true, blockTokens, rounded.dtype(), rounded.floats(),
                rounded.activations());
    }
}
