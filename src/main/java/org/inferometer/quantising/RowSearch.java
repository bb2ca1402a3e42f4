package org.inferometer.quantising;

import java.util.Arrays;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.build.Int4Quantiser;

/// The searches of AWQ for one row of a projection. Each call allocates its own scratch; thread-safe.
///
/// Source: Lin et al., "AWQ: Activation-aware Weight Quantization" (2024), section 3 and its published code's clipping.
record RowSearch(SiteInputs inputs) {
    private static final int GROUP = WeightMatrix.Int4.GROUP_COLUMNS;
    // The published grid: clip ratios from 1 down to above 0.5, in steps of a twentieth.
    private static final int CLIPS = 10;
    private static final float CLIP_STEP = 1f / 20;
    private static final float[] NO_CLIPS = {};

    /// The squared error of the outputs with each of some scales of the inputs.
    ///
    /// @param row `[columns]`
    /// @param scales `[candidates][columns]`
    double[] scaleErrors(float[] row, float[][] scales) {
        float[][] errors = new float[scales.length][];
        for (int candidate = 0; candidate < scales.length; candidate++) {
            errors[candidate] = error(row, scales[candidate], NO_CLIPS);
        }
        return SiteInputs.squares(errors, inputs.search(), 0, row.length);
    }

    /// The magnitude at which each group of the scaled row is cut, so that its outputs are nearest.
    ///
    /// @param scales `[columns]`
    /// @return `[groups]`
    float[] clips(float[] row, float[] scales) {
        int groups = Math.ceilDiv(row.length, GROUP);
        float[] largest = new float[groups];
        for (int column = 0; column < row.length; column++) {
            int group = column / GROUP;
            largest[group] = Math.max(largest[group], Math.abs(row[column] * scales[column]));
        }
        float[][] candidates = new float[CLIPS][groups];
        float[][] errors = new float[CLIPS][];
        for (int candidate = 0; candidate < CLIPS; candidate++) {
            for (int group = 0; group < groups; group++) {
                candidates[candidate][group] = largest[group] * (1 - candidate * CLIP_STEP);
            }
            errors[candidate] = error(row, scales, candidates[candidate]);
        }
        float[] clips = new float[groups];
        for (int group = 0; group < groups; group++) {
            double[] squares = SiteInputs.squares(errors, inputs.search(), group * GROUP,
                    Math.min(row.length, (group + 1) * GROUP));
            int best = 0;
            for (int candidate = 1; candidate < CLIPS; candidate++) {
                best = squares[candidate] < squares[best] ? candidate : best;
            }
            clips[group] = candidates[best][group];
        }
        return clips;
    }

    /// Squared outputs over the tokens to report by: of the error when rounded to the nearest, of the error with
    /// scales and clips, and of the row itself.
    double[] report(float[] row, float[] scales, float[] clips) {
        float[] ones = new float[row.length];
        Arrays.fill(ones, 1);
        float[][] errors = {error(row, ones, NO_CLIPS), error(row, scales, clips), row};
        return SiteInputs.squares(errors, inputs.check(), 0, row.length);
    }

    /// The change of a row by rounding it with scales and clips.
    private static float[] error(float[] row, float[] scales, float[] clips) {
        float[] rounded = new float[row.length];
        for (int column = 0; column < row.length; column++) {
            rounded[column] = clipped(row[column] * scales[column], column, clips);
        }
        Int4Quantiser.round(rounded);
        for (int column = 0; column < row.length; column++) {
            rounded[column] = rounded[column] / scales[column] - row[column];
        }
        return rounded;
    }

    /// @param clips `[groups]`, or empty for none
    static float clipped(float value, int column, float[] clips) {
        return clips.length == 0 ? value : Math.clamp(value, -clips[column / GROUP], clips[column / GROUP]);
    }
}
