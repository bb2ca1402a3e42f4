package org.inferometer.report.charts;

import java.util.List;

/// A picture as shapes, independent of the renderer, in the order in which they are painted.
///
/// @param width logical pixels
/// @param height logical pixels
public record VectorDrawing(String title, double width, double height, List<Shape> shapes) {
    /// A colour with opacity.
    ///
    /// @param red 0 to 1, as the other components
    public record Ink(double red, double green, double blue, double opacity) {}

    /// How an area is filled.
    public enum Fill {
        PLAIN,
        /// Diagonal lines on a transparent ground.
        HATCHED
    }

    /// The place of a text beside its x.
    public enum Anchor {
        LEFT, MIDDLE, RIGHT
    }

    /// A shape in logical pixels.
    public sealed interface Shape {
        /// Hides what lies outside of a rectangle, until [Unclip].
        record Clip(double x, double y, double width, double height) implements Shape {}

        /// Ends the last clip.
        record Unclip() implements Shape {}

        /// A filled rectangle.
        ///
        /// @param arc diameter of its corners, 0 for none
        record Box(double x, double y, double width, double height, double arc, Ink ink, Fill fill) implements Shape {}

        /// The outline of a rectangle.
        record Outline(double x, double y, double width, double height, double line, Ink ink) implements Shape {}

        /// A line.
        ///
        /// @param dash length of its dashes and gaps, 0 for none
        record Segment(double x1, double y1, double x2, double y2, double line, double dash,
                Ink ink) implements Shape {}

        /// A filled polygon.
        record Polygon(double[] x, double[] y, Ink ink) implements Shape {}

        /// A filled ellipse.
        record Oval(double x, double y, double width, double height, Ink ink) implements Shape {}

        /// A line of text, shortened to a width.
        ///
        /// @param y middle of its height
        /// @param most logical pixels, infinite for no limit
        record Text(String text, double x, double y, double most, double size, boolean bold, Anchor anchor,
                Ink ink) implements Shape {}
    }
}
