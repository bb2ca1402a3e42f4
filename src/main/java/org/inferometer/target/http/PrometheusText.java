package org.inferometer.target.http;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/// Reads the Prometheus text format, `name{label="value"} number [timestamp]` per line; skips comments and invalid lines.
final class PrometheusText {
    private PrometheusText() {}

    /// A value of a series.
    ///
    /// @param labels as written, escapes included
    /// @param value finite
    record Sample(Map<String, String> labels, double value) {
        /// The label, where it is a number of at most four digits; else empty. Another text of a server is not kept.
        String index(String label) {
            String text = labels.getOrDefault(label, "");
            return text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9') ? text : "";
        }
    }

    /// Passes the samples of the wanted names on, in the order of the text.
    static void read(String text, Predicate<String> wanted, BiConsumer<String, Sample> to) {
        text.lines().map(String::strip).filter(line -> !line.isEmpty() && line.charAt(0) != '#').forEach(line -> {
            int nameEnd = 0;
            while (nameEnd < line.length() && line.charAt(nameEnd) != '{'
                    && !Character.isWhitespace(line.charAt(nameEnd))) {
                nameEnd++;
            }
            String name = line.substring(0, nameEnd);
            if (wanted.test(name)) {
                Map<String, String> labels = new HashMap<>();
                int valueStart = labels(line, nameEnd, labels);
                double value = valueStart < 0 ? Double.NaN : number(line, valueStart);
                if (Double.isFinite(value)) {
                    to.accept(name, new Sample(labels, value));
                }
            }
        });
    }

    /// Reads labels from `{`; returns where the value starts, or -1 if the labels do not end.
    private static int labels(String line, int from, Map<String, String> labels) {
        int at = from;
        if (at >= line.length() || line.charAt(at) != '{') {
            return at;
        }
        at++;
        while (at < line.length() && line.charAt(at) != '}') {
            int equals = line.indexOf('=', at);
            if (equals < 0 || equals + 1 >= line.length() || line.charAt(equals + 1) != '"') {
                return -1;
            }
            int end = equals + 2;
            while (end < line.length() && line.charAt(end) != '"') {
                end += line.charAt(end) == '\\' ? 2 : 1;
            }
            if (end >= line.length()) {
                return -1;
            }
            labels.put(line.substring(at, equals).strip(), line.substring(equals + 2, end));
            at = end + 1;
            while (at < line.length() && (line.charAt(at) == ',' || line.charAt(at) == ' ')) {
                at++;
            }
        }
        return at < line.length() ? at + 1 : -1;
    }

    /// The number that follows; NaN if there is none.
    static double number(String line, int from) {
        String rest = line.substring(from).strip();
        int end = 0;
        while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
            end++;
        }
        String number = rest.substring(0, end);
        try {
            return number.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(number);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
