package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.LongForm;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Attention of long, ragged and packed rows, through one small layer, against the reference pass.
class AttentionEmulatedTest {
    private static final int MULTIPROCESSORS = 64;
    private static final int BLOCK_TOKENS = 16;
    private static final int CHUNK = 500;
    private static final int SEQUENCES = 12;

    private final EmulatedDriver driver = EmulatedDriver.load().set(Setting.MULTIPROCESSORS, MULTIPROCESSORS);

    private static RandomModel model(int heads, int kvHeads, int headDim) {
        return model(heads, kvHeads, headDim, 0);
    }

    private static RandomModel model(int heads, int kvHeads, int headDim, int window) {
        return RandomModel.of(RandomModel.shape(ModelFamily.LLAMA, 1, 64, 48, heads, kvHeads, headDim, 50, null)
                .withSlidingWindow(window), Precision.BF16, 12);
    }

    /// Sequences that share their tokens; each has `longest` positions of its own in the cache.
    private record Sequences(ExecutorRun run, int[] tokens, double[][] expected,
            KvDtype dtype) implements AutoCloseable {
        static Sequences of(RandomModel model, KvDtype dtype, boolean graphs, int longest) throws ExecutorException {
            int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, longest, 6);
            CudaOptions options = CudaRun.options(1, BLOCK_TOKENS, dtype, graphs);
            long bytes = SEQUENCES * (longest + BLOCK_TOKENS) * CudaKvPool.tokenBytes(model.shape(), options);
            ExecutorSizes sizes = new ExecutorSizes(bytes, CHUNK + SEQUENCES, longest, SEQUENCES);
            return new Sequences(new ExecutorRun(CudaExecutor.open(model.shape(), model.weights(), options,
                    LaneLayout.sharing(1), sizes, new SystemClock())), tokens, CudaRun.reference(model, tokens, dtype),
                    dtype);
        }

        StepSlice slice(int sequence, int first, int end) {
            int count = Math.ceilDiv(tokens.length, BLOCK_TOKENS);
            int[] blocks = IntStream.range(0, count).map(i -> sequence * count + (count - 1 - i)).toArray();
            return new StepSlice(first, Arrays.copyOfRange(tokens, first, end), blocks, true, Sampling.GREEDY);
        }

        /// Computes one step and compares the logits after each slice.
        void step(StepSlice... slices) {
            float[][] logits = run.step(0, slices).logits();
            double tolerance = dtype == KvDtype.FP16 ? 1 : 3;
            for (int i = 0; i < slices.length; i++) {
                int last = slices[i].firstPosition() + slices[i].tokens().length - 1;
                CudaAgainstReferenceEmulatedTest.assertLogits(List.of(logits[i]), new double[][]{expected[last]},
                        0.02 * tolerance, 0.01 * tolerance);
            }
        }

        /// Computes a sequence up to `end`, in chunks.
        void prefill(int sequence, int end) {
            for (int first = 0; first < end; first += CHUNK) {
                step(slice(sequence, first, Math.min(end, first + CHUNK)));
            }
        }

        @Override
        public void close() {
            run.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"FP16, 64, false, 2600, 21", "FP16, 24, true, 1000, 8"})
    void aLongSequenceAmongShortOnesIsSplitAndMerged(KvDtype dtype, int headDim, boolean graphs, int longest,
            int ranges) throws Exception {
        AttentionTiling tiling = new AttentionTiling(MULTIPROCESSORS, 1, 1);
        assertThat(AttentionTiling.ranges(longest, tiling.rangePositions(longest + 224))).isEqualTo(ranges);
        try (Sequences all = Sequences.of(model(1, 1, headDim), dtype, graphs, longest)) {
            all.prefill(0, longest - 3);
            all.prefill(1, 20);
            all.prefill(2, 200);
            for (int next = 0; next < 3; next++) {
                int at = longest - 3 + next;
                all.step(all.slice(1, 20 + next, 21 + next), all.slice(0, at, at + 1),
                        all.slice(2, 200 + next, 201 + next), all.slice(3, next, next + 1));
            }
        }
    }

    @ParameterizedTest
    @CsvSource("FP8, 128, true, 1500, 12")
    @LongForm
    void aLongSequenceInFp8IsSplitAndMerged(KvDtype dtype, int headDim, boolean graphs, int longest, int ranges)
            throws Exception {
        aLongSequenceAmongShortOnesIsSplitAndMerged(dtype, headDim, graphs, longest, ranges);
    }

    @ParameterizedTest
    @CsvSource({"6, 2, FP8, 64", "20, 1, FP16, 128", "9, 1, FP8, 16"})
    void headsOfAnyGroupArePackedWithRows(int heads, int kvHeads, KvDtype dtype, int headDim) throws Exception {
        try (Sequences all = Sequences.of(model(heads, kvHeads, headDim), dtype, false, 330)) {
            all.step(all.slice(0, 0, 9), all.slice(1, 0, 1), all.slice(2, 0, 37));
            all.step(all.slice(0, 9, 10), all.slice(1, 1, 2), all.slice(2, 37, 38));
            all.prefill(3, 329);
            all.step(all.slice(0, 10, 11), all.slice(3, 329, 330));
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 4, FP16, 64", "40, 1, FP8, 128", "70, 1, FP16, 64"})
    @LongForm
    void headsOfMoreGroupsArePackedWithRows(int heads, int kvHeads, KvDtype dtype, int headDim) throws Exception {
        headsOfAnyGroupArePackedWithRows(heads, kvHeads, dtype, headDim);
    }

    @ParameterizedTest
    @CsvSource("FP16, 64, true")
    void raggedLengthsDecodeTogether(KvDtype dtype, int headDim, boolean graphs) throws Exception {
        int[] lengths = {1, 560, 2, 127, 128, 129, 160, 161, 64, 415, 33};
        try (Sequences all = Sequences.of(model(6, 2, headDim), dtype, graphs, 562)) {
            List<StepSlice> slices = new ArrayList<>();
            for (int i = 0; i < lengths.length; i++) {
                all.prefill(i, lengths[i]);
                slices.add(all.slice(i, lengths[i], lengths[i] + 1));
            }
            all.step(slices.toArray(StepSlice[]::new));
            // One more beside a prompt.
            slices.set(0, all.slice(0, 2, 60));
            slices.set(1, all.slice(1, 561, 562));
            all.step(slices.subList(0, 2).toArray(StepSlice[]::new));
            assertThat(driver.count(Count.GRAPH_LAUNCHES) > 0).isEqualTo(graphs);
        }
    }

    @ParameterizedTest
    @CsvSource({"FP8, 128, false", "FP8, 24, true"})
    @LongForm
    void raggedLengthsInFp8DecodeTogether(KvDtype dtype, int headDim, boolean graphs) throws Exception {
        raggedLengthsDecodeTogether(dtype, headDim, graphs);
    }

    /// Windows of one position, at the ends of blocks of the cache, of stages and of ranges; chunks that cross their begin.
    @ParameterizedTest
    @CsvSource({"1, FP16, 64, 1", "64, FP8, 128, 1", "65, FP16, 64, 3", "129, FP8, 24, 1"})
    void rowsSeeTheirWindowOnly(int window, KvDtype dtype, int headDim, int group) throws Exception {
        try (Sequences all = Sequences.of(model(2 * group, 2, headDim, window), dtype, true, 640)) {
            all.step(all.slice(0, 0, 1), all.slice(1, 0, 63), all.slice(2, 0, 300));
            all.step(all.slice(0, 1, 2), all.slice(1, 63, 130), all.slice(2, 300, 301));
            all.step(all.slice(1, 130, 330), all.slice(2, 301, 420));
            all.step(all.slice(0, 2, 3), all.slice(1, 330, 331), all.slice(2, 420, 421));
            all.prefill(3, 639);
            all.step(all.slice(0, 3, 4), all.slice(3, 639, 640), all.slice(2, 421, 422));
        }
    }

    @ParameterizedTest
    @CsvSource({"16, FP8, 64, 4", "63, FP16, 128, 2", "128, FP16, 24, 2", "200, FP16, 128, 4", "500, FP8, 64, 2"})
    @LongForm
    void rowsSeeMoreWindowsOnly(int window, KvDtype dtype, int headDim, int group) throws Exception {
        rowsSeeTheirWindowOnly(window, dtype, headDim, group);
    }

    @Test
    void aPromptTakesSixLaunchesALayer() throws Exception {
        try (Sequences all = Sequences.of(model(2, 1, 64), KvDtype.FP16, false, 700)) {
            long before = driver.count(Count.LAUNCHES);
            all.step(all.slice(0, 0, 300), all.slice(1, 0, 1));
            // Embedding; last norm, head, choice of a token.
            assertThat(driver.count(Count.LAUNCHES) - before).isEqualTo(6 + 4);
        }
    }
}
