package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import javafx.geometry.Bounds;
import javafx.scene.layout.Region;
import org.junit.jupiter.api.Test;

class EndsRowTest {
    private final Region first = box(300);
    private final Region last = box(400);
    private final EndsRow row = new EndsRow(first, last);

    private static Region box(double width) {
        Region box = new Region();
        box.setPrefSize(width, 30);
        return box;
    }

    private List<List<Double>> places(double width) {
        row.resize(width, row.prefHeight(width));
        row.layout();
        return Stream.of(first, last).map(Region::getBoundsInParent).map(EndsRowTest::place).toList();
    }

    private static List<Double> place(Bounds bounds) {
        return List.of(bounds.getMinX(), bounds.getMinY(), bounds.getWidth());
    }

    @Test
    void nodesStandAtTheEndsOfOneLine() {
        assertThat(places(1000)).containsExactly(List.of(0.0, 0.0, 590.0), List.of(600.0, 0.0, 400.0));
        assertThat(row.prefHeight(1000)).isEqualTo(30);
    }

    @Test
    void firstIsCutBeforeTheSecondGoesBelow() {
        first.setPrefWidth(600);
        assertThat(places(820)).containsExactly(List.of(0.0, 0.0, 410.0), List.of(420.0, 0.0, 400.0));
        first.setPrefWidth(300);
        assertThat(places(500)).containsExactly(List.of(0.0, 0.0, 500.0), List.of(0.0, 40.0, 400.0));
        assertThat(row.prefHeight(500)).isEqualTo(70);
    }

    @Test
    void secondGoesBelowBeforeTheFirstIsNarrowerThanItsLeastWidth() {
        first.setPrefWidth(600);
        first.setMinWidth(450);
        assertThat(places(820)).containsExactly(List.of(0.0, 0.0, 820.0), List.of(0.0, 40.0, 400.0));
    }
}
