package org.inferometer.suite.mapping;

import org.inferometer.workload.LengthDistribution;

/// Lengths of a test's load.
///
/// @param ratio the shortest length as a share of the longest, as benchmark_serving's random-range-ratio; 1 for equal lengths
record Lengths(int input, int output, double ratio) {
    LengthDistribution prompts() {
        return drawn(input);
    }

    LengthDistribution outputs() {
        return drawn(output);
    }

    private LengthDistribution drawn(int longest) {
        int shortest = Math.max(1, (int) (longest * ratio));
        return shortest >= longest ? new LengthDistribution.FixedLength(longest)
                : new LengthDistribution.UniformLength(shortest, longest);
    }
}
