package org.inferometer.execution.host.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.inferometer.engine.Precision;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.host.packed.PackedMatrix;
import org.inferometer.units.Seed;

class RowKernelsTest {
    /// Other kernels multiply a single row where vectors are short.
    static final class WideVectors implements SkipExecutionHook {
        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            return ShortVectorInt4.USED ? SkipResult.skip("vectors are shorter than 512 bits") : SkipResult.doNotSkip();
        }
    }

    /// Any four units, the last one standing in for those that lack, give what two and two give.
    @Property(tries = 40)
    @AddLifecycleHook(WideVectors.class)
    void fourInt4UnitsHaveTheBitsOfTwoAndTwo(@ForAll @IntRange(min = 1, max = 200) int outputs,
            @ForAll @IntRange(min = 1, max = 600) int inputs, @ForAll long seed) {
        RandomGenerator random = new Seed(seed).generator();
        ActivationRows input = new ActivationRows(inputs, BlockKernels.wholeTiles(1));
        for (int i = 0; i < inputs; i++) {
            input.values[i] = (float) random.nextGaussian();
        }
        input.prepare(0, 1, true, new float[Vectors.LANES]);
        try (Arena arena = Arena.ofConfined()) {
            PackedMatrix matrix = new PackedMatrix(RandomModel.matrix(outputs, inputs, Precision.INT4, random), arena);
            long[] at = new long[4];
            for (int i = 0; i < at.length; i++) {
                at[i] = matrix.unitOffset(Math.min(i, matrix.units() - 1));
            }
            for (int unit = 0; unit < matrix.units(); unit++) {
                matrix.packUnit(unit);
            }
            float[] four = new float[8 * Vectors.UNIT];
            RowKernels.int4(matrix.lines(), at[0], at[1], at[2], at[3], matrix.words(), input.scaledRow, 0, input.sums,
                    0, four);
            for (int pair = 0; pair < 2; pair++) {
                float[] two = new float[2 * Vectors.UNIT];
                RowKernels.int4(matrix.lines(), at[2 * pair], at[2 * pair + 1], matrix.words(), input.scaledRow, 0,
                        input.sums, 0, two);
                assertThat(Arrays.copyOfRange(four, 2 * pair * Vectors.UNIT, 2 * (pair + 1) * Vectors.UNIT))
                        .containsExactly(two);
            }
        }
    }
}
