package org.inferometer.report;

import java.util.Locale;
import java.util.Optional;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparison.ShareRange;

/// Formats a comparison as the ratio candidate / base, or base / candidate: "1.31× [1.27, 1.35]".
///
/// @param inverted base / candidate: how many times as fast a latency is
public record RatioText(Comparison comparison, boolean inverted) {
    private static final double WITHOUT_DECIMALS = 9.95;
    private static final double WITH_ONE_DECIMAL = 1.995;
    private static final double WITH_THREE_DECIMALS = 0.1995;
    private static final double FINEST = 0.0005;
    private static final double FINE = 0.005;

    /// The ratio candidate / base.
    public static RatioText of(Comparison comparison) {
        return new RatioText(comparison, false);
    }

    /// The ratio or its inverse, whichever is at least 1: how many times as fast, slow, much or little.
    public static RatioText atLeastOne(Comparison comparison) {
        return new RatioText(comparison, of(comparison).value().filter(ratio -> ratio < 1).isPresent());
    }

    /// The ratio; empty if a side is 0 or negative.
    public Optional<Double> value() {
        return comparison.change().map(change -> 1 + change)
                .filter(ratio -> ratio > 0 && Double.isFinite(ratio) && comparison.base().mean() > 0).map(this::turned);
    }

    /// The ends of the 95 % interval; empty if there is none or an end is 0 or negative.
    public Optional<ShareRange> interval() {
        return comparison.changeInterval().filter(range -> range.low() > -1 && Double.isFinite(range.high()))
                .filter(range -> value().isPresent())
                .map(range -> inverted ? new ShareRange(turned(1 + range.high()), turned(1 + range.low()))
                        : new ShareRange(1 + range.low(), 1 + range.high()));
    }

    private double turned(double ratio) {
        return inverted ? 1 / ratio : ratio;
    }

    /// "1.31×"; both figures if there is no ratio: "0.0 → 5.2 MiB".
    public String text() {
        return value().map(ratio -> factor(ratio) + "×").orElseGet(this::figures);
    }

    /// "1.31× [1.27, 1.35]"; no interval where it has no width.
    public String withInterval() {
        return text() + intervalText();
    }

    /// The ratio with words before its interval: "1.31× faster [1.27, 1.35]".
    public String with(String words) {
        return text() + " " + words + intervalText();
    }

    String intervalText() {
        return interval().map(range -> {
            String low = factor(range.low());
            String high = factor(range.high());
            return low.equals(high) ? "" : " [" + low + ", " + high + "]";
        }).orElse("");
    }

    private String figures() {
        String unit = FigureText.unit(comparison.metric().unit());
        return String.join(" → ", FigureText.means(comparison.base(), comparison.candidate()))
                + (unit.isEmpty() ? "" : " " + unit);
    }

    /// Two decimals below 2, one below 10; three below 0.2, and where a ratio would read 1.00: "1.31", "4.0", "39", "0.055", "1.002".
    public static String factor(double ratio) {
        double change = Math.abs(ratio - 1);
        String format = ratio >= WITHOUT_DECIMALS ? "%.0f" : ratio >= WITH_ONE_DECIMAL ? "%.1f"
                : ratio < WITH_THREE_DECIMALS || (change >= FINEST && change < FINE) ? "%.3f"
                : "%.2f";
        return String.format(Locale.ROOT, format, ratio);
    }
}
