package org.inferometer.execution.backend;

import org.inferometer.units.Seed;

/// The random number of a sampled token: a function of the request's seed and the token's position, so that neither batch
/// nor scheduler nor backend moves it.
///
/// @param seed of the request's sampling
/// @param position of the token to choose in its sequence
public record SamplingDraw(long seed, int position) {
    /// In [0, 1), from SplitMix64 over seed and position.
    public double uniform() {
        return (new Seed(Seed.mix(seed)).part(position).value() >>> 11) * 0x1p-53;
    }
}
