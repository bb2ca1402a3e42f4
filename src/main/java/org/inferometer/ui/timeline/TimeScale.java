package org.inferometer.ui.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Maps time to x coordinates, snapped to device pixels.
///
/// @param left x of the window's start, in logical pixels
/// @param width of the window, in logical pixels
/// @param outputScale device pixels per logical pixel
record TimeScale(TimeWindow window, double left, double width, double outputScale) {
    private static final double PIXELS_PER_TICK = 110;

    /// A tick of the time axis.
    record Tick(long nanos, String label) {}

    double x(long nanos) {
        double exact = left + (double) (nanos - window.from()) / window.length() * width;
        // Coordinates far outside the canvas are clamped.
        return snapped(Math.clamp(exact, left - 4, right() + 4));
    }

    double snapped(double logical) {
        return Math.round(logical * outputScale) / outputScale;
    }

    /// The x of the window's end.
    double right() {
        return left + width;
    }

    /// Width of one device pixel.
    double hair() {
        return 1 / outputScale;
    }

    long nanos(double x) {
        return window.from() + Math.round((x - left) / width * window.length());
    }

    /// Columns in which data are aggregated: one per logical pixel.
    int columns() {
        return Math.max(1, (int) Math.round(width));
    }

    /// Ticks at round times with room for their labels.
    List<Tick> ticks() {
        double wanted = window.length() / Math.max(1, width / PIXELS_PER_TICK);
        double power = Math.pow(10, Math.floor(Math.log10(wanted)));
        double ratio = wanted / power;
        long step = Math.max(1, Math.round(power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10)));
        List<Tick> ticks = new ArrayList<>();
        for (long at = Math.ceilDiv(window.from(), step) * step; at < window.to(); at += step) {
            ticks.add(new Tick(at, label(at, step)));
        }
        return ticks;
    }

    private static String label(long nanos, long step) {
        double unit = step >= 1_000_000_000 ? 1e9 : step >= 1_000_000 ? 1e6 : 1e3;
        String name = unit == 1e9 ? " s" : unit == 1e6 ? " ms" : " µs";
        return String.format(Locale.ROOT, "%.0f", nanos / unit).replace('-', '−') + name;
    }
}
