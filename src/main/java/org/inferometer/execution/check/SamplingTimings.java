package org.inferometer.execution.check;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.inferometer.execution.cuda.steps.TokenSampler;
import org.inferometer.execution.cuda.steps.TokenSampler.SampleBlocks;
import org.inferometer.execution.cuda.steps.TokenSampler.SamplerBuffers;

/// Times of the sampler over random logits of a large vocabulary.
record SamplingTimings(LoadedGpu gpu, KernelTimer timer, DevicePeaks peaks, KernelSizes sizes) {
    private static final double DEVIATION = 3;
    private static final int MOST_ROWS = 64;

    /// How tokens are chosen.
    private enum Rule {
        GREEDY("greedy", 0, 1), TOP_P("top_p", 1, 0.9f);

        private final String id;
        private final float temperature;
        private final float topP;

        Rule(String id, float temperature, float topP) {
            this.id = id;
            this.temperature = temperature;
            this.topP = topP;
        }

        /// A row's parameters in words: temperature, top-p, top-k, greedy, and the random number 0.5 as a double.
        int[] choices(int rows) {
            int[] words = new int[6 * rows];
            for (int at = 0; at < words.length; at += 6) {
                words[at] = Float.floatToRawIntBits(temperature);
                words[at + 1] = Float.floatToRawIntBits(topP);
                words[at + 3] = this == GREEDY ? 1 : 0;
                words[at + 5] = (int) (Double.doubleToRawLongBits(0.5) >>> 32);
            }
            return words;
        }
    }

    /// A figure for each rule and 1 and 64 rows.
    ///
    /// @throws ExecutorException when the device's memory does not suffice
    List<BackendFigure> run() throws ExecutorException {
        List<BackendFigure> figures = new ArrayList<>();
        int vocabulary = sizes.shape().vocabulary();
        try (DeviceMemory memory = new DeviceMemory(gpu.device());
                DeviceFill fill = new DeviceFill(memory);
                Arena arena = Arena.ofConfined()) {
            DeviceAddress logits = fill.normal(DEVIATION, (long) MOST_ROWS * vocabulary);
            DeviceAddress tokens = memory.take(DeviceMemory.Owner.WORKSPACE, (long) Integer.BYTES * MOST_ROWS);
            SampleBlocks blocks = new SampleBlocks(gpu.module().multiprocessors(), vocabulary);
            SamplerBuffers buffers = SamplerBuffers.take(MOST_ROWS, blocks.most(MOST_ROWS), vocabulary, memory);
            for (Rule rule : Rule.values()) {
                TokenSampler sampler = new TokenSampler(gpu.module(), arena,
                        new TokenSampler.Operands(logits, fill.integers(rule.choices(MOST_ROWS)), tokens, vocabulary),
                        buffers, blocks::of);
                for (int rows = 1; rows <= MOST_ROWS; rows *= MOST_ROWS) {
                    int count = rows;
                    double seconds = timer.secondsEach(sizes.effort().launches(), stream -> {
                        sampler.chooseLikeliest(stream, count);
                        if (rule != Rule.GREEDY) {
                            sampler.draw(stream, count);
                        }
                    });
                    figures.add(DevicePeaks.micros("sample_" + rule.id + "_" + rows,
                            "sampler, " + rule.id + ", " + DevicePeaks.rows(rows), seconds,
                            String.format(Locale.ROOT, "%d logits a row: %s.", vocabulary,
                                    peaks.memory(seconds, (double) Float.BYTES * rows * vocabulary))));
                }
            }
        }
        return figures;
    }
}
