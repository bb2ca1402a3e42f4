package org.inferometer.chart;

import java.util.List;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.ChartRenderer.Shade;

/// The colours of charts as hexadecimal text, for both shades.
///
/// Series colours keep a contrast of at least 3:1 against their background and stay apart under colour-vision deficiencies.
public final class ChartPalette {
    private static final List<String> SERIES_LIGHT =
            List.of("#2B65C3", "#D77202", "#4AA37A", "#A9467C", "#6E6519", "#9883C0", "#712807", "#3B4150");
    private static final List<String> SERIES_DARK =
            List.of("#6295F8", "#EC9225", "#8DF5BD", "#AE6A99", "#FFD428", "#774CC3", "#BE2F26", "#ACADB1");

    private ChartPalette() {}

    /// The colour of a slot; slots beyond the last begin again.
    public static String series(int slot, Shade shade) {
        List<String> colours = light(shade) ? SERIES_LIGHT : SERIES_DARK;
        return colours.get(Math.floorMod(slot, colours.size()));
    }

    /// How many slots there are; the last is the baseline's.
    public static int slots() {
        return SERIES_LIGHT.size();
    }

    /// The colour of a memory owner.
    public static String memory(MemoryOwner owner, Shade shade) {
        return switch (owner) {
            case WEIGHTS -> series(7, shade);
            case KV_CACHE -> series(0, shade);
            case ACTIVATIONS -> series(1, shade);
            case WORKSPACE -> series(2, shade);
            case UNATTRIBUTED -> "#8C959F";
        };
    }

    /// The background.
    public static String background(Shade shade) {
        return light(shade) ? "#FFFFFF" : "#0D1117";
    }

    /// Titles and labels.
    public static String text(Shade shade) {
        return light(shade) ? "#1F2328" : "#F0F6FC";
    }

    /// Ticks and footers.
    public static String mutedText(Shade shade) {
        return light(shade) ? "#59636E" : "#9198A1";
    }

    /// Axis lines.
    public static String axis(Shade shade) {
        return light(shade) ? "#818B98" : "#656C76";
    }

    /// Grid lines, faint.
    public static String grid(Shade shade) {
        return light(shade) ? "#DDE1E6" : "#262C36";
    }

    /// Better than the baseline; always with a text.
    public static String better(Shade shade) {
        return light(shade) ? "#0B6BCB" : "#58A6FF";
    }

    /// Worse than the baseline; always with a text.
    public static String worse(Shade shade) {
        return light(shade) ? "#B54708" : "#F0883E";
    }

    private static boolean light(Shade shade) {
        return shade == Shade.LIGHT;
    }
}
