package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SeedTest {
    @Test
    void equalSeedsGiveEqualDrawsAndPartsDiffer() {
        Seed seed = new Seed(42);
        assertThat(seed.part("a").generator().nextLong()).isEqualTo(new Seed(42).part("a").generator().nextLong());
        assertThat(seed.part("a")).isNotEqualTo(seed.part("b"));
        assertThat(seed.part(0)).isNotEqualTo(seed.part(1));
    }

    @Test
    void numberedPartsAreSpreadEvenly() {
        double sum = 0;
        for (int i = 0; i < 10_000; i++) {
            RandomGenerator generator = new Seed(7).part(i).generator();
            sum += generator.nextDouble();
        }
        // The mean of 10,000 uniform draws has a standard deviation of 0.0029.
        assertThat(sum / 10_000).isBetween(0.485, 0.515);
    }
}
