package org.inferometer.engine.build;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.FloatRange;
import net.jqwik.api.constraints.Size;
import org.inferometer.engine.Precision;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.StoredTensor.StoredPart;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.engine.WeightSpec;
import org.inferometer.engine.WeightSpec.WeightRole;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantisersTest {
    private static byte[] encoded(StoredPart part, float... row) {
        return encodedIn(WeightMatrix.Int4.GROUP_COLUMNS, part, row);
    }

    private static byte[] encodedIn(int group, StoredPart part, float... row) {
        WeightRole role = part == StoredPart.FP32_VALUES ? WeightRole.PROJECTION_BIAS : WeightRole.PROJECTION;
        WeightSpec weight = new WeightSpec("w.weight", role, 1, row.length);
        List<StoredTensor> tensors = Stream
                .of(WeightFormats.all(Precision.BF16), WeightFormats.all(Precision.FP8),
                        WeightFormats.all(Precision.INT8), new WeightFormats(Precision.INT4, Precision.INT4, group))
                .map(each -> StoredTensor.of(weight, each))
                .filter(each -> each.stream().anyMatch(tensor -> tensor.part() == part)).findFirst().orElseThrow();
        List<ByteBuffer> parts = tensors.stream()
                .map(tensor -> ByteBuffer.allocate(tensor.rowBytes()).order(ByteOrder.LITTLE_ENDIAN)).toList();
        RowEncoder.of(tensors.getFirst()).encode(row, parts);
        assertThat(parts).noneMatch(ByteBuffer::hasRemaining);
        return parts.get(tensors.stream().map(StoredTensor::part).toList().indexOf(part)).array();
    }

    private static WeightMatrix.Int4 int4(float[] row) {
        ByteBuffer halves = ByteBuffer.wrap(encoded(StoredPart.INT4_SCALES, row)).order(ByteOrder.LITTLE_ENDIAN);
        float[] scales = new float[halves.remaining() / 2];
        for (int group = 0; group < scales.length; group++) {
            scales[group] = Float.float16ToFloat(halves.getShort());
        }
        return new WeightMatrix.Int4(1, row.length, MemorySegment.ofArray(encoded(StoredPart.INT4_VALUES, row)), scales,
                encoded(StoredPart.INT4_ZEROS, row));
    }

    private static WeightMatrix.Fp8 fp8(float[] row) {
        float scale = ByteBuffer.wrap(encoded(StoredPart.FP8_SCALES, row)).order(ByteOrder.LITTLE_ENDIAN).getFloat();
        return new WeightMatrix.Fp8(1, row.length, MemorySegment.ofArray(encoded(StoredPart.FP8_VALUES, row)),
                new float[]{scale});
    }

    private static float[] widened(WeightMatrix matrix) {
        float[] row = new float[matrix.columns()];
        matrix.row(0, row, 0);
        return row;
    }

    private static float[] random(int columns) {
        RandomGenerator generator = new Seed(columns).generator();
        float[] row = new float[columns];
        for (int column = 0; column < columns; column++) {
            row[column] = (float) generator.nextGaussian();
        }
        return row;
    }

    @Test
    void anInt4RowIsLaidOutAsWorkedByHand() {
        // min -7, max 8: step 1, zero point 7; -7→0, 8→15, 0→7, 1→8, 2.4→9.
        float[] row = {-7, 8, 0, 1, 2.4f};
        assertThat(encoded(StoredPart.INT4_SCALES, row)).containsExactly(0x00, 0x3C);
        assertThat(encoded(StoredPart.INT4_ZEROS, row)).containsExactly(7);
        assertThat(encoded(StoredPart.INT4_VALUES, row)).containsExactly(0xF0, 0x87, 0x09);
        assertThat(widened(int4(row))).containsExactly(-7, 8, 0, 1, 2);
    }

    @Test
    void anInt4GroupOfOneSignStillReachesZero() {
        // min is forced to 0: step 2, zero point 0.
        assertThat(widened(int4(new float[]{30, 16, 0}))).containsExactly(30, 16, 0);
        assertThat(encoded(StoredPart.INT4_ZEROS, 30, 16, 0)).containsExactly(0);
        assertThat(encoded(StoredPart.INT4_ZEROS, -30, -16, 0)).containsExactly(15);
        assertThat(widened(int4(new float[]{-30, -16, 0}))).containsExactly(-30, -16, 0);
    }

    @Test
    void eachInt4GroupHasItsOwnScale() {
        float[] row = new float[130];
        row[0] = 15;
        row[128] = 150;
        row[129] = -150;
        WeightMatrix.Int4 matrix = int4(row);
        assertThat(matrix.scale(0, 0)).isEqualTo(1);
        assertThat(matrix.scale(0, 1)).isEqualTo(20);
        assertThat(matrix.nibbles().byteSize()).isEqualTo(65);
        assertThat(widened(matrix)).startsWith(15, 0).endsWith(0, 140, -160);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 127, 128, 129, 130, 257, 576})
    void int4StaysWithinHalfAStepAtAnyWidth(int columns) {
        float[] row = random(columns);
        assertInt4Bound(row);
    }

    @Property(tries = 300, seed = "42")
    void int4StaysWithinHalfAStepForAnyValues(
            @ForAll @Size(min = 1, max = 300) List<@FloatRange(min = -1000, max = 1000) Float> values) {
        float[] row = new float[values.size()];
        for (int column = 0; column < row.length; column++) {
            row[column] = values.get(column);
        }
        assertInt4Bound(row);
    }

    private static void assertInt4Bound(float[] row) {
        WeightMatrix.Int4 matrix = int4(row);
        float[] back = widened(matrix);
        for (int column = 0; column < row.length; column++) {
            float step = matrix.scale(0, column / 128);
            // Half a step, and what rounding the scale to half precision moves the farthest level.
            assertThat(back[column]).isCloseTo(row[column], within(step * (0.5f + 15 * 0x1p-10f) + 1e-6f));
        }
    }

    /// The formula of [Int4Quantiser], value by value: nibbles of all values, then zero points.
    private static byte[] plainInt4(float[] row, int group) {
        int groups = (row.length + group - 1) / group;
        ByteBuffer bytes = ByteBuffer.allocate((row.length + 1) / 2 + groups);
        ByteBuffer zeros = ByteBuffer.allocate(groups);
        for (int start = 0; start < row.length; start += group) {
            int end = Math.min(row.length, start + group);
            float min = 0;
            float max = 0;
            for (int column = start; column < end; column++) {
                min = Math.min(min, row[column]);
                max = Math.max(max, row[column]);
            }
            float scale = Float
                    .float16ToFloat(Float.floatToFloat16((float) Math.max(((double) max - min) / 15, (double) 1e-5f)));
            int zero = (int) Math.clamp(Math.rint(-min / scale), 0, 15);
            zeros.put((byte) zero);
            for (int column = start; column < end; column += 2) {
                int low = (int) Math.clamp(Math.rint(row[column] / scale) + zero, 0, 15);
                int high = column + 1 < end ? (int) Math.clamp(Math.rint(row[column + 1] / scale) + zero, 0, 15) : 0;
                bytes.put((byte) (low | high << 4));
            }
        }
        return bytes.put(zeros.flip()).array();
    }

    @Test
    void int4EqualsThePlainFormula() {
        RandomGenerator random = new Seed(5).generator();
        for (int i = 0; i < 3000; i++) {
            float[] row = new float[1 + random.nextInt(300)];
            double size = Math.pow(10, random.nextDouble(-9, 5));
            // Halves fall between two levels.
            boolean ties = random.nextBoolean();
            for (int column = 0; column < row.length; column++) {
                row[column] = ties ? random.nextInt(-15, 16) / 2f : (float) (random.nextGaussian() * size);
                row[column] = random.nextInt(20) == 0 ? -0f : row[column];
            }
            int group = WeightMatrix.Int4.GROUPS.get(i % 3);
            byte[] values = encodedIn(group, StoredPart.INT4_VALUES, row);
            byte[] zeros = encodedIn(group, StoredPart.INT4_ZEROS, row);
            ByteBuffer together = ByteBuffer.allocate(values.length + zeros.length).put(values).put(zeros);
            assertThat(together.array()).isEqualTo(plainInt4(row, group));
        }
    }

    @Test
    void anInt8RowIsLaidOutAsWorkedByHand() {
        // amax 127: scale 1; halves go away from zero. The next float below a half does not.
        float[] row = new float[33];
        System.arraycopy(new float[]{127, -127, 0.5f, -0.5f, 0.49999997f, 2.5f, -0f}, 0, row, 0, 7);
        row[32] = -254;
        assertThat(encoded(StoredPart.INT8_SCALES, row)).containsExactly(0x00, 0x3C, 0x00, 0x40);
        assertThat(encoded(StoredPart.INT8_VALUES, row)).startsWith(127, -127, 1, -1, 0, 3, 0, 0).endsWith(0, -127)
                .hasSize(33);
    }

    /// As llama.cpp makes Q8_0: codes by the scale before its rounding to FP16.
    @Test
    void int8EqualsThePlainFormula() {
        RandomGenerator random = new Seed(6).generator();
        for (int i = 0; i < 1000; i++) {
            float[] row = new float[1 + random.nextInt(300)];
            double size = Math.pow(10, random.nextDouble(-9, 5));
            for (int column = 0; column < row.length; column++) {
                row[column] = (float) (random.nextGaussian() * size);
            }
            ByteBuffer scales = ByteBuffer.wrap(encoded(StoredPart.INT8_SCALES, row)).order(ByteOrder.LITTLE_ENDIAN);
            byte[] codes = encoded(StoredPart.INT8_VALUES, row);
            for (int start = 0; start < row.length; start += 32) {
                float largest = 0;
                for (int column = start; column < Math.min(row.length, start + 32); column++) {
                    largest = Math.max(largest, Math.abs(row[column]));
                }
                float d = largest / 127;
                assertThat(scales.getShort()).isEqualTo(Float.floatToFloat16(d));
                for (int column = start; column < Math.min(row.length, start + 32); column++) {
                    double quotient = (double) (row[column] * (1 / d));
                    assertThat((double) codes[column])
                            .isEqualTo(Math.signum(quotient) * Math.floor(Math.abs(quotient) + 0.5) + 0.0);
                }
            }
        }
    }

    @Test
    void int8RefusesWhatNoScaleReaches() {
        assertThat(encoded(StoredPart.INT8_SCALES, 0, 0)).containsExactly(0, 0);
        assertThat(encoded(StoredPart.INT8_VALUES, 0, -0f)).containsExactly(0, 0);
        assertThatIllegalArgumentException().isThrownBy(() -> encoded(StoredPart.INT8_SCALES, 1e7f))
                .withMessage("a weight exceeds what an FP16 scale of a group reaches");
        assertThatIllegalArgumentException().isThrownBy(() -> encoded(StoredPart.INT8_VALUES, Float.NaN))
                .withMessage("a weight is NaN or infinite");
    }

    @Test
    void anFp8RowIsLaidOutAsWorkedByHand() {
        // amax 896: scale 2; 896→448 (7E), -2→-1 (B8), 0→0, 3→1.5 (3C).
        float[] row = {896, -2, 0, 3};
        assertThat(encoded(StoredPart.FP8_SCALES, row)).containsExactly(0, 0, 0, 0x40);
        assertThat(encoded(StoredPart.FP8_VALUES, row)).containsExactly(0x7E, 0xB8, 0x00, 0x3C);
        assertThat(widened(fp8(row))).containsExactly(896, -2, 0, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 127, 129, 130, 576})
    void fp8StaysWithinASixteenthOfEachValue(int columns) {
        float[] row = random(columns);
        WeightMatrix.Fp8 matrix = fp8(row);
        float[] back = widened(matrix);
        float largest = 0;
        for (int column = 0; column < columns; column++) {
            float subnormalHalfStep = 0x1p-10f * matrix.scale(0, 0);
            assertThat(back[column]).isCloseTo(row[column], within(Math.abs(row[column]) / 16 + subnormalHalfStep));
            largest = Math.max(largest, Math.abs(back[column]));
        }
        float amax = 0;
        for (float value : row) {
            amax = Math.max(amax, Math.abs(value));
        }
        assertThat(largest).isCloseTo(amax, within(amax * 1e-6f));
    }

    @Test
    void rowsOfZerosAndOfTinyValuesStayFinite() {
        for (float value : new float[]{0, -0f, Float.MIN_VALUE, 1e-38f}) {
            assertThat(widened(fp8(new float[]{value, 0}))[0]).isCloseTo(value, within(1e-37f));
            assertThat(widened(int4(new float[]{value, 0}))[0]).isCloseTo(value, within(1e-5f));
        }
    }

    @Test
    void hugeValuesStayFiniteInFp8AndAreRefusedInInt4() {
        float[] row = {Float.MAX_VALUE, -Float.MAX_VALUE, 1};
        for (float value : widened(fp8(row))) {
            assertThat(value).isFinite();
        }
        assertThatIllegalArgumentException().isThrownBy(() -> int4(row)).withMessageContaining("exceeds an FP16 scale");
        assertThat(widened(int4(new float[]{982560, 0}))).containsExactly(982560, 0);
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void valuesThatAreNoNumbersAreRefused(float value) {
        float[] row = {1, value};
        for (StoredPart part : new StoredPart[]{StoredPart.FP8_SCALES, StoredPart.FP8_VALUES, StoredPart.INT4_VALUES,
                StoredPart.INT4_SCALES, StoredPart.INT4_ZEROS}) {
            assertThatIllegalArgumentException().isThrownBy(() -> encoded(part, row))
                    .withMessageContaining("NaN or infinite");
        }
    }

    @Test
    void bf16AndFp32RowsAreLittleEndian() {
        assertThat(encoded(StoredPart.BF16_VALUES, 1, -2)).containsExactly(0x80, 0x3F, 0x00, 0xC0);
        assertThat(encoded(StoredPart.FP32_VALUES, 1)).containsExactly(0, 0, 0x80, 0x3F);
    }
}
