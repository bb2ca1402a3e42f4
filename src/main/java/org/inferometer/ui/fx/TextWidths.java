package org.inferometer.ui.fx;

import java.util.stream.Stream;
import javafx.scene.text.Font;
import javafx.scene.text.FontWeight;
import javafx.scene.text.Text;

/// Measures text in the font of the window.
public final class TextWidths {
    // Font size of the root style and padding of a cell, in pixels.
    private static final double SIZE = 14;
    private static final double BESIDE = 20;

    private TextWidths() {}

    /// Width of a column, in pixels, in which no heading or cell is cut.
    public static double column(String heading, Stream<String> cells) {
        Font plain = Font.font(Font.getDefault().getFamily(), SIZE);
        Font bold = Font.font(Font.getDefault().getFamily(), FontWeight.BOLD, SIZE);
        return Math.ceil(Math.max(width(heading, bold),
                cells.distinct().mapToDouble(cell -> width(cell, plain)).max().orElse(0))) + BESIDE;
    }

    private static double width(String words, Font font) {
        Text text = new Text(words);
        text.setFont(font);
        return text.getLayoutBounds().getWidth();
    }
}
