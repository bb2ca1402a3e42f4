package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.junit.jupiter.api.Test;

class HeadlineFiguresTest {
    @Test
    void aPercentileWithTooFewSamplesIsMarkedWithThoseOfARun() {
        CellFigure median =
                new CellFigure(Metrics.TTFT.percentile(50), 21.4e6, null, List.of(21e6, 21.4e6, 21.8e6), 36, 11, false);
        assertThat(HeadlineFigures.text(Optional.of(median))).isEqualTo("21.4 ms (n = 11 a run)");
    }

    @Test
    void dependentRequestsAreMarkedWithHowManyTheyCountAs() {
        CellFigure median =
                new CellFigure(Metrics.TTFT.p50(), 21.4e6, 0.4e6, List.of(21e6, 21.4e6, 21.8e6), 3000, 1000, true)
                        .withPooled(new CellFigure.Pooled(8.4, false, null));
        assertThat(HeadlineFigures.text(Optional.of(median))).isEqualTo("21.4 ms (8 independent requests, too few)");
    }
}
