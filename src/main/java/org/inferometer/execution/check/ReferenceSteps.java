package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.units.Seed;
import org.inferometer.workload.Sampling;

/// The steps of an agreement check with their expected logits. All tokens are given, so the steps are known in advance.
///
/// The long sequence is prefilled in chunks; other prompts share a step with its first decode. Then more and more
/// sequences decode together, some steps with padding; at the end chunks and decodes share steps. KV blocks are
/// scattered. Every slice yields logits.
final class ReferenceSteps {
    private final ReferenceSequences known;
    private final AgreementExtent extent;
    private final int[][] blocks;
    private final int[] fed;
    private final List<ReferenceStep> steps = new ArrayList<>();

    /// A step with the expected logits and the position of each slice.
    ///
    /// @param expected `[slices][vocabulary]`
    /// @param places in messages: "position 12 of sequence 3"
    record ReferenceStep(Step step, List<double[]> expected, List<String> places) {}

    private ReferenceSteps(ReferenceSequences known, int[][] blocks) {
        this.known = known;
        this.extent = known.extent();
        this.blocks = blocks;
        this.fed = new int[extent.together()];
    }

    /// The steps of one lane, in order.
    ///
    /// @param lane determines its share of the pool's blocks
    static List<ReferenceStep> of(ReferenceSequences known, int blockTokens, int lane) {
        ReferenceSteps maker = new ReferenceSteps(known, tables(known.extent(), blockTokens, lane));
        maker.make();
        return maker.steps;
    }

    private static int[][] tables(AgreementExtent extent, int blockTokens, int lane) {
        int[] free = shuffled(extent.blocks(blockTokens), new Seed(lane).generator());
        int[][] tables = new int[extent.together()][];
        int at = 0;
        for (int sequence = 0; sequence < tables.length; sequence++) {
            int count = Math.ceilDiv(extent.positions(sequence), blockTokens);
            tables[sequence] = Arrays.stream(free, at, at + count).map(block -> block + lane * free.length).toArray();
            at += count;
        }
        return tables;
    }

    private static int[] shuffled(int count, RandomGenerator random) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            int other = random.nextInt(i + 1);
            numbers[i] = numbers[other];
            numbers[other] = i;
        }
        return numbers;
    }

    private void make() {
        for (int chunk : extent.chunks()) {
            add(List.of(new SequencePart(0, chunk)), 0);
        }
        List<SequencePart> prompts = new ArrayList<>(List.of(new SequencePart(0, 1)));
        List<SequencePart> last = new ArrayList<>();
        for (int sequence = 0; sequence < extent.together(); sequence++) {
            if (sequence > 0) {
                prompts.add(new SequencePart(sequence, extent.prompt(sequence)));
            }
            last.add(new SequencePart(sequence, extent.last(sequence)));
        }
        addInSteps(prompts);
        for (int rows : extent.ladder()) {
            List<SequencePart> decoding = new ArrayList<>();
            for (int sequence = 0; sequence < rows; sequence++) {
                decoding.add(new SequencePart(sequence, 1));
            }
            add(decoding, rows == 2 ? 3 : 0);
        }
        addInSteps(last);
    }

    /// The next positions of a sequence.
    private record SequencePart(int sequence, int count) {}

    private void addInSteps(List<SequencePart> parts) {
        List<SequencePart> step = new ArrayList<>();
        int rows = 0;
        for (SequencePart part : parts) {
            if (rows + part.count() > extent.largestStep()) {
                add(step, 0);
                step = new ArrayList<>();
                rows = 0;
            }
            step.add(part);
            rows += part.count();
        }
        add(step, 0);
    }

    private void add(List<SequencePart> parts, int padding) {
        List<StepSlice> slices = new ArrayList<>();
        List<double[]> expected = new ArrayList<>();
        List<String> places = new ArrayList<>();
        for (SequencePart part : parts) {
            int sequence = part.sequence();
            int first = fed[sequence];
            int end = first + part.count();
            int kind = known.kind(sequence);
            int[] tokens = Arrays.copyOfRange(known.tokens()[kind], first, end);
            slices.add(new StepSlice(first, tokens, blocks[sequence], true, Sampling.GREEDY));
            expected.add(known.logits()[kind][end - 1]);
            places.add("position " + (end - 1) + " of sequence " + sequence + " in step " + steps.size());
            fed[sequence] = end;
        }
        steps.add(new ReferenceStep(new Step(steps.size(), slices, padding, true), expected, places));
    }
}
