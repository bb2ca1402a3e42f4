package org.inferometer.engine;

/// Llama-3's scaling of RoPE frequencies for contexts longer than the training length.
///
/// With wavelength w = 2π/f and L = originalMaxPositions: w < L/highFrequencyFactor keeps f; w > L/lowFrequencyFactor gives
/// f/factor; between, t = (L/w − low)/(high − low) and f' = (1−t)·f/factor + t·f (Llama 3.1 reference code).
public record RopeScaling(double factor, double lowFrequencyFactor, double highFrequencyFactor,
        int originalMaxPositions) {}
