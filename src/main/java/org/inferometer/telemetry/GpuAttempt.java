package org.inferometer.telemetry;

/// One thing that was tried on the way to a GPU.
///
/// @param what "libnvidia-ml.so.1", "/dev/nvidia0"
/// @param outcome what came of it, in words
public record GpuAttempt(String what, String outcome) {}
