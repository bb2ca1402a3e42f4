package org.inferometer.execution.cuda.steps;

import java.lang.foreign.Arena;
import java.util.function.IntUnaryOperator;
import java.util.stream.LongStream;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.cuda.device.DeviceAddress;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;

/// Samples tokens on the device by the rule of the host's sampler. Used by one lane.
///
/// A row of logits is shared by several thread blocks. Masses are integers, so tokens do not depend on their number.
public final class TokenSampler {
    private final Kernel likeliest;
    private final Kernel masses;
    private final Kernel draw;
    private final KernelArguments arguments;
    private final IntUnaryOperator blocks;

    /// The input and output.
    ///
    /// @param logits FP32 `[rows][vocabulary]`
    /// @param choices sampling parameters, 24 bytes a row
    /// @param tokens token ids `[rows]`
    public record Operands(DeviceAddress logits, DeviceAddress choices, DeviceAddress tokens, int vocabulary) {}

    /// @param blocks the thread blocks of a row, by the number of rows
    public TokenSampler(KernelModule module, Arena arena, Operands operands, SamplerBuffers buffers,
            IntUnaryOperator blocks) {
        this.blocks = blocks;
        likeliest = module.kernel("sample_likeliest", KernelTiles.SAMPLE_THREADS, 0);
        masses = module.kernel("sample_masses", KernelTiles.SAMPLE_THREADS, 0);
        draw = module.kernel("sample_draw", KernelTiles.SAMPLE_THREADS, 0);
        arguments = KernelArguments.of(KernelStruct.SAMPLING, arena).address("logits", operands.logits())
                .address("choice", operands.choices()).address("tokens", operands.tokens())
                .address("largest", buffers.largest()).address("slices", buffers.slices())
                .address("arrivals", buffers.arrivals()).address("stepMass", buffers.stepMass())
                .address("stepCount", buffers.stepCount()).address("places", buffers.places())
                .address("candidates", buffers.candidates()).integer("stride", operands.vocabulary())
                .integer("vocabulary", operands.vocabulary()).build();
    }

    /// Enqueues the choice of the likeliest token of each row.
    public void chooseLikeliest(DeviceStream stream, int rows) {
        arguments.launch(likeliest, stream, blocks.applyAsInt(rows), rows, 1);
    }

    /// Enqueues the draw of the rows that are not greedy, after [#chooseLikeliest] of the same rows.
    public void draw(DeviceStream stream, int rows) {
        int each = blocks.applyAsInt(rows);
        arguments.launch(masses, stream, each, rows, 1);
        arguments.launch(draw, stream, each, rows, 1);
    }

    /// The number of thread blocks that share a row of logits, so that few rows fill the GPU.
    ///
    /// @param multiprocessors of the device
    /// @param vocabulary logits of a row
    public record SampleBlocks(int multiprocessors, int vocabulary) {
        /// Thread blocks per multiprocessor, so that one computes while another waits for memory.
        private static final int BLOCKS_EACH = 2;

        /// The number of blocks of each row; many rows have one each.
        public int of(int rows) {
            int wanted = BLOCKS_EACH * multiprocessors / Math.max(1, rows);
            int useful = Math.ceilDiv(vocabulary, KernelTiles.LEAST_SLICE_LOGITS);
            return Math.max(1, Math.min(wanted, useful));
        }

        /// The largest product of rows and blocks for up to this many rows.
        public long most(int rows) {
            long most = 0;
            for (int each = 1; each <= rows; each++) {
                most = Math.max(most, (long) each * of(each));
            }
            return most;
        }
    }

    /// Scratch memory of a [TokenSampler].
    ///
    /// @param largest FP32 `[rows]`, the largest logit
    /// @param slices 64 bits `[rows][blocks]`
    /// @param arrivals counters of finished thread blocks `[rows]`; zero between launches
    /// @param stepMass 64 bits `[rows][SAMPLE_STEPS]`; zero between steps
    /// @param stepCount `[rows][SAMPLE_STEPS]`; zero between steps
    /// @param places `[rows][blocks][SAMPLE_STEPS]`
    /// @param candidates token ids `[rows][vocabulary]`
    public record SamplerBuffers(DeviceAddress largest, DeviceAddress slices, DeviceAddress arrivals,
            DeviceAddress stepMass, DeviceAddress stepCount, DeviceAddress places, DeviceAddress candidates) {

        /// Bytes of each buffer, in order.
        ///
        /// @param blocks the largest product of rows and thread blocks of a row
        private static long[] each(int rows, long blocks, int vocabulary) {
            long steps = KernelTiles.SAMPLE_STEPS;
            return new long[]{(long) Float.BYTES * rows, Long.BYTES * blocks, (long) Integer.BYTES * rows,
                    Long.BYTES * steps * rows, Integer.BYTES * steps * rows, Integer.BYTES * steps * blocks,
                    (long) Integer.BYTES * rows * vocabulary};
        }

        /// Bytes of all buffers.
        static long bytes(int rows, long blocks, int vocabulary) {
            return LongStream.of(each(rows, blocks, vocabulary)).sum();
        }

        /// Allocates all buffers.
        ///
        /// @param blocks the largest product of rows and thread blocks of a row
        /// @throws ExecutorException when the device's memory does not suffice
        public static SamplerBuffers take(int rows, long blocks, int vocabulary, DeviceMemory memory)
                throws ExecutorException {
            DeviceAddress[] taken = memory.takeEach(DeviceMemory.Owner.ACTIVATIONS, each(rows, blocks, vocabulary));
            return new SamplerBuffers(taken[0], taken[1], taken[2], taken[3], taken[4], taken[5], taken[6]);
        }
    }
}
