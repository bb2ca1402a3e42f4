package org.inferometer.execution.backend;

import org.inferometer.units.Seed;

/// The random number of a sampled token. It depends on the request's seed and the token's position only.
///
/// @param seed of the request
/// @param position of the sampled token
public record SamplingDraw(long seed, int position) {
    /// A number in [0, 1) from SplitMix64 over seed and position.
    public double uniform() {
        return (new Seed(Seed.mix(seed)).part(position).value() >>> 11) * 0x1p-53;
    }
}
