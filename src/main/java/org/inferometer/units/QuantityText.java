package org.inferometer.units;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Formats and parses quantities: the number formats of every table, axis and field.
///
/// Numbers have a decimal point and three significant digits. The caller handles missing values.
public final class QuantityText {
    private static final Pattern SIZE =
            Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(B|KiB|MiB|GiB|TiB|K|M|G|T)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ns|us|ms|s|m|min|h)?");
    private static final Pattern COUNT = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kKmM])?");

    private QuantityText() {}

    /// Bytes in binary units: "512 B", "1.50 KiB", "12.3 MiB", "4.00 GiB".
    public static String bytes(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        String[] units = {"KiB", "MiB", "GiB", "TiB"};
        double value = bytes / 1024.0;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return significant(value) + " " + units[unit];
    }

    /// A latency in the unit that fits: microseconds below 1 ms, milliseconds below 10 s, else seconds.
    public static String latency(double nanos) {
        if (nanos < 1e6) {
            return significant(nanos / 1e3) + " µs";
        }
        return nanos < 10e9 ? significant(nanos / 1e6) + " ms" : significant(nanos / 1e9) + " s";
    }

    /// Three significant digits, without exponent: "0.0123", "1.23", "12.3", "123", "12345".
    public static String significant(double value) {
        double magnitude = Math.abs(value);
        if (magnitude == 0 || magnitude >= 99.95) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        int decimals = magnitude >= 9.995 ? 1 : magnitude >= 0.9995 ? 2
                : Math.min(9, 2 - (int) Math.floor(Math.log10(magnitude)));
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /// Without the zeros after the last other decimal: "1.5" of "1.50", "2" of "2.00", "100" of "100".
    public static String withoutTrailingZeros(String number) {
        return number.contains(".") ? number.replaceAll("\\.0+$|(?<![0.])0+$", "") : number;
    }

    /// Elapsed or remaining time as minutes and seconds: "01:40".
    public static String minutesSeconds(double seconds) {
        long whole = Math.max(0, Math.round(seconds));
        return String.format(Locale.ROOT, "%02d:%02d", whole / 60, whole % 60);
    }

    /// Reads "512MiB", "4 GiB", "1.5G" or a plain number of bytes; K, M, G and T are binary.
    ///
    /// @throws IllegalArgumentException with a message if the text is no size
    public static long parseBytes(String text) {
        Matcher matcher = matched(SIZE, text, "a size such as 512MiB or 4GiB");
        double value = Double.parseDouble(matcher.group(1));
        String unit = matcher.group(2) == null ? "B" : LetterCase.upper(matcher.group(2));
        int power = "BKMGT".indexOf(unit.charAt(0));
        return whole(value * Math.pow(1024, power), text);
    }

    /// Reads "250ms", "2s", "1.5m" or a plain number of seconds, as nanoseconds.
    ///
    /// @throws IllegalArgumentException with a message if the text is no duration
    public static long parseNanos(String text) {
        Matcher matcher = matched(DURATION, text, "a duration such as 250ms or 2s");
        double value = Double.parseDouble(matcher.group(1));
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        double factor = switch (unit) {
            case "ns" -> 1;
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "m", "min" -> 60e9;
            case "h" -> 3600e9;
            default -> 1e9;
        };
        return whole(value * factor, text);
    }

    /// Reads "1500", "1.5k" or "2M" as a whole count.
    ///
    /// @throws IllegalArgumentException with a message if the text is no count
    public static long parseCount(String text) {
        Matcher matcher = matched(COUNT, text, "a count such as 200 or 1.5k");
        double factor = matcher.group(2) == null ? 1 : matcher.group(2).equalsIgnoreCase("k") ? 1e3 : 1e6;
        return whole(Double.parseDouble(matcher.group(1)) * factor, text);
    }

    private static Matcher matched(Pattern pattern, String text, String expected) {
        Matcher matcher = pattern.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not " + expected + ".");
        }
        return matcher;
    }

    private static long whole(double value, String text) {
        if (value > 9e18) {
            throw new IllegalArgumentException("\"" + text + "\" is too large.");
        }
        return Math.round(value);
    }
}
