package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javafx.scene.shape.LineTo;
import javafx.scene.shape.MoveTo;
import javafx.scene.shape.PathElement;
import org.inferometer.ui.bench.DeviceStrips.StripPlot;
import org.junit.jupiter.api.Test;

class StripPlotTest {
    private static List<PathElement> elements(double[] values) {
        double[] seconds = IntStream.range(0, values.length).asDoubleStream().toArray();
        return StripPlot.elements(seconds, values, 10, 101, 102);
    }

    @Test
    void oneSampleInAMillionIsVisible() {
        double[] values = new double[1_000_000];
        values[654_321] = 10;
        List<PathElement> elements = elements(values);
        assertThat(elements).hasSizeLessThan(300);
        assertThat(elements).filteredOn(element -> element instanceof LineTo to && to.getY() == 1).hasSize(1);
    }

    @Test
    void missingValuesAreGaps() {
        double[] values = new double[101];
        Arrays.fill(values, 40, 60, Double.NaN);
        List<PathElement> elements = elements(values);
        assertThat(elements.stream().filter(MoveTo.class::isInstance).map(element -> ((MoveTo) element).getX()))
                .containsExactly(0.0, 60.0);
        assertThat(elements).noneMatch(element -> element instanceof LineTo to && to.getX() > 41 && to.getX() < 60);
    }

    @Test
    void nothingIsDrawnWithoutARange() {
        assertThat(StripPlot.elements(new double[]{1}, new double[]{1}, 1, 100, 20)).isEmpty();
        assertThat(StripPlot.elements(new double[]{1, 1}, new double[]{1, 1}, 1, 100, 20)).isEmpty();
    }
}
