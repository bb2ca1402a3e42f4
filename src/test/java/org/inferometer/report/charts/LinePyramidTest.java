package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.units.Seed;

/// The pyramid keeps what the decimation of all points keeps.
class LinePyramidTest {
    @Property(tries = 300)
    void keepsThePointsOfTheDecimation(@ForAll @IntRange(min = 1, max = 5000) int n,
            @ForAll @IntRange(min = 1, max = 300) int columns, @ForAll int seed, @ForAll boolean logarithmic) {
        RandomGenerator random = new Seed(seed).generator();
        double[] x = random.doubles(n).map(each -> 1 + Math.floor(each * 1000) / 10).sorted().toArray();
        double[] y = new double[n];
        boolean gaps = random.nextBoolean();
        boolean gap = false;
        for (int i = 0; i < n; i++) {
            gap = gaps && (random.nextInt(40) == 0 ? !gap : gap);
            y[i] = gap ? Double.NaN : random.nextInt(30);
        }
        double lower = 1 + random.nextDouble() * 60;
        double upper = lower + random.nextDouble() * 50;
        int from = random.nextInt(n);
        int to = from + random.nextInt(n - from + 1);
        double[] places = Arrays.stream(x, from, to).map(value -> logarithmic ? Math.log(value) : value).toArray();
        int[] wanted = Arrays
                .stream(M4Decimation.indices(places, Arrays.copyOfRange(y, from, to),
                        logarithmic ? Math.log(lower) : lower, logarithmic ? Math.log(upper) : upper, columns))
                .map(i -> from + i).toArray();
        assertThat(new LinePyramid(x, y).indices(from, to, lower, upper, logarithmic, columns)).isEqualTo(wanted);
    }
}
