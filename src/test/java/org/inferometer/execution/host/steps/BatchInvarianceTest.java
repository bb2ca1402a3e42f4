package org.inferometer.execution.host.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions.Activations;
import org.inferometer.execution.host.machine.HostOptions.FloatActivations;
import org.inferometer.execution.host.machine.HostOptions.KvDtype;
import org.inferometer.units.Seed;

/// A row's logits are the same bits whatever is computed beside it, however its prompt is cut, and on however many threads and
/// lanes.
class BatchInvarianceTest {
    private static final int SEQUENCES = 3;
    private static final int LENGTH = 40;

    @Property(tries = 20)
    void logitsAreTheSameBitsUnderEverySchedule(@ForAll ModelFamily family, @ForAll Precision precision,
            @ForAll KvDtype dtype, @ForAll FloatActivations floats, @ForAll Activations activations,
            @ForAll @IntRange(min = 1, max = 3) int threads, @ForAll @IntRange(min = 1, max = 2) int lanes,
            @ForAll long seed) throws ExecutorException {
        RandomModel model = RandomModel.of(RandomModel.odd(family), precision, 11);
        int[][] tokens = IntStream.range(0, SEQUENCES).mapToObj(i -> HostAgainstReferenceTest.tokens(model, LENGTH, i))
                .toArray(int[][]::new);
        float[][][] alone = new float[SEQUENCES][][];
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, 16, dtype, floats, activations))) {
            for (int sequence = 0; sequence < SEQUENCES; sequence++) {
                alone[sequence] = run.feed(sequence, tokens[sequence], 1).toArray(float[][]::new);
            }
        }
        try (HostRun run = new HostRun(model, HostRun.options(threads, lanes, 16, dtype, floats, activations))) {
            RandomGenerator random = new Seed(seed).generator();
            int[] fed = new int[SEQUENCES];
            while (Arrays.stream(fed).anyMatch(count -> count < LENGTH)) {
                runRandomSteps(run, lanes, tokens, fed, alone, random);
            }
        }
    }

    /// One step on every lane at once, with random sequences, chunks and padding; every sequence keeps to its lane.
    private static void runRandomSteps(HostRun run, int lanes, int[][] tokens, int[] fed, float[][][] alone,
            RandomGenerator random) {
        List<List<Integer>> members = new ArrayList<>();
        List<CompletableFuture<StepOutcome>> running = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            List<StepSlice> slices = new ArrayList<>();
            List<Integer> sequences = new ArrayList<>();
            for (int sequence = lane; sequence < SEQUENCES; sequence += lanes) {
                int count = Math.min(random.nextInt(random.nextBoolean() ? 2 : 20), LENGTH - fed[sequence]);
                if (count > 0) {
                    int[] part = Arrays.copyOfRange(tokens[sequence], fed[sequence], fed[sequence] + count);
                    slices.add(run.slice(sequence, fed[sequence], part, true));
                    sequences.add(sequence);
                    fed[sequence] += count;
                }
            }
            members.add(sequences);
            running.add(slices.isEmpty() ? null : run.start(lane, slices, random.nextInt(4)));
        }
        for (int lane = 0; lane < lanes; lane++) {
            if (running.get(lane) == null) {
                continue;
            }
            float[][] logits = HostRun.completed(running.get(lane)).logits();
            for (int i = 0; i < logits.length; i++) {
                int sequence = members.get(lane).get(i);
                assertThat(logits[i]).containsExactly(alone[sequence][fed[sequence] - 1]);
            }
        }
    }
}
