package org.inferometer.suite.figures;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.suite.serving.LogPattern;
import org.inferometer.units.FileFault;

/// Figures of a benchmark's log.
///
/// @param values in their order
/// @param requests all that the log counts, over its blocks; absent if it counts none
/// @param failed of them; absent if the log does not say
/// @param findings what could not be read, one sentence each
public record LogMetrics(List<LogValue> values, OptionalLong requests, OptionalLong failed, List<String> findings) {
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_VALUES = 100_000;
    /// The line that ends the report of a concurrency, or of a load without one.
    private static final Pattern DONE =
            Pattern.compile("Benchmark with (?:concurrency (\\d{1,9})|load (\\S{1,200})) done");
    private static final Pattern COUNT =
            Pattern.compile("(Total requests|Total failed requests|Failed requests):\\s{1,60}(\\d{1,18})");

    /// @param metric its name in files
    /// @param concurrency absent where the log does not tell
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record LogValue(String metric, OptionalInt concurrency, double value) {}

    /// Reads a log of the benchmark client.
    ///
    /// @param type "disagg" or "wideep": which metrics are wanted
    /// @throws IOException with one sentence if it cannot be read or is too large
    public static LogMetrics read(Path log, String type) throws IOException {
        return ofReport(text(log), type);
    }

    /// Reads a log by a configuration's own pattern: each group is a metric, the last the concurrency. With one group for each name
    /// the log tells no concurrency.
    ///
    /// @throws IOException with one sentence if it cannot be read or is too large
    public static LogMetrics read(Path log, LogPattern pattern, List<String> names) throws IOException {
        return of(text(log), pattern, names);
    }

    private static String text(Path log) throws IOException {
        if (!Files.isRegularFile(log)) {
            throw new IOException(log + ": no such log.");
        }
        try (InputStream in = Files.newInputStream(log)) {
            byte[] bytes = in.readNBytes((int) MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException(
                        log + ": larger than " + (MOST_BYTES >> 20) + " MiB. Give the benchmark's own log.");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw FileFault.at(log, e);
        }
    }

    static LogMetrics ofReport(String log, String type) {
        List<LogValue> values = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        Map<String, Double> block = new LinkedHashMap<>();
        Counts counts = new Counts();
        for (String line : log.split("\\R", -1)) {
            counts.take(line);
            for (ServingMetric metric : ServingMetric.of(type)) {
                int at = line.indexOf(metric.label());
                if (at >= 0) {
                    number(line.substring(at + metric.label().length()))
                            .ifPresent(value -> block.put(metric.name(), value));
                }
            }
            Matcher done = DONE.matcher(line);
            if (done.find() && values.size() < MOST_VALUES) {
                OptionalInt concurrency =
                        done.group(1) == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(done.group(1)));
                for (ServingMetric metric : ServingMetric.of(type)) {
                    Double value = block.get(metric.name());
                    if (value == null) {
                        findings.add("\"" + done.group() + "\" follows no " + metric.name() + ".");
                    } else {
                        values.add(new LogValue(metric.name(), concurrency, value));
                    }
                }
                block.clear();
            }
        }
        if (!block.isEmpty()) {
            findings.add("The log ends before its last concurrency is done.");
        }
        return counts.with(values, findings);
    }

    static LogMetrics of(String log, LogPattern pattern, List<String> names) {
        List<String> findings = new ArrayList<>();
        List<LogValue> values = new ArrayList<>();
        boolean hasConcurrency = pattern.groups() > names.size();
        pattern.fault(names).ifPresent(findings::add);
        for (List<String> groups : pattern.matches(log, MOST_VALUES)) {
            OptionalInt concurrency = hasConcurrency ? whole(groups.getLast()) : OptionalInt.empty();
            if (hasConcurrency && concurrency.isEmpty()) {
                findings.add("\"" + groups.getLast() + "\" is no concurrency.");
                continue;
            }
            for (int i = 0; i < Math.min(names.size(), groups.size()); i++) {
                OptionalDouble value = number(groups.get(i));
                if (value.isPresent()) {
                    values.add(new LogValue(names.get(i), concurrency, value.getAsDouble()));
                } else {
                    findings.add(names.get(i) + " has no number: \"" + groups.get(i) + "\".");
                }
            }
        }
        if (values.isEmpty() && findings.isEmpty()) {
            findings.add("The pattern fits nowhere in the log.");
        }
        Counts counts = new Counts();
        log.lines().forEach(counts::take);
        return counts.with(values, findings);
    }

    private static OptionalInt whole(String text) {
        return text.matches("\\d{1,9}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }

    /// The first number of a text; absent if it is none, or not finite.
    private static OptionalDouble number(String text) {
        String word = text.strip().split("\\s", 2)[0];
        return word.matches("-?\\d{1,18}(\\.\\d{0,18})?([eE][+-]?\\d{1,2})?")
                ? OptionalDouble.of(Double.parseDouble(word)) : OptionalDouble.empty();
    }

    /// Sums of the requests that a log counts.
    private static final class Counts {
        private long requests = -1;
        private long failed = -1;

        private void take(String line) {
            Matcher count = COUNT.matcher(line);
            if (count.find()) {
                long number = Long.parseLong(count.group(2));
                if (count.group(1).equals("Total requests")) {
                    requests = Math.max(0, requests) + number;
                } else {
                    failed = Math.max(0, failed) + number;
                }
            }
        }

        private LogMetrics with(List<LogValue> values, List<String> findings) {
            return new LogMetrics(List.copyOf(values), requests < 0 ? OptionalLong.empty() : OptionalLong.of(requests),
                    failed < 0 ? OptionalLong.empty() : OptionalLong.of(failed), List.copyOf(findings));
        }
    }
}
