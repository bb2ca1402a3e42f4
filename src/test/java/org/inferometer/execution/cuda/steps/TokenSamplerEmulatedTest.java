package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.inferometer.execution.check.ReferenceSampler;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Rows of given logits, sampled with given numbers of thread blocks.
class TokenSamplerEmulatedTest {
    private static final int DRAWS = 4;
    private static final int[] BLOCKS = {1, 2, 7, 32};
    private static final List<Sampling> WAYS = List.of(Sampling.GREEDY, new Sampling(1, 0, 1, 3),
            new Sampling(0.7, 5, 1, 4), new Sampling(1.3, 0, 0.8, 5), new Sampling(0.9, 20, 0.6, 6),
            new Sampling(3, 1, 1, 7), new Sampling(2, 0, 0, 8), new Sampling(1e-3, 0, 0.99, 9),
            new Sampling(2, 700, 1, 10), new Sampling(2, 700, 0.9, 11), new Sampling(1, 1 << 20, 1, 12));

    private LoadedGpu gpu;

    @BeforeEach
    void openGpu() throws Exception {
        EmulatedDriver.load();
        gpu = LoadedGpu.open("0");
    }

    @AfterEach
    void closeGpu() {
        gpu.close();
    }

    private static float[] logits(int vocabulary, IntToDoubleFunction logit) {
        float[] logits = new float[vocabulary];
        for (int id = 0; id < vocabulary; id++) {
            logits[id] = (float) logit.applyAsDouble(id);
        }
        return logits;
    }

    /// Draws with every way of sampling; each number of blocks must give the same tokens.
    private List<int[]> draw(float[] logits) throws Exception {
        List<int[]> draws = new ArrayList<>();
        for (int blocks : BLOCKS) {
            try (SampledRows rows = new SampledRows(gpu, logits, WAYS.size(), blocks)) {
                for (int position = 0; position < DRAWS; position++) {
                    int[] tokens = rows.sample(WAYS, position);
                    if (blocks == 1) {
                        draws.add(tokens);
                    }
                    assertThat(tokens).as(blocks + " blocks").isEqualTo(draws.get(position));
                    assertThat(rows.counters()).containsOnly(0);
                }
            }
        }
        return draws;
    }

    /// Draws, and compares with the reference rule for logits that rank alike.
    private void assertRule(float[] logits, float[] reference) throws Exception {
        List<int[]> draws = draw(logits);
        for (int position = 0; position < DRAWS; position++) {
            for (int row = 0; row < WAYS.size(); row++) {
                int token = draws.get(position)[row];
                assertThat(ReferenceSampler.permits(reference, WAYS.get(row), position, token))
                        .as("token %d, %s, position %d", token, WAYS.get(row), position).isTrue();
            }
        }
    }

    @Test
    void blocksOfARowSampleByTheReferenceRule() throws Exception {
        Random random = new Random(1);
        float[] logits = logits(20_000, id -> 3 * random.nextGaussian());
        assertRule(logits, logits);
    }

    @Test
    void closeLogitsSampleByTheReferenceRule() throws Exception {
        Random random = new Random(2);
        float[] logits = logits(20_000, id -> 5 + 0.1 * random.nextGaussian());
        assertRule(logits, logits);
    }

    @Test
    void equalLogitsRankById() throws Exception {
        float[] logits = logits(3_000, id -> -2.5);
        assertRule(logits, logits);
        assertThat(draw(logits)).allSatisfy(tokens -> assertThat(tokens[0]).isZero());
    }

    @Test
    void tiesOverBlockBordersRankById() throws Exception {
        // Slices have 2048, 608 and 128 ids.
        int[] largest = {607, 608, 2047, 2048, 2049};
        float[] logits = logits(4_096, id -> Arrays.binarySearch(largest, id) >= 0 ? 9 : id % 2 == 0 ? -0.0 : 0.0);
        assertRule(logits, logits);
        List<Sampling> two = IntStream.range(0, WAYS.size()).mapToObj(i -> new Sampling(1, 2, 1, i)).toList();
        for (int blocks : BLOCKS) {
            try (SampledRows rows = new SampledRows(gpu, logits, two.size(), blocks)) {
                assertThat(rows.sample(two, 1)).containsOnly(607, 608);
            }
        }
    }

    @Test
    void nanIsNotDrawnBesideNumbers() throws Exception {
        Random random = new Random(3);
        float[] logits = logits(3_000, id -> id < 1_500 || id % 3 == 0 ? Double.NaN : random.nextGaussian());
        float[] reference = logits(logits.length, id -> Float.isNaN(logits[id]) ? -1e30 : logits[id]);
        assertRule(logits, reference);
    }

    @Test
    void theFirstIdIsChosenIfAllAreNan() throws Exception {
        assertThat(draw(logits(3_000, id -> Double.NaN))).allSatisfy(tokens -> assertThat(tokens).containsOnly(0));
    }

    @Test
    void infiniteLogitsSampleByTheReferenceRule() throws Exception {
        Random random = new Random(4);
        float[] logits = logits(3_000, id -> id % 2 == 0 ? Double.NEGATIVE_INFINITY : random.nextGaussian());
        float[] reference = logits(logits.length, id -> Float.isInfinite(logits[id]) ? -1e30 : logits[id]);
        assertRule(logits, reference);
    }

    @Test
    void blocksBeyondTheVocabularyAreEmpty() throws Exception {
        Random random = new Random(5);
        float[] logits = logits(40, id -> random.nextGaussian());
        assertRule(logits, logits);
    }
}
