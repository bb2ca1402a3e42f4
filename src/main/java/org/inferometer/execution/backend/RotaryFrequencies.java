package org.inferometer.execution.backend;

import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelShape.RopeScaling;

/// The frequency of each pair of elements of a head: RoPE (Su et al. 2021), with Llama-3's scaling if the shape
/// has it.
public record RotaryFrequencies(ModelShape shape) {
    /// Radians per position for pair `i`.
    public double of(int i) {
        double frequency = Math.pow(shape.ropeTheta(), -2.0 * i / shape.headDim());
        return shape.scaling().map(scaling -> scaled(frequency, scaling)).orElse(frequency);
    }

    private static double scaled(double frequency, RopeScaling scaling) {
        double wavelength = 2 * Math.PI / frequency;
        double length = scaling.originalMaxPositions();
        if (wavelength < length / scaling.highFrequencyFactor()) {
            return frequency;
        }
        if (wavelength > length / scaling.lowFrequencyFactor()) {
            return frequency / scaling.factor();
        }
        double t = (length / wavelength - scaling.lowFrequencyFactor())
                / (scaling.highFrequencyFactor() - scaling.lowFrequencyFactor());
        return (1 - t) * frequency / scaling.factor() + t * frequency;
    }
}
