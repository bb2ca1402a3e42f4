package org.inferometer.chart;

import java.awt.Color;

/// Contrast to a background, as WCAG 2 defines it.
record Contrast(Color background) {
    private static final double LEAST = 3;

    /// The ratio of luminances, 1 to 21.
    double of(Color colour) {
        double one = luminance(colour);
        double other = luminance(background);
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    }

    /// Black or white, whichever is read more easily.
    Color text() {
        return of(Color.BLACK) >= of(Color.WHITE) ? Color.BLACK : Color.WHITE;
    }

    /// A colour blended into the background, and then moved away from it until its contrast is 3:1: what is left of the hue is its strength.
    ///
    /// @param strength 0 to 1
    Color pale(Color colour, double strength) {
        Color blended = mix(background, colour, strength);
        Color far = text();
        for (int percent = 0; percent < 100; percent++) {
            Color moved = mix(blended, far, percent / 100.0);
            if (of(moved) >= LEAST) {
                return moved;
            }
        }
        return far;
    }

    static Color mix(Color from, Color to, double share) {
        double part = Math.clamp(share, 0, 1);
        return new Color(channel(from.getRed(), to.getRed(), part), channel(from.getGreen(), to.getGreen(), part),
                channel(from.getBlue(), to.getBlue(), part));
    }

    private static int channel(int from, int to, double share) {
        return (int) Math.round(from + (to - from) * share);
    }

    private static double luminance(Color colour) {
        return 0.2126 * linear(colour.getRed()) + 0.7152 * linear(colour.getGreen())
                + 0.0722 * linear(colour.getBlue());
    }

    private static double linear(int channel) {
        double share = channel / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}
