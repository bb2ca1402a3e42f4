package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RunEvent;
import org.junit.jupiter.api.Test;

/// Readings at 0, 1, ... s; rates are taken from 1.5 to 6.5 s. A token comes at 1.25, 1.75, 2.25 s and so on.
class GpuFiguresTest {
    private static final long SECOND = 1_000_000_000L;
    private static final RunWindow WINDOW = new RunWindow(SECOND, 9 * SECOND);
    private static final RunWindow RATES = new RunWindow(1_500_000_000L, 6_500_000_000L);
    private final List<RunEvent> events = new ArrayList<>();

    private void read(String name, double... values) {
        for (int second = 0; second < values.length; second++) {
            if (!Double.isNaN(values[second])) {
                events.add(new RunEvent.Gauge(second * SECOND, name, values[second]));
            }
        }
    }

    private List<String> figures() {
        long[] tokens = LongStream.range(0, 16).map(i -> 1250 + 500 * i).toArray();
        RequestColumns measured = RequestColumns.of(List.of(Outcomes.ok(0, 1000, tokens)));
        return GpuFigures.of(events, measured, Optional.of(RATES), WINDOW).stream().map(GpuFiguresTest::text).toList();
    }

    private static String text(Figure figure) {
        return figure.metric().id() + " " + figure.value() + " of " + figure.n();
    }

    /// 150 J a second from 2 s to 6 s, in which 8 tokens came.
    @Test
    void energyIsThatOfAllGpusBetweenTheirReadings() {
        read("gpu:energy_joules{gpu=0}", 5000, 5100, 5200, 5300, 5400, 5500, 5600, 5700);
        read("gpu:energy_joules{gpu=1}", 0, 50, 100, 150, 200, 250, 300, 350);
        assertThat(figures()).containsExactly("energy_per_token 75.0 of 8");
    }

    /// The exporter looks at its GPUs at 1, 3 and 5 s; repeated counters are not told. The first reading may be old.
    @Test
    void aCounterCountsFromWhereItRose() {
        double none = Double.NaN;
        read("gpu:energy_joules{gpu=0}", none, none, 40, 100, none, 300, none);
        assertThat(figures()).containsExactly("energy_per_token 50.0 of 4");
    }

    @Test
    void aCounterThatBeganAgainOrRoseOnceGivesNoEnergy() {
        read("gpu:energy_joules{gpu=0}", 0, 100, 200, 300, 10, 110, 210);
        assertThat(figures()).isEmpty();
        events.clear();
        read("gpu:energy_joules{gpu=0}", 0, 100, 200);
        assertThat(figures()).isEmpty();
    }

    /// Until 4 s, when the second GPU was read last.
    @Test
    void aGpuThatLeavesThePageEndsTheStretch() {
        read("gpu:energy_joules{gpu=0}", 0, 100, 200, 300, 400, 500, 600);
        read("gpu:energy_joules{gpu=1}", 0, 100, 200, 300, 400);
        assertThat(figures()).containsExactly("energy_per_token 100.0 of 4");
    }

    @Test
    void levelsAreMeansOfTheReadingsOfAllGpus() {
        read("gpu:power_watts{gpu=0}", 9, 9, 300, 310, 320, 300, 320, 9);
        read("gpu:power_watts{gpu=1}", 9, 9, 100, 100, 100, 100, 100);
        read("gpu:use_percent{gpu=0}", 0, 0, 100, 100, 100, 100, 100, 0);
        read("gpu:use_percent{gpu=1}", 0, 0, 0, 50, 50, 50, 100, 0);
        read("gpu:memory_bytes{gpu=0}", 9e9, 100, 200, 300, 200);
        read("gpu:memory_bytes{gpu=1}", 9e9, 5, 5, 1);
        assertThat(figures()).containsExactly("gpu_power_mean 410.0 of 5", "device_utilisation 0.75 of 5",
                "reported_memory_peak 301.0 of 3");
    }
}
