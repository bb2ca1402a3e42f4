package org.inferometer.quantising;

import java.util.List;

/// What projections that share their inputs read: the magnitude of each feature, and a sample of tokens.
///
/// @param means `[features]`, of the magnitudes over all tokens
/// @param search `[features][tokens]`, to choose by
/// @param check `[features][tokens]`, other tokens, to report by
record SiteInputs(float[] means, float[][] search, float[][] check) {
    private static final int MOST_SAMPLES = 256;

    /// @param windows `[features][tokens]` each
    static SiteInputs of(List<float[][]> windows) {
        int features = windows.getFirst().length;
        int tokens = windows.stream().mapToInt(window -> window[0].length).sum();
        int samples = Math.min(MOST_SAMPLES, tokens) & ~1;
        float[] means = new float[features];
        float[][] search = new float[features][samples / 2];
        float[][] check = new float[features][samples / 2];
        for (int feature = 0; feature < features; feature++) {
            double sum = 0;
            int token = 0;
            int sample = 0;
            for (float[][] window : windows) {
                for (float value : window[feature]) {
                    sum += Math.abs(value);
                    if (sample < samples && token == (int) ((long) sample * tokens / samples)) {
                        (sample % 2 == 0 ? search : check)[feature][sample / 2] = value;
                        sample++;
                    }
                    token++;
                }
            }
            means[feature] = (float) (sum / tokens);
        }
        return new SiteInputs(means, search, check);
    }

    /// Sums of squares of errors·x over tokens, one for each row of errors.
    ///
    /// @param x `[features][tokens]`
    static double[] squares(float[][] errors, float[][] x, int firstFeature, int endFeature) {
        float[][] outputs = new float[errors.length][x[0].length];
        DenseProduct.add(errors, 0, errors.length, x, firstFeature, endFeature, outputs);
        double[] sums = new double[errors.length];
        for (int row = 0; row < errors.length; row++) {
            for (float output : outputs[row]) {
                sums[row] += (double) output * output;
            }
        }
        return sums;
    }
}
