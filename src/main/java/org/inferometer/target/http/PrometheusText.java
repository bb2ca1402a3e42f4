package org.inferometer.target.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/// Reads the Prometheus text format, `name{label="value"} number [timestamp]` per line; skips comments and invalid lines.
final class PrometheusText {
    private static final int MOST_SERIES = 256;
    private static final int MOST_INDEX_DIGITS = 4;
    /// Labels that identify a replica.
    private static final Set<String> SHOWN_LABELS = Set.of("engine", "dp_rank", "tp_rank", "engine_index");

    private PrometheusText() {}

    /// The readings of the wanted names, at most 256. Series of one name are kept apart by their replica label; others
    /// are added.
    static Map<String, Double> read(String text, Set<String> wanted) {
        Map<String, Map<String, Double>> series = new LinkedHashMap<>();
        int[] count = {0};
        text.lines().forEach(line -> {
            if (count[0] < MOST_SERIES && !line.isEmpty() && line.charAt(0) != '#') {
                count[0] += sample(line.strip(), wanted, series) ? 1 : 0;
            }
        });
        Map<String, Double> readings = new LinkedHashMap<>();
        series.forEach((name, byReplica) -> byReplica
                .forEach((replica, value) -> readings.put(byReplica.size() == 1 ? name : name + replica, value)));
        return readings;
    }

    private static boolean sample(String line, Set<String> wanted, Map<String, Map<String, Double>> series) {
        int nameEnd = 0;
        while (nameEnd < line.length() && line.charAt(nameEnd) != '{'
                && !Character.isWhitespace(line.charAt(nameEnd))) {
            nameEnd++;
        }
        String name = line.substring(0, nameEnd);
        if (!wanted.contains(name)) {
            return false;
        }
        StringBuilder replica = new StringBuilder();
        int valueStart = labels(line, nameEnd, replica);
        OptionalDouble value = valueStart < 0 ? OptionalDouble.empty() : number(line, valueStart);
        value.ifPresent(number -> series.computeIfAbsent(name, key -> new LinkedHashMap<>())
                .merge(replica.isEmpty() ? "" : "{" + replica + "}", number, Double::sum));
        return value.isPresent();
    }

    /// Reads labels from `{`; returns where the value starts, or -1 if the labels do not end.
    private static int labels(String line, int from, StringBuilder replica) {
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
            String label = line.substring(at, equals).strip();
            if (SHOWN_LABELS.contains(label) && isIndex(line, equals + 2, end)) {
                replica.append(replica.isEmpty() ? "" : ",").append(label).append('=').append(line, equals + 2, end);
            }
            at = end + 1;
            while (at < line.length() && (line.charAt(at) == ',' || line.charAt(at) == ' ')) {
                at++;
            }
        }
        return at < line.length() ? at + 1 : -1;
    }

    /// Whether a value is the number of a replica; another text of a server is not kept.
    private static boolean isIndex(String line, int from, int to) {
        return to > from && to - from <= MOST_INDEX_DIGITS
                && line.substring(from, to).chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static OptionalDouble number(String line, int from) {
        String rest = line.substring(from).strip();
        int end = 0;
        while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
            end++;
        }
        try {
            double value = Double.parseDouble(rest.substring(0, end));
            return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}
