package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalDouble;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Figure;
import org.junit.jupiter.api.Test;

class SummaryTest {
    /// vLLM and SGLang write 0 where all requests failed, and TPOT 0 for answers of one token.
    @Test
    void aLatencyOfZeroIsAbsent() {
        Map<String, Double> file = Map.of("mean", 0.0, "p50", 12.0, "p90", 0.0);
        Summary summary = new Summary(100).family(Metrics.TPOT,
                of -> file.containsKey(of) ? OptionalDouble.of(file.get(of)) : OptionalDouble.empty(), Summary.MS)
                .add(Metrics.REQUESTS_OK, OptionalDouble.of(0), 1);
        assertThat(summary.figures()).containsExactly(new Figure(Metrics.TPOT.p50(), 12e6, 100, true),
                new Figure(Metrics.REQUESTS_OK, 0, 100, true));
        assertThat(summary.note())
                .hasValue("The file has placeholders, such as 0 or −1, for TPOT mean, TPOT P90: they are left out.");
        assertThat(new Summary(1).note()).isEmpty();
    }
}
