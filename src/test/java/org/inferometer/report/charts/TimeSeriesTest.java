package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.report.compare.FindingsTest;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.LaneId;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class TimeSeriesTest {
    private static final long MILLI = 1_000_000;
    private final RunRecord sample = FindingsTest.record(SampleRecords.experiment(Path.of("x"), 1)).runs().getFirst();

    @Test
    void poolAndLaneUseAreSpreadOverWindows() {
        RequestOutcome request = new RequestOutcome(new RequestId(1), false, 64, 2, 0, 0, 0, 0, 1200 * MILLI,
                RequestStatus.OK, "", new long[]{600 * MILLI, 1200 * MILLI});
        RunRecord run = new RunRecord(sample.folderName(), sample.manifest(),
                new RunObservations(List.of(request), List.of(step(0, 0, 300, 64), step(1, 600, 900, 32)), List.of(),
                        new RunObservations.Setup(2, 8, 8, 128)),
                List.of());
        TimeSeries held = TimeSeries.kvUse(run);
        TimeSeries busy = TimeSeries.laneUse(run);
        assertThat(held.y()[0]).isEqualTo(50);
        assertThat(held.y()[45]).isNaN();
        assertThat(held.y()[60]).isEqualTo(25);
        assertThat(busy.y()[29]).isEqualTo(50);
        assertThat(busy.y()[30]).isZero();
        assertThat(busy.x()[0]).isEqualTo(0.005);
    }

    @Test
    void requestsInFlightEndAtZero() {
        for (TimeSeries series : List.of(TimeSeries.running(sample), TimeSeries.waiting(sample),
                TimeSeries.inFlight(sample))) {
            assertThat(series.x()).isSorted().isNotEmpty();
            assertThat(series.y()).endsWith(0).contains(1);
            assertThat(Arrays.stream(series.y()).min()).hasValue(0);
        }
    }

    @Test
    void fewCountsStayAsTheyAre() {
        TimeSeries line = TimeSeries.counts(1_000_000_000, new double[]{2e9, 2e9, 4e9}, new double[]{1, 2, 0});
        assertThat(line.x()).containsExactly(1, 1, 3);
        assertThat(line.y()).containsExactly(1, 2, 0);
    }

    /// Of each stretch the first, the least, the greatest and the last count.
    @Test
    void manyCountsKeepTheRangeOfEachStretch() {
        int stretchNanos = 40;
        int points = stretchNanos * TimeSeries.STRETCHES;
        double[] nanos = IntStream.rangeClosed(0, points).asDoubleStream().toArray();
        int[] counts = new Seed(7).generator().ints(points + 1, 0, 1_000).toArray();
        TimeSeries kept = TimeSeries.counts(0, nanos, Arrays.stream(counts).asDoubleStream().toArray());
        assertThat(kept.x()).isSorted().hasSizeLessThanOrEqualTo(TimeSeries.MOST_POINTS);
        double[][] seen = new double[TimeSeries.STRETCHES][]; // first, least, greatest, last
        for (int i = 0; i < kept.x().length; i++) {
            int at = (int) Math.round(kept.x()[i] * 1e9);
            double count = kept.y()[i];
            assertThat(count).isEqualTo(counts[at]);
            int stretch = Math.min(at / stretchNanos, TimeSeries.STRETCHES - 1);
            double[] own = seen[stretch] == null ? new double[]{count, count, count, count} : seen[stretch];
            seen[stretch] = new double[]{own[0], Math.min(own[1], count), Math.max(own[2], count), count};
        }
        for (int stretch = 0; stretch < TimeSeries.STRETCHES; stretch++) {
            int from = stretch * stretchNanos;
            int to = stretch == TimeSeries.STRETCHES - 1 ? points + 1 : from + stretchNanos;
            int[] own = Arrays.copyOfRange(counts, from, to);
            assertThat(seen[stretch]).containsExactly(own[0], Arrays.stream(own).min().orElseThrow(),
                    Arrays.stream(own).max().orElseThrow(), own[own.length - 1]);
        }
    }

    private static StepReport step(long number, long fromMillis, long toMillis, int blocks) {
        return new StepReport(number, new LaneId(0), fromMillis * MILLI, toMillis * MILLI, 0, 0,
                StepSlices.of(List.of()), 0, 1, 0, 0, 1, 0, blocks, "");
    }
}
