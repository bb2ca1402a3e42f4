package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TimeWindowTest {
    private static final TimeWindow ALL = new TimeWindow(-1_000_000, 9_000_000);

    @Property(tries = 500)
    void zoomingStaysInsideAndKeepsTheInstantInItsPlace(@ForAll @LongRange(min = 0, max = 8_000_000) long from,
            @ForAll @LongRange(min = 1_000, max = 1_000_000) long length,
            @ForAll @DoubleRange(min = 0.01, max = 0.99) double factor,
            @ForAll @DoubleRange(min = 0, max = 1) double share) {
        TimeWindow window = new TimeWindow(from, from + length);
        long at = from + Math.round(share * length);
        TimeWindow closer = window.zoomed(factor, at, ALL);
        assertThat(closer.from()).isGreaterThanOrEqualTo(ALL.from());
        assertThat(closer.to()).isLessThanOrEqualTo(ALL.to());
        assertThat(closer.length()).isGreaterThanOrEqualTo(TimeWindow.SHORTEST);
        assertThat((at - closer.from()) / (double) closer.length()).isCloseTo(share, within(0.01));
    }

    @Test
    void nobodyZoomsOutBeyondWhatThereIs() {
        assertThat(new TimeWindow(0, 1000).zoomed(1e9, 500, ALL)).isEqualTo(ALL);
        assertThat(new TimeWindow(8_000_000, 9_000_000).zoomed(2, 9_000_000, ALL))
                .isEqualTo(new TimeWindow(7_000_000, 9_000_000));
    }

    @Test
    void panningStopsAtTheEnds() {
        TimeWindow window = new TimeWindow(0, 1_000_000);
        assertThat(window.panned(500_000, ALL)).isEqualTo(new TimeWindow(500_000, 1_500_000));
        assertThat(window.panned(-99_000_000, ALL)).isEqualTo(new TimeWindow(-1_000_000, 0));
        assertThat(window.panned(99_000_000, ALL)).isEqualTo(new TimeWindow(8_000_000, 9_000_000));
    }

    @Test
    void whatIsInViewNeedsNoMoveAndWhatIsNotIsBroughtToTheMiddle() {
        TimeWindow window = new TimeWindow(0, 1_000_000);
        assertThat(window.showing(100, 200, ALL)).isEqualTo(window);
        assertThat(window.showing(2_000_000, 2_100_000, ALL)).isEqualTo(new TimeWindow(1_550_000, 2_550_000));
        assertThat(window.showing(0, 4_000_000, ALL)).isEqualTo(new TimeWindow(-400_000, 4_400_000));
    }

    @Test
    void aWindowHasALength() {
        assertThatThrownBy(() -> new TimeWindow(5, 5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ticksAreRoundAndHaveRoom() {
        TimeScale scale = new TimeScale(new TimeWindow(-130_000_000, 900_000_000), 100, 1000, 1);
        List<TimeScale.Tick> ticks = scale.ticks();
        assertThat(ticks.stream().map(TimeScale.Tick::label)).containsExactly("0 ms", "200 ms", "400 ms", "600 ms",
                "800 ms");
        assertThat(new TimeScale(new TimeWindow(-3000, 5000), 0, 500, 1).ticks().stream().map(TimeScale.Tick::label))
                .containsExactly("−2 µs", "0 µs", "2 µs", "4 µs");
    }

    @Test
    void aPlaceOnTheScreenIsAWholeDevicePixel() {
        TimeScale dense = new TimeScale(new TimeWindow(0, 1000), 100, 300, 1.5);
        for (long nanos = 0; nanos <= 1000; nanos += 37) {
            double device = dense.x(nanos) * 1.5;
            assertThat(device).isCloseTo(Math.rint(device), within(1e-9));
        }
        assertThat(dense.nanos(dense.x(500))).isCloseTo(500, within(3L));
    }
}
