package org.inferometer.execution.host.machine;

import java.util.List;
import org.inferometer.options.Option;
import org.inferometer.scheduling.LaneLayout;

/// Options of the CPU backend: `host:threads=2,lanes=1,deterministic=true`.
///
/// @param deterministic whether a row's result is independent of batch, chunking, threads and lanes. With `false`, all
///     rows of a large step use one faster product (`BatchedProduct`); their rounding depends on their number
public record HostOptions(
        @Option(name = "threads", standard = "0", max = 1024, unit = "threads",
                zero = "the physical cores, divided over the lanes",
                help = "CPU threads of each computing lane. More threads than " + "cores are allowed.") int threads,
        @Option(name = "lanes", standard = "0", max = 64, unit = "lanes", zero = "as many as the scheduler needs",
                help = "Steps that run in parallel, each on its own threads. A scheduler "
                        + "with its own lanes accepts only 0 or that number. Lane priorities have no effect on the CPU.") int lanes,
        @Option(name = "deterministic", standard = "true",
                help = "Batch-invariant kernels: a request gets the same tokens under every scheduler. With false, oneDNN multiplies all rows "
                        + "of a large step, in BF16 from 16 rows on or in FP32 from 128 on; the record says which.") boolean deterministic,
        @Option(name = "block_tokens", aliases = "tokens_per_block", standard = "16", min = 1, max = 1024,
                unit = "tokens", help = "Positions in a block of the KV cache.") int blockTokens,
        @Option(name = "kv_dtype", standard = "bf16", help = "Number format of the KV cache.") KvDtype kvDtype,
        @Option(name = "float_activations", standard = "bf16",
                help = "Number format of the activations that FP8 and BF16 weights are multiplied with. bf16 rounds them, as GPUs do, "
                        + "where the processor multiplies BF16. Prompts then take half the time. fp32 does not round.") FloatActivations floatActivations,
        @Option(name = "activations", standard = "int8",
                help = "Number format of the activations that INT4 and INT8 weights are multiplied with. int8 rounds them in the groups of the weights, as "
                        + "other CPU engines do; fp32 does not round and is slower.") Activations activations) {

    /// Threads of each lane of a layout on this machine, by index; a lane that copies has one.
    public List<Integer> threadsOf(LaneLayout layout) {
        return LaneThreads.of(layout, threads, PhysicalCores.count()).perLane().stream()
                .map(count -> Math.max(1, count)).toList();
    }

    /// Number formats of activations that are multiplied with BF16 and FP8 weights.
    public enum FloatActivations {
        /// Not rounded.
        FP32,
        /// bfloat16: 8 significant bits.
        BF16
    }

    /// Number formats of activations that are multiplied with INT4 and INT8 weights.
    public enum Activations {
        /// Not rounded.
        FP32,
        /// Integers between -127 and 127 times a factor, chosen for each row and group of the weights.
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
