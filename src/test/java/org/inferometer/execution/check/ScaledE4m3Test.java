package org.inferometer.execution.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ScaledE4m3Test {
    @Test
    void scaleIsTheSmallestThatFits() {
        assertThat(ScaledE4m3.scale(448)).isEqualTo(1);
        assertThat(ScaledE4m3.scale(Math.nextUp(448f))).isEqualTo(2);
        assertThat(ScaledE4m3.scale(224)).isEqualTo(0.5);
        assertThat(ScaledE4m3.scale(256)).isEqualTo(1);
        assertThat(ScaledE4m3.scale(0)).isEqualTo(0x1p-126);
        assertThat(ScaledE4m3.scale(Float.MAX_VALUE)).isEqualTo(0x1p120);
    }

    @Test
    void headsHaveScalesOfTheirOwn() {
        double[] rounded = ScaledE4m3.rounded(new double[]{44_800, 1e-3, -0.00448, 0.001, 0, 0}, 2);
        assertThat(rounded).containsExactly(45_056, 0, -0.00439453125, 0.0009765625, 0, 0);
    }

    @Test
    void errorStaysInItsBound() {
        Random random = new Random(5);
        for (int row = 0; row < 1000; row++) {
            double size = Math.scalb(1.0, random.nextInt(60) - 30);
            double[] head = random.doubles(128).map(u -> Math.pow(10, -6 * u) * size * (u < 0.5 ? 1 : -1)).toArray();
            double[] rounded = ScaledE4m3.rounded(head, head.length);
            double largest = 0;
            for (double element : head) {
                largest = Math.max(largest, Math.abs(element));
            }
            for (int i = 0; i < head.length; i++) {
                double bound = Math.max(Math.abs(head[i]) / 16, largest * 0x1p-17);
                assertThat(Math.abs(rounded[i] - head[i])).isLessThanOrEqualTo(bound);
            }
        }
    }
}
