package org.inferometer.execution.host;

/// One figure of the host backend against what the same machine gave in the same run.
///
/// @param id stable name in files: "host_decode_int4"
/// @param value a ratio, or seconds where `unit` says so
/// @param unit "x" for ratios, "%" for shares, "s" for times
/// @param higherIsBetter which side of `least` is good
/// @param least the limit that the value is held against
/// @param sentence what was compared, with the rates behind the ratio
public record HostRatio(String id, String name, double value, String unit, boolean higherIsBetter, double least, String sentence) {}
