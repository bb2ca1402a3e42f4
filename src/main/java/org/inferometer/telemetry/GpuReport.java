package org.inferometer.telemetry;

import java.util.List;

/// The GPUs of this machine, or the reason why none can be read.
///
/// @param gpus in the driver's order; empty without one
/// @param driverVersion empty where not known
/// @param cudaVersion the newest CUDA version that the driver supports, as "13.0"; empty where not known
/// @param explanation one sentence: what was found through which library, or the attempts
/// @param attempts the steps that were tried if no GPU can be read; empty otherwise
public record GpuReport(List<GpuDescription> gpus, String driverVersion, String cudaVersion, String explanation,
        List<GpuAttempt> attempts) {
    public GpuReport {
        gpus = List.copyOf(gpus);
        attempts = List.copyOf(attempts);
    }

    /// A machine whose GPUs cannot be read.
    public static GpuReport none(String explanation, List<GpuAttempt> attempts) {
        return new GpuReport(List.of(), "", "", explanation, attempts);
    }
}
