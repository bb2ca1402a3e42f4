package org.inferometer.units;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A seed with named parts, so that the draws of one part do not change those of another.
///
/// Equal seeds give equal draws on every machine.
public record Seed(long value) {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    /// The seed of a named part, such as "arrivals".
    public Seed part(String name) {
        long hash = FNV_OFFSET;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return new Seed(mix(value ^ mix(hash)));
    }

    /// The seed of a numbered part, such as the i-th request.
    public Seed part(long index) {
        return new Seed(mix(value + 0x9e3779b97f4a7c15L * (index + 1)));
    }

    /// A new generator for this seed; not thread-safe.
    public RandomGenerator generator() {
        return new SplittableRandom(value);
    }

    /// The finaliser of SplitMix64 (Steele, Lea, Flood 2014), a bijection.
    public static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
