package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.record.CellFigure;
import org.inferometer.record.CellFigure.Ends;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class PooledTailsTest {
    private static final int REQUESTS = 1000;

    /// Latencies of 1 to 1,000 ms, shuffled by a step that has no common divisor with their number; TPOT is a tenth of them.
    private static RequestColumns run(int step, int givenUpAbove) {
        return RequestColumns.of(IntStream.range(0, REQUESTS).mapToObj(i -> {
            long sent = i * 1_000_000_000L;
            int millis = 1 + i * step % REQUESTS;
            boolean stayed = millis <= givenUpAbove;
            long first = sent + millis * 1_000_000L;
            return new RequestOutcome(new RequestId(i), false, 8, 11, sent, sent, RequestOutcome.ABSENT,
                    RequestOutcome.ABSENT, stayed ? 2 * first - sent : sent + givenUpAbove * 1_000_000L,
                    stayed ? RequestStatus.OK : RequestStatus.GAVE_UP, "",
                    stayed ? IntStream.rangeClosed(0, 10).mapToLong(k -> first + k * (first - sent) / 10).toArray()
                            : new long[0]);
        }).toList());
    }

    private static CellFigure figure(Metric metric, RequestColumns... runs) {
        List<RequestColumns> all = List.of(runs);
        return CellFigures
                .find(PooledTails.with(CellFigures.of(all.stream().map(LatencyFigures::of).toList()), all), metric)
                .orElseThrow();
    }

    @Test
    void intervalHoldsTheRanksThatFitThePercentile() {
        CellFigure p95 = figure(Metrics.TTFT.p95(), run(387, REQUESTS), run(619, REQUESTS), run(213, REQUESTS));
        Ends ends = p95.ends().orElseThrow();
        assertThat(p95.isMarked()).isFalse();
        assertThat(ends.low() / 1e6).isBetween(930.0, 945.0);
        assertThat(ends.high() / 1e6).isBetween(955.0, 965.0);
    }

    @Test
    void interactivityHasTheEndsOfTpotInReverse() {
        RequestColumns[] runs = {run(387, REQUESTS), run(619, REQUESTS), run(213, REQUESTS)};
        Ends tpot = figure(Metrics.TPOT.p95(), runs).ends().orElseThrow();
        assertThat(figure(Metrics.INTERACTIVITY.percentile(5), runs).ends())
                .contains(new Ends(1e9 / tpot.high(), 1e9 / tpot.low()));
    }

    @Test
    void oneRunIsJudgedAndHasNoInterval() {
        CellFigure p95 = figure(Metrics.TTFT.p95(), run(387, REQUESTS));
        assertThat(p95.isMarked()).isFalse();
        assertThat(p95.ends()).isEmpty();
        assertThat(figure(Metrics.TTFT.p95(), run(1, REQUESTS)).isMarked()).isTrue();
    }

    /// What comes in the order of its size is one trend.
    @Test
    void requestsThatDependOnEachOtherCountAsFew() {
        CellFigure mean = figure(Metrics.TTFT.mean(), run(1, REQUESTS), run(1, REQUESTS), run(1, REQUESTS));
        assertThat(mean.isMarked()).isTrue();
        assertThat(mean.ends()).isEmpty();
    }

    @Test
    void tailsBeyondWhatGivenUpRequestsTellAreMarked() {
        RequestColumns[] runs = {run(387, 955), run(619, 955), run(213, 955)};
        assertThat(figure(Metrics.TTFT.percentile(90), runs).isMarked()).isFalse();
        assertThat(figure(Metrics.TTFT.p95(), runs).isMarked()).isTrue();
    }

    @Test
    void figuresWithoutRequestsStayOverRuns() {
        List<CellFigure> figures = CellFigures.of(List.of(LatencyFigures.of(run(387, REQUESTS))));
        assertThat(PooledTails.with(figures, List.of())).isEqualTo(figures);
    }
}
