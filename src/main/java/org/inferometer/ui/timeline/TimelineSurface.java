package org.inferometer.ui.timeline;

import javafx.scene.paint.Color;
import org.inferometer.report.charts.VectorDrawing.Anchor;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;

/// What the timeline is painted on: the canvas of the view, or a drawing for a file.
interface TimelineSurface {
    /// The colours of the stylesheet.
    TimelineColors inks();

    /// Hides what lies outside of a rectangle, until [#unclip].
    void clip(double x, double y, double width, double height);

    /// Ends the last clip.
    void unclip();

    /// The colour of all areas and texts to come.
    void setFill(Color color);

    /// The colour of all areas and texts to come.
    default void setFill(TimelineColor ink) {
        setFill(inks().color(ink));
    }

    /// The colour of all areas and texts to come, 0 for transparent to 1.
    default void setFill(TimelineColor ink, double opacity) {
        setFill(opacity >= 1 ? inks().color(ink) : inks().faded(ink, opacity));
    }

    /// Diagonal lines of a colour for all areas to come.
    void setHatch(TimelineColor ink);

    /// Fills a rectangle.
    void fillRect(double x, double y, double width, double height);

    /// Fills a rectangle with a colour, which stays for areas and texts to come.
    default void fill(TimelineColor ink, double x, double y, double width, double height) {
        fill(ink, 1, x, y, width, height);
    }

    /// As the other, with an opacity from 0 to 1.
    default void fill(TimelineColor ink, double opacity, double x, double y, double width, double height) {
        setFill(ink, opacity);
        fillRect(x, y, width, height);
    }

    /// Fills a rectangle with round corners.
    void fillRoundRect(double x, double y, double width, double height, double arc);

    void fillPolygon(double[] x, double[] y);

    /// Fills an ellipse.
    void fillOval(double x, double y, double width, double height);

    /// Draws the outline of a rectangle.
    void strokeRect(double x, double y, double width, double height, double line, TimelineColor ink);

    /// Draws a line of dashes.
    void strokeDashes(double x1, double y1, double x2, double y2, double dash, TimelineColor ink);

    /// Writes in the colour of areas.
    ///
    /// @param y middle of the text
    /// @param most width in pixels
    void fillText(String text, double x, double y, double most, Anchor anchor, boolean bold);

    /// Writes a plain text from its left end.
    default void fillText(String text, double x, double y, double most) {
        fillText(text, x, y, most, Anchor.LEFT, false);
    }

    /// Writes a plain text from its left end in a colour, which stays for areas and texts to come.
    default void write(TimelineColor ink, String text, double x, double y, double most) {
        setFill(ink);
        fillText(text, x, y, most);
    }
}
