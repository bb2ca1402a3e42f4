package org.inferometer.experiment;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.inferometer.units.OneLine;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// How a value of a field is read and written, and which values are accepted.
///
/// @param label placeholder of the value in help: `TIME`
/// @param expected the accepted values, as in "a whole number from 1 to 1000"
/// @param unit what is counted or measured: "requests"; empty where the text has it or there is none
/// @param reader throws [IllegalArgumentException] with one sentence
/// @param writer a text that the reader reads back to an equal value
/// @param verbatim whether spaces and line breaks at the ends are part of the value
/// @param parts the texts of the values of a list with commas
public record FieldType<T>(String label, String expected, String unit, Function<String, T> reader,
        Function<T, String> writer, boolean verbatim, Function<String, List<String>> parts) {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;
    private static final int LONGEST_NUMBER = 40;
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.?)", Pattern.DOTALL);

    /// A type whose values have no spaces at their ends.
    FieldType(String label, String expected, String unit, Function<String, T> reader, Function<T, String> writer) {
        this(label, expected, unit, reader, writer, false, text -> List.of(text.split(",", -1)));
    }

    /// The value of a text.
    ///
    /// @throws IllegalArgumentException with one sentence that quotes the text
    public T read(String text) {
        return reader.apply(verbatim ? text : text.strip());
    }

    /// The text of a value.
    public String write(T value) {
        return writer.apply(value);
    }

    /// Text, unchanged.
    static FieldType<String> text(String label) {
        return new FieldType<>(label, "a name", "", Function.identity(), Function.identity());
    }

    /// Text with spaces at its ends; `\n` is a line break, `\t` a tab, `\\` a backslash.
    static FieldType<String> verbatim(String label, String expected) {
        return new FieldType<>(label, expected, "", FieldType::unescaped, FieldType::escaped, true, List::of);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text).replaceAll(found -> switch (found.group(1)) {
            case "n" -> "\n";
            case "t" -> "\t";
            case "\\" -> "\\\\";
            default -> throw new IllegalArgumentException("\"" + OneLine.of(text) + "\" has "
                    + OneLine.of(found.group()) + ". Write \\n, \\t, or \\\\ for a backslash.");
        });
    }

    /// A value with its own grammar.
    ///
    /// @param reader its messages say what is accepted
    static <T> FieldType<T> of(String label, String expected, Function<String, T> reader) {
        return new FieldType<>(label, expected, "", reader, String::valueOf);
    }

    /// `true` or `false`.
    static FieldType<Boolean> flag() {
        return checked("true|false", "true or false", "",
                text -> text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null,
                String::valueOf);
    }

    /// A whole number: `1500`, `1_500` or `1.5k`.
    static FieldType<Integer> whole(int min, int max, String unit) {
        return checked("N", "a whole number from " + min + " to " + max, unit, text -> {
            int value = number(text).intValueExact();
            return value >= min && value <= max ? value : null;
        }, String::valueOf);
    }

    /// Any whole number of 64 bits.
    static FieldType<Long> seed() {
        return checked("N", "a whole number", "", text -> Long.parseLong(text.replace("_", "")), String::valueOf);
    }

    /// A number with decimals.
    public static FieldType<Double> decimal(double min, double max, String noun) {
        return checked("N", noun + " from " + plain(min) + " to " + plain(max), "", text -> {
            double value = number(text).doubleValue();
            return value >= min && value <= max ? value : null;
        }, FieldType::plain);
    }

    /// A share above 0, as in `10%` or 0.1.
    static FieldType<Double> share(String noun) {
        return checked("SHARE", noun + ", as in 10%", "", text -> {
            boolean percent = text.endsWith("%");
            double value = number(percent ? text.substring(0, text.length() - 1).strip() : text).doubleValue()
                    / (percent ? 100 : 1);
            return value > 0 && value <= 1 ? value : null;
        }, share -> plain(share * 100) + "%");
    }

    /// A time in nanoseconds.
    static FieldType<Long> nanos(long min, long max) {
        return checked("TIME", "a time from " + time(min) + " to " + time(max), "", text -> {
            long value = QuantityText.parseNanos(text);
            return value >= min && value <= max ? value : null;
        }, FieldType::time);
    }

    /// A time in whole milliseconds.
    static FieldType<Integer> millis(int min, int max) {
        FieldType<Long> nanos = nanos(min * MILLI, max * MILLI);
        return new FieldType<>(nanos.label, nanos.expected, "", text -> Math.toIntExact(nanos.read(text) / MILLI),
                value -> nanos.write(value * MILLI));
    }

    /// A size in bytes.
    static FieldType<Long> bytes(long max) {
        return checked("SIZE", "a size such as 512MiB or 4GiB", "", text -> {
            long value = QuantityText.parseBytes(text);
            return value <= max ? value : null;
        }, FieldType::size);
    }

    /// @param reader null or an exception for a value that is not accepted
    private static <T> FieldType<T> checked(String label, String expected, String unit,
            Function<String, @Nullable T> reader, Function<T, String> writer) {
        return new FieldType<>(label, expected, unit, text -> {
            try {
                T value = reader.apply(text);
                if (value != null) {
                    return value;
                }
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new IllegalArgumentException("\"" + text + "\" is not " + expected + ".", e);
            }
            throw new IllegalArgumentException("\"" + text + "\" is not " + expected + ".");
        }, writer);
    }

    /// A decimal number, with `_` between digits and `k` or `M` behind it as people like.
    private static BigDecimal number(String text) {
        String digits = text.replace("_", "");
        char last = digits.isEmpty() ? '0' : Character.toLowerCase(digits.charAt(digits.length() - 1));
        int power = last == 'k' ? 3 : last == 'm' ? 6 : 0;
        String number = power == 0 ? digits : digits.substring(0, digits.length() - 1).strip();
        if (number.length() > LONGEST_NUMBER) {
            throw new IllegalArgumentException("too long");
        }
        return new BigDecimal(number).scaleByPowerOfTen(power);
    }

    /// A number without `_`, `k` and `M`; any other text as it is.
    static String expanded(String text) {
        try {
            double value = number(text).doubleValue();
            return Double.isInfinite(value) ? text : plain(value);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /// A number as people write it: "2.5", "100000".
    public static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private static String time(long nanos) {
        return nanos > 0 && nanos % (3600 * SECOND) == 0 ? nanos / (3600 * SECOND) + "h"
                : nanos % SECOND == 0 ? nanos / SECOND + "s"
                : nanos % MILLI == 0 ? nanos / MILLI + "ms"
                : nanos + "ns";
    }

    private static String size(long bytes) {
        return bytes % (1 << 20) == 0 && bytes > 0 ? (bytes >> 20) + "MiB" : Long.toString(bytes);
    }
}
