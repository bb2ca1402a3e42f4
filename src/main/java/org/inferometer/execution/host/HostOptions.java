package org.inferometer.execution.host;

import java.util.List;
import org.inferometer.options.Option;
import org.inferometer.scheduling.LaneLayout;

/// How the CPU backend runs: `host:threads=2,lanes=1,deterministic=true`.
///
/// @param deterministic whether a row's result must not depend on the batch, the chunking, the threads or the lanes. `false` lets many
///     rows be multiplied by what a race at opening finds fastest ([BatchedProduct]), which may round by batch shape
public record HostOptions(@Option(name = "threads", standard = "0", max = 1024, unit = "threads",
        help = "CPU threads of each lane that computes; 0 divides the physical cores over them, one at least. More threads than "
                + "cores are allowed.") int threads,
        @Option(name = "lanes", standard = "0", max = 64, unit = "lanes",
                help = "Steps that run side by side, each on its own threads; 0 takes what the scheduler needs, most often 1. A scheduler "
                        + "with lanes of its own takes only 0 or that number. Priorities of lanes have no effect on the CPU.") int lanes,
        @Option(name = "deterministic", standard = "true",
                help = "Batch-invariant kernels: a request gets the same tokens under every scheduler. With false, many rows (a prompt, a "
                        + "large batch) are multiplied by oneDNN where a short race when the run begins finds it faster, in BF16 or FP32; "
                        + "the record says which and by how much.") boolean deterministic,
        @Option(name = "block_tokens", aliases = "tokens_per_block", standard = "16", min = 1, max = 1024,
                unit = "tokens", help = "Positions in a block of the KV cache.") int blockTokens,
        @Option(name = "kv_dtype", standard = "fp32", help = "Number format of the KV cache.") KvDtype kvDtype,
        @Option(name = "activations", standard = "fp32",
                help = "Number format of the activations that INT4 weights are multiplied with. int8 rounds them in groups of 128: faster for "
                        + "many rows where the processor multiplies bytes, and for one row as well where its vectors are shorter than 512 "
                        + "bits; elsewhere it gives the same results at the speed of fp32.") Activations activations) {

    /// Threads of each lane of a layout on this machine, by index; a lane that copies has one.
    public List<Integer> threadsOf(LaneLayout layout) {
        return LaneThreads.of(layout, threads, PhysicalCores.count()).perLane().stream()
                .map(count -> Math.max(1, count)).toList();
    }

    /// Number formats of activations where they meet INT4 weights.
    public enum Activations {
        /// As they are.
        FP32,
        /// Integers between -127 and 127 times a factor, chosen for each row and group of 128 inputs.
        INT8
    }

    /// Number formats of the KV cache.
    public enum KvDtype {
        /// 4 bytes an element.
        FP32(4),
        /// bfloat16: half the memory, rounded to 8 significant bits.
        BF16(2);

        private final int bytes;

        KvDtype(int bytes) {
            this.bytes = bytes;
        }

        /// Bytes of an element.
        public int bytes() {
            return bytes;
        }
    }
}
