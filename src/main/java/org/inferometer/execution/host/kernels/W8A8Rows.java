package org.inferometer.execution.host.kernels;

/// Activation rows as integers from -127 to 127 for [W8A8Kernels]. Different threads may store different rows.
public final class W8A8Rows {
    /// Numbers of a word of four inputs.
    public static final int PER_WORD = 3;

    private static final int INPUTS = 4;
    private static final int LOW = 0xFFFF;
    /// Offset of the lower code of a pair.
    private static final int OFFSET = 128;
    private static final int BASE = 256;
    /// Keeps a pair's sum positive, so that it needs no sign.
    private static final int BIAS = 1 << 15;

    /// Of each word the factors of its lower codes, those of its upper codes, and what a pair starts with; the first pair in
    /// the lower 16 bits. `[rows, words, PER_WORD]`
    public final int[] numbers;
    private final int words;

    public W8A8Rows(int width, int rows) {
        words = Math.ceilDiv(width, INPUTS);
        numbers = new int[rows * words * PER_WORD];
    }

    public static long bytes(int width, int rows) {
        return (long) Integer.BYTES * rows * Math.ceilDiv(width, INPUTS) * PER_WORD;
    }

    /// Index of a row's numbers.
    public int at(int row) {
        return row * words * PER_WORD;
    }

    /// @param codes integers from `from` on, zeros in the last word behind the row
    public void take(float[] codes, int from, int row) {
        int to = at(row);
        for (int i = from; i < from + INPUTS * words; i += INPUTS) {
            int first = (int) codes[i];
            int third = (int) codes[i + 2];
            numbers[to] = halves(first, third);
            numbers[to + 1] = halves((int) codes[i + 1] - BASE * first, (int) codes[i + 3] - BASE * third);
            numbers[to + 2] = halves(BIAS - OFFSET * first, BIAS - OFFSET * third);
            to += PER_WORD;
        }
    }

    private static int halves(int lower, int upper) {
        return (lower & LOW) | upper << 16;
    }
}
