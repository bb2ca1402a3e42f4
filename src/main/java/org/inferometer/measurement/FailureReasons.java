package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;

/// The reasons of failed requests with their counts, the most frequent first. Reasons that differ only in numbers are one.
///
/// @param counts by the first reason of each kind
public record FailureReasons(Map<String, Long> counts) {
    private static final int MOST_NAMED = 3;

    /// Of the requests that did not succeed.
    public static FailureReasons of(List<RequestOutcome> measured) {
        Map<String, String> firsts = new LinkedHashMap<>();
        Map<String, Long> counts = new LinkedHashMap<>();
        for (RequestOutcome request : measured) {
            if (request.ok()) {
                continue;
            }
            String reason = text(request);
            String first = firsts.computeIfAbsent(reason.replaceAll("\\d+", "0"), kind -> reason);
            counts.merge(first, 1L, Long::sum);
        }
        return new FailureReasons(counts);
    }

    private static String text(RequestOutcome request) {
        if (request.status() == RequestStatus.TIMED_OUT) {
            return "timed out";
        }
        String reason = request.reason().strip();
        String line = reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
        return line.isEmpty() ? request.status().id().replace('_', ' ') : line;
    }

    /// "12 × connection refused, 3 × timed out"; empty without failures.
    public String text() {
        List<Map.Entry<String, Long>> ranked = new ArrayList<>(counts.entrySet());
        ranked.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()));
        long others = ranked.stream().skip(MOST_NAMED).mapToLong(Map.Entry::getValue).sum();
        return ranked.stream().limit(MOST_NAMED).map(entry -> entry.getValue() + " × " + entry.getKey())
                .collect(Collectors.joining(", ")) + (others == 0 ? "" : ", " + others + " × other reasons");
    }
}
