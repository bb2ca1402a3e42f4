package org.inferometer.chart;

import java.awt.Graphics2D;

/// Paints a picture of a size.
interface PicturePainter {
    /// Logical pixels.
    long width();

    /// Logical pixels.
    long height();

    /// What it shows, for the properties of a file.
    String title();

    /// @param scale device pixels to a logical pixel, to which lines are decimated
    void paint(Graphics2D g2, double scale);
}
