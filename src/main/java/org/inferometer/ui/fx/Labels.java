package org.inferometer.ui.fx;

import java.util.regex.Pattern;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import javafx.scene.text.TextAlignment;
import org.kordamp.ikonli.javafx.FontIcon;

/// Makes labels.
public final class Labels {
    private static final double USUAL_FONT = 14;
    private static final Pattern BEFORE_UNIT = Pattern
            .compile("(?<=\\d) (?=(?:%|°C|[KMGT]?i?B|[nµm]?s|min|h|[kM]?Hz|m?W|k?J|tok/s\\S*|req/s|cores?)(?![\\w/]))");

    private Labels() {}

    /// The text with no-break spaces between numbers and their units: "15.0 MiB" stays on one line.
    public static String unbroken(String text) {
        return BEFORE_UNIT.matcher(text).replaceAll("\u00a0");
    }

    /// A label of one line that may be cut.
    public static Label of(String text, String... styleClasses) {
        Label label = new Label(text);
        label.getStyleClass().addAll(styleClasses);
        return label;
    }

    /// A label of one line that is never cut.
    public static Label fixed(String text, String... styleClasses) {
        Label label = of(text, styleClasses);
        label.setMinWidth(Region.USE_PREF_SIZE);
        return label;
    }

    /// A label that takes the available width, wraps, and shows all its lines. Units stay with their numbers; a bound text must be
    /// [#unbroken].
    public static Label wrapped(String text, String... styleClasses) {
        Label label = of(unbroken(text), styleClasses);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.setMaxWidth(Double.MAX_VALUE);
        label.textProperty().addListener((observed, before, now) -> {
            if (now != null && !label.textProperty().isBound()) {
                label.setText(unbroken(now));
            }
        });
        return label;
    }

    /// A wrapped label of a fixed width for a cell of a table: a row asks for the height of a cell without a width.
    ///
    /// @param width with texts of the usual size
    public static Label cell(String text, double width, String... styleClasses) {
        Label label = new Label(unbroken(text)) {
            @Override
            protected double computePrefHeight(double unknown) {
                return super.computePrefHeight(computePrefWidth(-1));
            }

            @Override
            protected double computePrefWidth(double height) {
                return Math.floor(width * Math.max(1, getFont().getSize() / USUAL_FONT));
            }
        };
        label.getStyleClass().addAll(styleClasses);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }

    /// A wrapped label with centred text.
    public static Label centred(String text, String... styleClasses) {
        Label label = wrapped(text, styleClasses);
        label.setAlignment(Pos.CENTER);
        label.setTextAlignment(TextAlignment.CENTER);
        return label;
    }

    /// Shows the whole text of a label that may be cut as its tooltip.
    public static void tellWhole(Label label) {
        Tooltip whole = new Tooltip();
        whole.textProperty().bind(label.textProperty());
        label.setTooltip(whole);
    }

    /// A label of one line that follows a text.
    public static Label bound(String id, ObservableValue<String> text, String... styleClasses) {
        Label label = of("", styleClasses);
        label.setId(id);
        label.textProperty().bind(text);
        return label;
    }

    /// A wrapped label that follows a text and takes no room while the text is empty.
    public static Label message(String id, ObservableValue<String> text, String... styleClasses) {
        Label label = wrapped("", styleClasses);
        label.setId(id);
        label.textProperty().bind(text.map(Labels::unbroken));
        Panes.showWhen(label, label.textProperty().isNotEmpty());
        return label;
    }

    /// An icon.
    ///
    /// @param code Ikonli code
    public static FontIcon icon(String code, String styleClass) {
        FontIcon icon = new FontIcon(code);
        icon.getStyleClass().add(styleClass);
        return icon;
    }
}
