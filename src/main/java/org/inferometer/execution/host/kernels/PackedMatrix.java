package org.inferometer.execution.host.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.files.LittleEndian;
import org.inferometer.execution.host.machine.Vectors;

/// A weight matrix in a layout that a kernel reads as one sequential stream, without sums across lanes.
///
/// Rows are grouped into units of [Vectors#UNIT] outputs. For each 32-bit word of a row (8 INT4, 4 FP8 or 2 BF16
/// inputs) a unit holds the words of all its rows: `[units][words][UNIT]`. The first input of a word is in its lowest
/// bits; FP8 has it in the top byte, as the kernels decode it. INT4 has headers before each block of 128 inputs, a line for
/// each of its groups: the rows' scales with the zero points in the four lowest mantissa bits, which are zero in a scale
/// from FP16. So a block of four groups of 32 has its words in the same order as one of a single group. FP8 with scales of
/// groups has a header before each block of 128 inputs: the rows' scales times [#FP8_KERNEL_SCALE]. INT8 has a header
/// before each block of 64 inputs: the FP16 scales of its two groups, the first in the lower halves; its words have
/// [#INT8_EVEN_BITS] inverted. Padding rows and
/// inputs of the last unit and word have weight zero, and so have groups that the last block lacks.
///
/// Off-heap, or mapped from a [PackFile]; lives as long as the arena. Immutable once every unit is packed; any thread may read.
public final class PackedMatrix {
    /// Raised with every change of the layout or the corrections; files of other versions are rewritten.
    static final int LAYOUT_VERSION = 3;
    /// Inputs of a chain where rows have more inputs than this.
    public static final int LONG_CHAIN = 1024;
    private static final int SHORT_CHAIN = 512;
    /// Words in a full block of INT4, which is the widest group.
    public static final int BLOCK_WORDS = WeightMatrix.Int4.GROUP_COLUMNS / 8;
    /// Words in a full block of FP8 with scales of groups.
    static final int FP8_BLOCK_WORDS = WeightMatrix.Fp8.GROUP_COLUMNS / 4;
    /// Inverted in words of INT8: the first and third code have 128 added, so that [W8A8Kernels] needs no sign of them.
    public static final int INT8_EVEN_BITS = 0x00800080;
    /// Words in a full block of INT8: two groups.
    public static final int INT8_BLOCK_WORDS = 2 * WeightMatrix.Int8.GROUP_COLUMNS / 4;
    /// Bytes of one line: a word of every row of a unit.
    public static final int LINE_BYTES = 4 * Vectors.UNIT;
    /// Where a header of INT4 has the zero point; the rest is the scale.
    public static final int ZERO_POINT_BITS = 0xF;
    /// Scale of the values that the FP8 kernels decode to: they leave the exponent 8 short.
    public static final float FP8_KERNEL_SCALE = 256f;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private final WeightMatrix source;
    private final int words;
    private final int headers;
    private final int groupBits;
    private final int blockWords;
    private final MemorySegment lines;
    private final float[] rowScales;
    private final Fp8Corrections corrections;

    /// Allocates the memory; [#packUnit] fills it.
    public PackedMatrix(WeightMatrix source, Arena arena) {
        this(source, arena.allocate(bytes(source), 64), new Fp8Corrections(correctedUnits(source)));
    }

    /// A matrix that is packed already.
    ///
    /// @param lines [#bytes] of the same source
    /// @param corrections of the same source
    public PackedMatrix(WeightMatrix source, MemorySegment lines, Fp8Corrections corrections) {
        this.source = source;
        this.words = words(source);
        this.headers = headers(source);
        this.groupBits = Integer.numberOfTrailingZeros(source instanceof WeightMatrix.Int8 ? 2 : Math.max(1, headers));
        this.blockWords = blockWords(source);
        this.lines = lines;
        this.corrections = corrections;
        this.rowScales = rowScales(source);
    }

    private static float[] rowScales(WeightMatrix source) {
        if (!(source instanceof WeightMatrix.Fp8 fp8) || fp8.groupColumns() > 0) {
            return new float[0];
        }
        float[] scales = new float[correctedUnits(source) * Vectors.UNIT];
        for (int row = 0; row < fp8.rows(); row++) {
            scales[row] = fp8.scale(row, 0) * FP8_KERNEL_SCALE;
        }
        return scales;
    }

    /// Units that may need corrections: those of FP8.
    private static int correctedUnits(WeightMatrix source) {
        return source instanceof WeightMatrix.Fp8 ? Math.ceilDiv(source.rows(), Vectors.UNIT) : 0;
    }

    /// Bytes of the packed matrix.
    public static long bytes(WeightMatrix matrix) {
        return (long) Math.ceilDiv(matrix.rows(), Vectors.UNIT) * unitBytes(matrix);
    }

    private static long unitBytes(WeightMatrix matrix) {
        int words = words(matrix);
        return (long) (words + Math.ceilDiv(words, blockWords(matrix)) * headers(matrix)) * LINE_BYTES;
    }

    private static int headers(WeightMatrix matrix) {
        return switch (matrix) {
            case WeightMatrix.Bf16 _ -> 0;
            case WeightMatrix.Fp8 fp8 -> fp8.groupColumns() > 0 ? 1 : 0;
            case WeightMatrix.Int8 _ -> 1;
            case WeightMatrix.Int4 int4 -> WeightMatrix.Int4.GROUP_COLUMNS / int4.groupColumns();
        };
    }

    private static int blockWords(WeightMatrix matrix) {
        return switch (matrix) {
            case WeightMatrix.Bf16 bf16 -> chainInputs(bf16.columns()) / 2;
            case WeightMatrix.Fp8 fp8 -> fp8.groupColumns() > 0 ? FP8_BLOCK_WORDS : chainInputs(fp8.columns()) / 4;
            case WeightMatrix.Int8 _ -> INT8_BLOCK_WORDS;
            case WeightMatrix.Int4 _ -> BLOCK_WORDS;
        };
    }

    /// Inputs of a group of BF16, and of FP8 with scales of outputs: an output adds up so many in one chain, then the chains. oneDNN's BF16
    /// products do the same.
    public static int chainInputs(int columns) {
        return columns > LONG_CHAIN ? LONG_CHAIN : SHORT_CHAIN;
    }

    private static int words(WeightMatrix matrix) {
        return switch (matrix) {
            case WeightMatrix.Bf16 bf16 -> Math.ceilDiv(bf16.columns(), 2);
            case WeightMatrix.Fp8 fp8 -> Math.ceilDiv(fp8.columns(), 4);
            case WeightMatrix.Int8 int8 -> Math.ceilDiv(int8.columns(), 4);
            case WeightMatrix.Int4 int4 -> Math.ceilDiv(int4.columns(), 8);
        };
    }

    WeightMatrix source() {
        return source;
    }

    public Precision precision() {
        return source.precision();
    }

    int rows() {
        return source.rows();
    }

    /// Inputs of a row, without padding.
    public int columns() {
        return source.columns();
    }

    /// Inputs in a word.
    public int inputsPerWord() {
        return switch (precision()) {
            case BF16 -> 2;
            case FP8, INT8 -> 4;
            case INT4 -> 8;
        };
    }

    public int units() {
        return Math.ceilDiv(source.rows(), Vectors.UNIT);
    }

    /// Words of a row, the last one padded.
    public int words() {
        return words;
    }

    /// Blocks of a row, the last one shorter.
    public int blocks() {
        return Math.ceilDiv(words, blockWords);
    }

    /// Header lines of a block, as many as it has groups: 1, 2 or 4; of INT8 one for two groups; 0 without groups.
    public int headers() {
        return headers;
    }

    /// Offset of a block's first header in its unit; the words follow the headers.
    public long blockOffset(int block) {
        return (long) block * (blockWords + headers) * LINE_BYTES;
    }

    /// Groups of a row, the last one shorter.
    public int groups() {
        return Math.ceilDiv(words, groupWords());
    }

    /// Words of a whole group.
    public int groupWords() {
        return blockWords >> groupBits;
    }

    /// Words of a group.
    public int groupWords(int group) {
        return Math.min(groupWords(), words - group * groupWords());
    }

    /// Offset of a group's header in its unit.
    public long headerOffset(int group) {
        return blockOffset(group >> groupBits) + (long) (headers == 1 ? 0 : part(group)) * LINE_BYTES;
    }

    /// Offset of a group's first word in its unit.
    public long groupOffset(int group) {
        return blockOffset(group >> groupBits) + (headers + (long) part(group) * groupWords()) * LINE_BYTES;
    }

    /// The place of a group in its block.
    private int part(int group) {
        return group & ((1 << groupBits) - 1);
    }

    public MemorySegment lines() {
        return lines;
    }

    public long unitOffset(int unit) {
        return unit * unitBytes(source);
    }

    /// Per output, FP8 with scales of outputs only: the channel's scale times [#FP8_KERNEL_SCALE].
    public float[] rowScales() {
        return rowScales;
    }

    /// Corrections of FP8's short decoding.
    public Fp8Corrections corrections() {
        return corrections;
    }

    /// Packs one unit; any thread, one per unit.
    public void packUnit(int unit) {
        switch (source) {
            case WeightMatrix.Bf16 bf16 -> packWords(unit, bf16.values(), 2L * bf16.columns());
            case WeightMatrix.Fp8 fp8 -> {
                packWords(unit, fp8.values(), fp8.columns());
                if (headers > 0) {
                    packScales(unit, fp8);
                }
                corrections.find(unit, lines.asSlice(unitOffset(unit), unitBytes(fp8)),
                        Math.min(Vectors.UNIT, rows() - unit * Vectors.UNIT), fp8);
            }
            case WeightMatrix.Int8 int8 -> {
                packWords(unit, int8.values(), int8.columns());
                packHalves(unit, int8);
            }
            case WeightMatrix.Int4 int4 -> {
                packWords(unit, int4.nibbles(), int4.rowBytes());
                packHeaders(unit, int4);
            }
        }
    }

    private void packWords(int unit, MemorySegment values, long rowBytes) {
        boolean fp8 = source instanceof WeightMatrix.Fp8;
        int inverted = source instanceof WeightMatrix.Int8 ? INT8_EVEN_BITS : 0;
        int first = unit * Vectors.UNIT;
        int present = Math.min(Vectors.UNIT, rows() - first);
        for (int word = 0; word < words; word++) {
            int line = word + (word / blockWords + 1) * headers;
            long target = unitOffset(unit) + (long) line * LINE_BYTES;
            for (int i = 0; i < present; i++) {
                int bits = word(values, (first + i) * rowBytes, rowBytes, word);
                lines.set(INT, target + 4L * i, fp8 ? Integer.reverseBytes(bits) : bits ^ inverted);
            }
        }
    }

    private static int word(MemorySegment values, long rowStart, long rowBytes, int word) {
        long offset = 4L * word;
        if (offset + 4 <= rowBytes) {
            return values.get(LittleEndian.INT, rowStart + offset);
        }
        int bits = 0;
        for (int i = 0; offset + i < rowBytes; i++) {
            bits |= (values.get(ValueLayout.JAVA_BYTE, rowStart + offset + i) & 0xFF) << (8 * i);
        }
        return bits;
    }

    private void packScales(int unit, WeightMatrix.Fp8 fp8) {
        int first = unit * Vectors.UNIT;
        int present = Math.min(Vectors.UNIT, rows() - first);
        for (int group = 0; group < groups(); group++) {
            long target = unitOffset(unit) + headerOffset(group);
            for (int i = 0; i < present; i++) {
                lines.set(ValueLayout.JAVA_FLOAT_UNALIGNED, target + 4L * i,
                        fp8.scale(first + i, group) * FP8_KERNEL_SCALE);
            }
        }
    }

    private void packHalves(int unit, WeightMatrix.Int8 int8) {
        int first = unit * Vectors.UNIT;
        int present = Math.min(Vectors.UNIT, rows() - first);
        for (int group = 0; group < groups(); group += 2) {
            long target = unitOffset(unit) + headerOffset(group);
            for (int i = 0; i < present; i++) {
                int next = group + 1 < groups() ? int8.half(first + i, group + 1) : 0;
                lines.set(INT, target + 4L * i, (int8.half(first + i, group) & 0xFFFF) | next << 16);
            }
        }
    }

    private void packHeaders(int unit, WeightMatrix.Int4 int4) {
        int first = unit * Vectors.UNIT;
        int present = Math.min(Vectors.UNIT, rows() - first);
        for (int group = 0; group < groups(); group++) {
            long target = unitOffset(unit) + headerOffset(group);
            for (int i = 0; i < present; i++) {
                int bits = Float.floatToRawIntBits(int4.scale(first + i, group));
                lines.set(INT, target + 4L * i, bits | (int4.zero(first + i, group) & ZERO_POINT_BITS));
            }
        }
    }
}
