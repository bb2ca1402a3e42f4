package org.inferometer.ui.bench;

/// The processor and the GPU as text.
///
/// @param device "AMD EPYC, 2 cores, AVX-512"
/// @param gpuSentence one line on the GPU or its absence
/// @param gpuReason why no GPU was found; empty with a GPU
public record MachineSummary(String device, String gpuSentence, String gpuReason) {
    /// Before the machine has been read.
    public static final MachineSummary UNKNOWN = new MachineSummary("", "", "");
}
