package org.inferometer.scheduling;

import org.inferometer.workload.RequestId;

/// Consecutive positions of one request to compute in a step: `from` .. `from + count − 1`.
public record Slice(RequestId request, int from, int count) {}
