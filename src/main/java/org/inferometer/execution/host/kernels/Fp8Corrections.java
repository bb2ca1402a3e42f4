package org.inferometer.execution.host.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.host.machine.Vectors;
import org.jspecify.annotations.Nullable;

/// Corrections of the short FP8 decoding, added after the products.
///
/// [Dequantization#fp8] is wrong by a known amount for codes without exponent, about one in ten thousand weights. Each
/// is recorded here and added to its output's finished sum, inputs in ascending order. With scales of groups the amounts
/// are scaled already, and so are the sums. A unit with many of them (pruned weights) uses the exact kernels. The choice
/// depends on the unit's weights only, so kernels for one row and for many give the same bits.
public final class Fp8Corrections {
    /// With more than one correction per this many codes, the exact kernels are faster.
    private static final int SPARSE = 512;

    private static final int EXPONENTS = 0x78787878;
    private static final int[] NONE = {};

    private final int[][] places; // [units][corrections], input · UNIT + output
    private final float[][] amounts; // [units][corrections]
    private final boolean[] exact; // [units]

    Fp8Corrections(int units) {
        places = new int[units][];
        amounts = new float[units][];
        exact = new boolean[units];
        Arrays.fill(places, NONE);
    }

    /// The corrections as integers: the count of each unit, or −1 if it uses the exact kernels, then the positions of
    /// all units in order. The amounts follow from the codes.
    int[] stored() {
        int total = Arrays.stream(places).mapToInt(of -> of.length).sum();
        int[] stored = new int[places.length + total];
        int at = places.length;
        for (int unit = 0; unit < places.length; unit++) {
            stored[unit] = exact[unit] ? -1 : places[unit].length;
            System.arraycopy(places[unit], 0, stored, at, places[unit].length);
            at += places[unit].length;
        }
        return stored;
    }

    /// Restores [#stored] numbers; every place is checked against the packed codes, from which the amounts follow.
    ///
    /// @param lines of all units
    /// @return null when the numbers cannot be corrections of these lines
    static @Nullable Fp8Corrections restored(int[] stored, MemorySegment lines, WeightMatrix.Fp8 matrix) {
        int units = Math.ceilDiv(matrix.rows(), Vectors.UNIT);
        if (stored.length < units) {
            return null;
        }
        Fp8Corrections corrections = new Fp8Corrections(units);
        long unitBytes = lines.byteSize() / Math.max(1, units);
        int at = units;
        for (int unit = 0; unit < units; unit++) {
            int count = stored[unit];
            corrections.exact[unit] = count == -1;
            if (count < -1 || count > stored.length - at) {
                return null;
            }
            if (count > 0 && !corrections.take(unit, Arrays.copyOfRange(stored, at, at + count),
                    lines.asSlice(unit * unitBytes, unitBytes), matrix)) {
                return null;
            }
            at += Math.max(0, count);
        }
        return at == stored.length ? corrections : null;
    }

    private boolean take(int unit, int[] where, MemorySegment lines, WeightMatrix.Fp8 matrix) {
        boolean groups = matrix.groupColumns() > 0;
        float[] by = new float[where.length];
        for (int i = 0; i < where.length; i++) {
            int input = where[i] / Vectors.UNIT;
            int output = where[i] % Vectors.UNIT;
            if (where[i] < 0 || input >= matrix.columns() || unit * Vectors.UNIT + output >= matrix.rows()) {
                return false;
            }
            int code = lines.get(ValueLayout.JAVA_INT_UNALIGNED,
                    line(input / 4, groups) + 4L * output) >>> (24 - 8 * (input % 4));
            if ((code & 0x78) != 0) {
                return false;
            }
            by[i] = amount(code) * scale(lines, input, output, groups);
        }
        places[unit] = where;
        amounts[unit] = by;
        return true;
    }

    /// Whether the unit's products come from the exact kernels.
    public boolean exact(int unit) {
        return exact[unit];
    }

    /// Finds the corrections of one packed unit; any thread, one per unit.
    ///
    /// @param lines of the unit
    /// @param outputs of the unit, without padding
    void find(int unit, MemorySegment lines, int outputs, WeightMatrix.Fp8 matrix) {
        int inputs = matrix.columns();
        boolean groups = matrix.groupColumns() > 0;
        int words = Math.ceilDiv(inputs, 4);
        int most = words * 4 * Vectors.UNIT / SPARSE + 1;
        int[] found = NONE;
        float[] by = {};
        int count = 0;
        for (int word = 0; word < words; word++) {
            long line = line(word, groups);
            for (int output = 0; output < outputs; output++) {
                int codes = lines.get(ValueLayout.JAVA_INT_UNALIGNED, line + 4L * output);
                if (!anyWithoutExponent(codes)) {
                    continue;
                }
                for (int j = 0; j < Math.min(4, inputs - 4 * word); j++) {
                    int code = codes >>> (24 - 8 * j);
                    if ((code & 0x78) == 0) {
                        if (count == most) {
                            exact[unit] = true;
                            return;
                        }
                        if (count == found.length) {
                            found = Arrays.copyOf(found, Math.min(most, 8 + 2 * count));
                            by = Arrays.copyOf(by, found.length);
                        }
                        found[count] = (4 * word + j) * Vectors.UNIT + output;
                        by[count] = amount(code) * scale(lines, 4 * word, output, groups);
                        count++;
                    }
                }
            }
        }
        // Ascending per output: words are in order, and each output of a word adds its four inputs.
        places[unit] = Arrays.copyOf(found, count);
        amounts[unit] = Arrays.copyOf(by, count);
    }

    /// Offset of a word in its unit.
    private static long line(int word, boolean groups) {
        int headers = groups ? word / PackedMatrix.FP8_BLOCK_WORDS + 1 : 0;
        return (long) (word + headers) * PackedMatrix.LINE_BYTES;
    }

    /// What a finished sum is a multiple of: the scale of the group, or 1 where outputs are scaled last.
    private static float scale(MemorySegment lines, int input, int output, boolean groups) {
        int first = input / WeightMatrix.Fp8.GROUP_COLUMNS * PackedMatrix.FP8_BLOCK_WORDS;
        return groups
                ? lines.get(ValueLayout.JAVA_FLOAT_UNALIGNED, line(first, true) - PackedMatrix.LINE_BYTES + 4L * output)
                : 1;
    }

    private static boolean anyWithoutExponent(int codes) {
        int exponents = codes & EXPONENTS;
        return (exponents - 0x01010101 & ~exponents & 0x80808080) != 0;
    }

    /// True minus decoded value: ±(m/8 · 2^-14 − (1 + m/8) · 2^-15).
    private static float amount(int code) {
        float magnitude = ((code & 7) / 8f - 1) * 0x1p-15f;
        return (code & 0x80) == 0 ? magnitude : -magnitude;
    }

    /// Adds the unit's corrections to one row's products.
    public void apply(int unit, float[] x, int xo, float[] out, int at) {
        int[] where = places[unit];
        float[] by = amounts[unit];
        for (int i = 0; i < where.length; i++) {
            int output = at + where[i] % Vectors.UNIT;
            out[output] = Math.fma(x[xo + where[i] / Vectors.UNIT], by[i], out[output]);
        }
    }
}
