package org.inferometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadSweepTest {
    private static final WorkloadSpec SHORT = new WorkloadPresets().find("short");
    private static final WorkloadSpec CHAT = new WorkloadPresets().find("chat");

    @Test
    void everyWorkloadComesUnderEveryLoad() {
        assertThat(LoadSweep.parse("rate=0.5, 2").over(List.of(SHORT, CHAT)))
                .isEqualTo(List.of(SHORT.withArrivals(new ArrivalProcess.Poisson(0.5)).withName("short-r0.5"),
                        SHORT.withArrivals(new ArrivalProcess.Poisson(2)).withName("short-r2"),
                        CHAT.withArrivals(new ArrivalProcess.Poisson(0.5)).withName("chat-r0.5"),
                        CHAT.withArrivals(new ArrivalProcess.Poisson(2)).withName("chat-r2")));
        assertThat(LoadSweep.parse("concurrency=1,8").over(List.of(SHORT))).extracting(WorkloadSpec::name)
                .containsExactly("short-c1", "short-c8");
    }

    @Test
    void burstyArrivalsStayBurstyAtEveryRate() {
        WorkloadSpec bursty = SHORT.withArrivals(new ArrivalProcess.Gamma(1, 0.25));
        assertThat(LoadSweep.parse("rate=3").over(List.of(bursty)))
                .isEqualTo(List.of(bursty.withArrivals(new ArrivalProcess.Gamma(3, 0.25)).withName("short-r3")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            8                  | Write concurrency=1,2,4,8 or rate=0.5,1,2
            speed=1,2          | Write concurrency=1,2,4,8 or rate=0.5,1,2
            rate=2,1           | does not rise at 1
            rate=2,2           | does not rise at 2
            concurrency=1,x    | concurrency=x
            concurrency=       | concurrency=
            """)
    void aSweepThatCannotBeReadIsAnsweredInOneSentence(String text, String sentence) {
        assertThatThrownBy(() -> LoadSweep.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void aGridRisesByAboutATenthAndEndsAtItsEnds() {
        double[] rates = LoadSweep.grid("rate=0.5..20").values().stream().mapToDouble(Double::doubleValue).toArray();
        assertThat(rates[0]).isEqualTo(0.5);
        assertThat(rates[rates.length - 1]).isEqualTo(20);
        for (int i = 1; i < rates.length; i++) {
            assertThat(rates[i] / rates[i - 1]).isBetween(1.0, 1.12);
        }
        assertThat(LoadSweep.grid("concurrency=1..5").over(List.of(SHORT))).extracting(WorkloadSpec::name)
                .containsExactly("short-c1", "short-c2", "short-c3", "short-c4", "short-c5");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rate=5             | as in 1..64
            rate=5..2          | must rise
            rate=0..2          | expected 0.001
            concurrency=1.5..9 | concurrency=1.5: expected 1
            rate=1..999999     | at most 100000
            """)
    void aRangeThatCannotBeSearchedIsAnsweredInOneSentence(String text, String sentence) {
        assertThatThrownBy(() -> LoadSweep.grid(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }
}
