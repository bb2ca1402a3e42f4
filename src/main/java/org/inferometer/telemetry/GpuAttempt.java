package org.inferometer.telemetry;

/// One step of the search for GPUs.
///
/// @param what "libnvidia-ml.so.1", "/dev/nvidia0"
/// @param outcome in words
public record GpuAttempt(String what, String outcome) {}
