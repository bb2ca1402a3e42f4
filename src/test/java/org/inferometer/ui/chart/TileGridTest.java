package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.layout.Region;
import org.junit.jupiter.api.Test;

class TileGridTest {
    private final ObjectProperty<Double> textScale = new SimpleObjectProperty<>(1.0);
    private final List<Region> tiles = IntStream.range(0, 5).mapToObj(i -> tile()).toList();
    private final TileGrid grid = new TileGrid(2, 300, textScale, tiles);

    private static Region tile() {
        Region tile = new Region();
        tile.setMinHeight(100);
        tile.setPrefHeight(200);
        return tile;
    }

    /// "x,y width×height" of each tile.
    private List<String> placed(double width, double height) {
        grid.resize(width, height);
        grid.layout();
        return tiles.stream().map(tile -> "%.0f,%.0f %.0f×%.0f".formatted(tile.getLayoutX(), tile.getLayoutY(),
                tile.getWidth(), tile.getHeight())).toList();
    }

    @Test
    void aSingleLastTileHasTheWholeWidth() {
        assertThat(grid.prefHeight(810)).isEqualTo(620);
        assertThat(placed(810, 620)).containsExactly("0,0 400×200", "410,0 400×200", "0,210 400×200", "410,210 400×200",
                "0,420 810×200");
    }

    @Test
    void largeTextsGetFewerColumns() {
        textScale.set(1.5);
        assertThat(grid.prefHeight(810)).isEqualTo(1040);
        assertThat(placed(810, 1040)).startsWith("0,0 810×200", "0,210 810×200");
    }

    @Test
    void rowsShrinkToTheirLeastHeightAndShareWhatIsLeft() {
        assertThat(grid.minHeight(810)).isEqualTo(320);
        assertThat(placed(810, 320)).startsWith("0,0 400×100", "410,0 400×100", "0,110 400×100");
        assertThat(placed(810, 680)).startsWith("0,0 400×220", "410,0 400×220", "0,230 400×220");
    }

    @Test
    void oneTileNeverHasAnEmptyColumnBesideIt() {
        TileGrid alone = new TileGrid(2, 300, textScale, List.of(tiles.getFirst()));
        alone.resize(810, 200);
        alone.layout();
        assertThat(tiles.getFirst().getWidth()).isEqualTo(810);
    }
}
