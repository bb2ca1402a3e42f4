package org.inferometer.execution.host.steps;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import jdk.incubator.vector.FloatVector;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.backend.RotaryFrequencies;

/// Rotary position embedding, half-split: element i of a head rotates with element i + headDim/2 (Su et al. 2021,
/// element order of Hugging Face checkpoints).
public final class RotaryTable {
    private final int half;
    private final float[] cosines; // [positions, half]
    private final float[] sines; // [positions, half]

    public RotaryTable(ModelShape shape, int positions) {
        half = shape.headDim() / 2;
        cosines = new float[positions * half];
        sines = new float[positions * half];
        RotaryFrequencies frequencies = new RotaryFrequencies(shape);
        for (int i = 0; i < half; i++) {
            double frequency = frequencies.of(i);
            for (int position = 0; position < positions; position++) {
                double angle = position * frequency;
                cosines[position * half + i] = (float) Math.cos(angle);
                sines[position * half + i] = (float) Math.sin(angle);
            }
        }
    }

    public static long bytes(ModelShape shape, int positions) {
        return 8L * positions * (shape.headDim() / 2);
    }

    /// Rotates the head at `x[at..at + headDim)` to its position.
    public void rotate(float[] x, int at, int position) {
        int row = position * half;
        int i = 0;
        for (; i + LANES <= half; i += LANES) {
            FloatVector cosine = FloatVector.fromArray(FLOATS, cosines, row + i);
            FloatVector sine = FloatVector.fromArray(FLOATS, sines, row + i);
            FloatVector first = FloatVector.fromArray(FLOATS, x, at + i);
            FloatVector second = FloatVector.fromArray(FLOATS, x, at + half + i);
            first.mul(cosine).sub(second.mul(sine)).intoArray(x, at + i);
            second.mul(cosine).add(first.mul(sine)).intoArray(x, at + half + i);
        }
        for (; i < half; i++) {
            float first = x[at + i];
            float second = x[at + half + i];
            x[at + i] = first * cosines[row + i] - second * sines[row + i];
            x[at + half + i] = second * cosines[row + i] + first * sines[row + i];
        }
    }
}
