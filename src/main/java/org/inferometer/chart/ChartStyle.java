package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.Area;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Tone;
import org.inferometer.report.charts.ChartRenderer.Shade;

/// Colours, strokes, markers and fonts of charts in one shade at one size.
///
/// Series colours have a contrast of at least 3:1 to the background and differ under colour-vision deficiencies.
///
/// @param scale of fonts, strokes and markers: 1 on screen, more on large pictures
record ChartStyle(Shade shade, double scale) {
    private static final List<String> SERIES_LIGHT =
            List.of("#2B65C3", "#D77202", "#4AA37A", "#A9467C", "#6E6519", "#9883C0", "#712807", "#3B4150");
    private static final List<String> SERIES_DARK =
            List.of("#6295F8", "#EC9225", "#8DF5BD", "#AE6A99", "#FFD428", "#774CC3", "#BE2F26", "#ACADB1");
    /// Number of series colours; the last is the baseline's.
    static final int SLOTS = SERIES_LIGHT.size();
    private static final int BASELINE_SLOT = SLOTS - 1;
    /// Of the markers of lines and legends, at scale 1.
    static final double MARK_RADIUS = 3.6;

    /// The colour of a slot; slots beyond the last begin again.
    Color series(int slot) {
        int index = Math.floorMod(slot, SLOTS);
        return colour(SERIES_LIGHT.get(index), SERIES_DARK.get(index));
    }

    private Color colour(String light, String dark) {
        return Color.decode(shade == Shade.LIGHT ? light : dark);
    }

    /// The colour of a series: paler with less strength, with a contrast of 3:1 to the background at least.
    Color series(SeriesStyle own) {
        Color full = series(own.colour());
        return own.strength() >= 1 ? full : new Contrast(background()).pale(full, own.strength());
    }

    /// The colour of a memory owner: a family of its own, without a hue of a series.
    ///
    /// @param slot the [MemoryOwner#ordinal()]
    Color memory(int slot) {
        return switch (MemoryOwner.values()[slot]) {
            case WEIGHTS -> colour("#1F2933", "#E3E9EF");
            case KV_CACHE -> colour("#0E7490", "#45B5D1");
            case ACTIVATIONS -> colour("#67B7CC", "#2A8199");
            case WORKSPACE -> colour("#B6DDE6", "#235869");
            case JAVA_RUNTIME -> colour("#B9C2CB", "#5A6570");
            case UNATTRIBUTED -> Color.decode("#8C959F");
        };
    }

    /// Fills an area in the colour of a memory owner; unattributed memory is hatched.
    void fillMemory(Graphics2D g2, Shape area, int slot) {
        if (slot == MemoryOwner.UNATTRIBUTED.ordinal()) {
            g2.setPaint(translucent(memory(slot), 0.2));
            g2.fill(area);
            hatched(g2, area, memory(slot));
        } else {
            g2.setPaint(memory(slot));
            g2.fill(area);
        }
    }

    /// Draws rising lines within an area.
    void hatched(Graphics2D g2, Shape area, Color colour) {
        Shape clip = g2.getClip();
        g2.clip(area);
        g2.setPaint(colour);
        g2.setStroke(thin());
        Rectangle2D box = area.getBounds2D();
        double step = 6 * scale;
        double first = Math.floor((box.getMinX() - box.getHeight()) / step) * step;
        for (double at = first; at < box.getMaxX(); at += step) {
            g2.draw(new Line2D.Double(at, box.getMaxY(), at + box.getHeight(), box.getMinY()));
        }
        g2.setClip(clip);
    }

    /// Better is blue, worse is orange; a word stands beside it.
    Color tone(Tone tone) {
        return switch (tone) {
            case BETTER -> colour("#0B6BCB", "#58A6FF");
            case WORSE -> colour("#B54708", "#F0883E");
            case NEUTRAL -> muted();
        };
    }

    /// The colour of a share from 0 to 1, of one hue, from near the background to far from it.
    Color ramp(double share) {
        return Contrast.mix(colour("#E3EEF9", "#12263F"), colour("#0A3D7A", "#B5D6FF"), share);
    }

    /// The text and line of a region within a limit.
    Color limit() {
        return colour("#1A7F37", "#3FB950");
    }

    /// The shading of a region within a limit.
    Color limitShade() {
        return translucent(colour("#4AC26B", "#2EA043"), 0.14);
    }

    Color background() {
        return colour("#FFFFFF", "#0D1117");
    }

    Color text() {
        return colour("#1F2328", "#F0F6FC");
    }

    Color muted() {
        return colour("#59636E", "#9198A1");
    }

    Color axis() {
        return colour("#818B98", "#656C76");
    }

    Color grid() {
        return colour("#DDE1E6", "#262C36");
    }

    Color translucent(Color colour, double opacity) {
        return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), (int) Math.round(255 * opacity));
    }

    Font title() {
        return font(Font.BOLD, 14);
    }

    Font label() {
        return font(Font.PLAIN, 12);
    }

    Font small() {
        return font(Font.PLAIN, 11);
    }

    private Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, 1).deriveFont((float) (size * scale));
    }

    Stroke line(SeriesStyle own) {
        float width = (float) ((own.isFaint() ? 1.1 : own.colour() == BASELINE_SLOT ? 2.5 : 1.8) * scale);
        return switch (own.dash()) {
            case SOLID -> new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND);
            case LONG -> dashed(width, 9, 4);
            case DASH_DOT -> dashed(width, 7, 2.6, 1.8, 2.6);
            case DOTTED -> dashed(width, 1.8, 2.6);
        };
    }

    private Stroke dashed(float width, double... onAndOff) {
        float[] pattern = new float[onAndOff.length];
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = (float) (onAndOff[i] * scale);
        }
        return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, pattern, 0);
    }

    Stroke thin() {
        return new BasicStroke((float) scale);
    }

    /// Draws the pattern of a slot in the background's colour: none, rising, falling, level, upright, crossed, dotted.
    ///
    /// @param within the area; the caller clips
    void hatch(Graphics2D g2, Rectangle2D within, int slot) {
        g2.setPaint(translucent(background(), 0.75));
        g2.fill(pattern(within, slot, 7 * scale));
    }

    /// A square with the pattern of a slot cut out, for legends.
    Shape patch(int slot) {
        double side = 12 * scale;
        Rectangle2D square = new Rectangle2D.Double(-side / 2, -side / 2, side, side);
        Area patch = new Area(square);
        patch.subtract(new Area(pattern(square, slot, 5 * scale)));
        return patch;
    }

    private Path2D pattern(Rectangle2D box, int slot, double step) {
        Path2D.Double pattern = new Path2D.Double(Path2D.WIND_NON_ZERO);
        int kind = Math.floorMod(slot, SLOTS);
        if (kind == 1 || kind == 5) {
            slanted(pattern, box, step, true);
        }
        if (kind == 2 || kind == 5) {
            slanted(pattern, box, step, false);
        }
        for (double y = box.getMaxY() - step / 2; kind == 3 && y > box.getMinY(); y -= step) {
            stroke(pattern, box.getMinX(), y, box.getMaxX(), y);
        }
        for (double x = box.getMinX() + step / 2; kind == 4 && x < box.getMaxX(); x += step) {
            stroke(pattern, x, box.getMinY(), x, box.getMaxY());
        }
        if (kind == 6) {
            dots(pattern, box, step);
        }
        return pattern;
    }

    private void slanted(Path2D pattern, Rectangle2D box, double step, boolean rising) {
        double from = rising ? box.getMaxY() : box.getMinY();
        double to = rising ? box.getMinY() : box.getMaxY();
        for (double at = box.getMinX() - box.getHeight(); at < box.getMaxX(); at += step) {
            stroke(pattern, at, from, at + box.getHeight(), to);
        }
    }

    private static void dots(Path2D pattern, Rectangle2D box, double step) {
        double r = step / 5;
        for (double y = box.getMaxY() - step / 2; y > box.getMinY(); y -= step) {
            for (double x = box.getMinX() + step / 2; x < box.getMaxX(); x += step) {
                pattern.append(new Ellipse2D.Double(x - r, y - r, 2 * r, 2 * r), false);
            }
        }
    }

    private void stroke(Path2D pattern, double fromX, double fromY, double toX, double toY) {
        pattern.append(
                new BasicStroke((float) (1.2 * scale)).createStrokedShape(new Line2D.Double(fromX, fromY, toX, toY)),
                false);
    }

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
}
