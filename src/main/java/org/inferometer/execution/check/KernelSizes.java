package org.inferometer.execution.check;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;

/// The sizes of [CudaKernelsCheck].
///
/// @param shape of the model
/// @param rows tokens of products
/// @param contexts sequences whose tokens attention decodes
/// @param effort how much is measured
public record KernelSizes(ModelShape shape, List<Integer> rows, List<Context> contexts, Effort effort) {
    /// Llama-3.1-8B, with the vocabulary of Qwen2. "Ragged" is one sequence of 32,768 positions among 63 short ones.
    public static final KernelSizes LLAMA_8B = new KernelSizes(
            RandomModel.shape(ModelFamily.LLAMA, 1, 4096, 14_336, 32, 8, 128, 151_936, null),
            List.of(1, 4, 16, 64, 256, 2048),
            List.of(new Context("1x128", List.of(128)), new Context("1x4k", List.of(4096)),
                    new Context("1x32k", List.of(32_768)), new Context("64x4k", Collections.nCopies(64, 4096)),
                    new Context("ragged", IntStream.range(0, 64).mapToObj(i -> i == 0 ? 32_768 : 16 * i).toList())),
            new Effort(200_000_000, 1L << 30, 20, 5, 4096));

    /// To see that every kernel is timed; the times mean nothing.
    public static final KernelSizes SMALL =
            new KernelSizes(RandomModel.shape(ModelFamily.LLAMA, 1, 128, 128, 2, 1, 64, 300, null), List.of(1, 16),
                    List.of(new Context("1x70", List.of(70)), new Context("ragged", List.of(130, 1, 17))),
                    new Effort(40_000, 4096, 2, 1, 2));

    /// Sequences with their positions, including the one of the decoded token.
    public record Context(String id, List<Integer> positions) {
        long sum() {
            return positions.stream().mapToLong(Integer::longValue).sum();
        }

        int longest() {
            return positions.stream().mapToInt(Integer::intValue).max().orElseThrow();
        }
    }

    /// @param coldBytes what is read before the same memory is read again; more than caches hold
    /// @param readBytes of the read rate
    /// @param launches timed together, at least
    /// @param rounds of which the fastest counts
    /// @param tensorIterations of the tensor-core rate
    public record Effort(long coldBytes, long readBytes, int launches, int rounds, int tensorIterations) {
        /// The number of copies of data of this size that are together larger than caches.
        int copies(long bytes) {
            return (int) Math.clamp(Math.ceilDiv(coldBytes, Math.max(1, bytes)), 1, 1000);
        }
    }
}
