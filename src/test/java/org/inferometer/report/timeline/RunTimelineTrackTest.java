package org.inferometer.report.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.report.timeline.RunTimelineRecords.MS;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.inferometer.report.timeline.RunTimelineCounter.CounterKind;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

/// What pixel columns show of many spans.
class RunTimelineTrackTest {
    @Test
    void narrowSpansAreMerged() {
        RunTimelineTrack.Builder track = new RunTimelineTrack.Builder(2);
        track.add(0, 30, 0, 7, 0);
        track.add(30, 31, 1, 8, 1);
        track.add(32, 35, 0, 9, 0);
        track.add(35, 90, 1, 10, 0);
        assertThat(told(track.build(), 0, 100, 10)).containsExactly("span 0", "merged 1-3 kind 0 busy 0.40 wasted 0.25",
                "span 3");
    }

    /// Eleven columns of 25 / 11 ns end at 25.000000000000004 ns in floating point.
    @Test
    void spanAtTheWindowEndIsNotDrawn() {
        RunTimelineTrack.Builder track = new RunTimelineTrack.Builder(1);
        track.add(23, 25, 0, 0, 0);
        track.add(25, 26, 0, 1, 0);
        assertThat(told(track.build(), 0, 25, 11)).containsExactly("merged 0-1 kind 0 busy 0.88 wasted 0.00");
    }

    @Test
    void overlapsAreCut() {
        RunTimelineTrack.Builder track = new RunTimelineTrack.Builder(1);
        track.add(0, 50, 0, 0, 0);
        track.add(10, 70, 0, 1, 0);
        track.add(20, 30, 0, 2, 0);
        RunTimelineTrack built = track.build();
        assertThat(built.start(1)).isEqualTo(50);
        assertThat(built.end(2)).isEqualTo(70);
        assertThat(built.at(60)).isEqualTo(1);
    }

    @Test
    void spanAtAnInstantAndNearestAreFound() {
        RunTimelineTrack.Builder track = new RunTimelineTrack.Builder(1);
        track.add(10, 20, 0, 0, 0);
        track.add(40, 50, 0, 1, 0);
        RunTimelineTrack built = track.build();
        assertThat(built.at(9)).isEqualTo(-1);
        assertThat(built.at(10)).isZero();
        assertThat(built.at(20)).isEqualTo(-1);
        assertThat(built.nearest(0)).isZero();
        assertThat(built.nearest(29)).isZero();
        assertThat(built.nearest(31)).isEqualTo(1);
        assertThat(built.nearest(1000)).isEqualTo(1);
        assertThat(new RunTimelineTrack.Builder(1).build().nearest(5)).isEqualTo(-1);
    }

    @Test
    void millionStepsCostWorkPerColumnOnly() {
        RunTimeline timeline = RunTimelineRecords.timeline(RunTimelineRecords.large(1_000_000, 2, 1));
        int columns = 1000;
        for (RunTimeline.LaneRow lane : timeline.lanes()) {
            for (long window = timeline.endNanos(); window > 10_000; window /= 10) {
                List<String> cells = told(lane.track(), window / 3, window / 3 + window, columns);
                assertThat(cells.size()).isLessThanOrEqualTo(3 * columns / 2 + 2);
            }
        }
        int[] told = new int[1];
        for (RunTimelineCounter counter : timeline.counters()) {
            int looked = counter.columns(0, timeline.endNanos(), columns, (column, low, high, last) -> told[0]++);
            assertThat(looked).isLessThan(250 * columns);
        }
        assertThat(told[0]).isEqualTo(columns * timeline.counters().size());
    }

    @Property(tries = 300)
    void cellsCoverEverySpanOfTheWindowOnceAndInOrder(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 400) int spans, @ForAll @IntRange(min = 1, max = 120) int columns,
            @ForAll @LongRange(min = 0, max = 5000) long from, @ForAll @LongRange(min = 1, max = 20_000) long length) {
        RunTimelineTrack track = random(seed, spans);
        int[] next = {track.firstEndingAfter(from)};
        track.cells(from, from + length, columns, new RunTimelineTrack.CellVisitor() {
            @Override
            public void span(int span) {
                assertThat(span).isEqualTo(next[0]);
                next[0]++;
            }

            @Override
            public void merged(int first, int end, int kind, double busyShare, double paddingShare) {
                assertThat(first).isEqualTo(next[0]);
                assertThat(end).isGreaterThan(first);
                assertThat(busyShare).isBetween(0.0, 1.0);
                assertThat(paddingShare).isBetween(0.0, 1.0 + 1e-6);
                next[0] = end;
            }
        });
        assertThat(next[0]).isEqualTo(Math.max(track.firstStartingAt(from + length), track.firstEndingAfter(from)));
    }

    @Property(tries = 300)
    void counterColumnsHoldMinimaAndMaxima(@ForAll long seed, @ForAll @IntRange(min = 1, max = 9000) int size,
            @ForAll @IntRange(min = 1, max = 40) int columns) {
        RandomGenerator random = new Seed(seed).generator();
        long[] instants = new long[size];
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            instants[i] = (i == 0 ? 0 : instants[i - 1]) + random.nextInt(3);
            values[i] = random.nextInt(1000);
        }
        RunTimelineCounter counter =
                new RunTimelineCounter(CounterKind.count("x", 0), instants, values, instants[size - 1] + 1);
        long to = instants[size - 1] + 1;
        double[] extremes = {Double.MAX_VALUE, -Double.MAX_VALUE};
        counter.columns(0, to, columns, (column, low, high, last) -> {
            extremes[0] = Math.min(extremes[0], low);
            extremes[1] = Math.max(extremes[1], high);
            assertThat(last).isBetween(low, high);
        });
        int first = Math.max(0, counter.at(0));
        assertThat(extremes[0]).isEqualTo(java.util.Arrays.stream(values, first, size).min().orElseThrow());
        assertThat(extremes[1]).isEqualTo(java.util.Arrays.stream(values, first, size).max().orElseThrow());
        assertThat(counter.peak()).isEqualTo(java.util.Arrays.stream(values).max().orElseThrow());
    }

    @Test
    void aSpikeOfOneStepShowsAmongAMillion() {
        long[] instants = new long[1_000_000];
        double[] values = new double[instants.length];
        for (int i = 0; i < instants.length; i++) {
            instants[i] = i * MS;
        }
        values[777_777] = 9;
        RunTimelineCounter counter =
                new RunTimelineCounter(CounterKind.count("waiting", 0), instants, values, instants.length * MS);
        List<Integer> spikes = new ArrayList<>();
        counter.columns(0, instants.length * MS, 1000, (column, low, high, last) -> {
            if (high == 9) {
                spikes.add(column);
            }
        });
        assertThat(spikes).containsExactly(777);
    }

    private static RunTimelineTrack random(long seed, int spans) {
        RandomGenerator random = new Seed(seed).generator();
        RunTimelineTrack.Builder track = new RunTimelineTrack.Builder(3);
        long at = 0;
        for (int i = 0; i < spans; i++) {
            at += random.nextInt(8) == 0 ? random.nextInt(200) : 0;
            long length = random.nextInt(10) == 0 ? random.nextInt(500) : random.nextInt(4);
            track.add(at, at + length, random.nextInt(3), i, random.nextDouble());
            at += length;
        }
        return track.build();
    }

    private static List<String> told(RunTimelineTrack track, long from, long to, int columns) {
        List<String> told = new ArrayList<>();
        int count = track.cells(from, to, columns, new RunTimelineTrack.CellVisitor() {
            @Override
            public void span(int span) {
                told.add("span " + span);
            }

            @Override
            public void merged(int first, int end, int kind, double busyShare, double paddingShare) {
                told.add(String.format(Locale.ROOT, "merged %d-%d kind %d busy %.2f wasted %.2f", first, end, kind,
                        busyShare, paddingShare));
            }
        });
        assertThat(count).isEqualTo(told.size());
        return told;
    }
}
