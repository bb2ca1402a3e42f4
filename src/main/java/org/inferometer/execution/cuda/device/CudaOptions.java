package org.inferometer.execution.cuda.device;

import org.inferometer.options.Option;

/// Options of the GPU backend: `cuda:device=0,lanes=1,kv_dtype=fp16`.
public record CudaOptions(@Option(name = "device", standard = "0",
        help = "GPU: its number in the driver's order, or its UUID (or a start of it) from nvidia-smi -L.") String device,
        @Option(name = "lanes", standard = "0", max = 16, unit = "lanes", zero = "as many as the scheduler needs",
                help = "CUDA streams that run steps concurrently. A scheduler that sets "
                        + "its lanes accepts only 0 or that number.") int lanes,
        @Option(name = "block_tokens", aliases = "tokens_per_block", standard = "16", min = 1, max = 256,
                unit = "tokens", help = "Positions in a block of the KV cache.") int blockTokens,
        @Option(name = "kv_dtype", standard = "fp16", help = "Number format of the KV cache.") KvDtype kvDtype,
        @Option(name = "graphs", standard = "true",
                help = "Record decode steps as CUDA graphs, one per batch size, and launch them whole.") boolean graphs,
        @Option(name = "gemm", standard = "auto",
                help = "Products of many tokens: own kernels, cuBLASLt (512 tokens and more), cuBLASLt if it is installed, "
                        + "or wgmma on compute capability 9.0 (65 tokens and more).") Gemm gemm,
        @Option(name = "dependent_launch", standard = "true",
                help = "Start each kernel of a step while the one before ends, where card (compute capability 9.0) and "
                        + "driver (CUDA 12.3) can.") boolean dependentLaunch,
        @Option(name = "queued_steps", standard = "0", max = 1, unit = "steps", zero = "the device waits for the host",
                help = "Steps queued behind the running one, where they are certain before it ends.") int queuedSteps) {

    /// With dependent launches, without queued steps.
    public CudaOptions(String device, int lanes, int blockTokens, KvDtype kvDtype, boolean graphs, Gemm gemm) {
        this(device, lanes, blockTokens, kvDtype, graphs, gemm, true, 0);
    }

    /// What computes the products of many tokens.
    public enum Gemm {
        /// cuBLASLt if it is found, else the own kernels.
        AUTO,
        /// The backend's own kernels.
        OWN,
        /// cuBLASLt; opening fails without it.
        CUBLASLT,
        /// The backend's kernels for warpgroups; opening fails where the card or its driver has none.
        WGMMA
    }

    /// Number formats of the KV cache.
    public enum KvDtype {
        /// 2 bytes an element, 11 significant bits.
        FP16(2, 0, "FP16"),
        /// 1 byte an element, E4M3, and for each key and each value of a position and KV head 1 byte of scale: a power
        /// of two.
        FP8(1, 1, "FP8 E4M3 with a power of two as scale per position and KV head");

        private final int bytes;
        private final int scaleBytes;
        private final String text;

        KvDtype(int bytes, int scaleBytes, String text) {
            this.bytes = bytes;
            this.scaleBytes = scaleBytes;
            this.text = text;
        }

        /// Bytes of an element.
        public int bytes() {
            return bytes;
        }

        /// Bytes of the scale of a row: one position's key or value of one KV head. Zero without scales.
        public int scaleBytes() {
            return scaleBytes;
        }

        /// What the cache holds, in records and reports.
        public String text() {
            return text;
        }
    }
}
