package org.inferometer.ui.fx;

import java.util.stream.Stream;
import javafx.scene.text.Font;
import javafx.scene.text.FontWeight;
import javafx.scene.text.Text;

/// How wide words are in the window's letters, so that a column can be made wide enough for them.
public final class TextWidths {
    // The size of the root style and the space beside the words of a cell, in pixels.
    private static final double SIZE = 14;
    private static final double BESIDE = 20;

    private TextWidths() {}

    /// The width of a column, in pixels, whose heading and cells are to be read whole.
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
