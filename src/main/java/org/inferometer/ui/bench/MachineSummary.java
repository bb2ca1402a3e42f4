package org.inferometer.ui.bench;

/// What computes here, in words.
///
/// @param device "AMD EPYC, 2 cores, AVX-512"
/// @param gpuSentence one line on the GPU, or on its absence and what runs the engines instead
/// @param gpuReason what was tried, for whoever asks why; empty where there is a GPU
public record MachineSummary(String device, String gpuSentence, String gpuReason) {
    /// Before anything is known.
    public static final MachineSummary UNKNOWN = new MachineSummary("", "", "");
}
