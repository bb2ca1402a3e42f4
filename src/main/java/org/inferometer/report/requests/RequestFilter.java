package org.inferometer.report.requests;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.record.RequestStatus;
import org.inferometer.units.LetterCase;
import org.inferometer.units.LinearPatterns;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import org.inferometer.units.QuantityText;

/// Conditions on requests, such as "ttft > 2s and status != ok"; a request must meet all. A value that is not known meets none.
@LinearPatterns(value = "A text has at most 1,000 characters.", boundedText = true)
public final class RequestFilter {
    private static final Pattern CONDITION = Pattern.compile("\\s*(\\w+)\\s*(<=|>=|!=|=|<|>)\\s*(\\S+)\\s*");
    private static final Pattern AND = Pattern.compile("(?i)\\s+and\\s+");
    private static final String STATUS = "status";
    private static final int MOST_CHARACTERS = 1000;
    private static final String EXAMPLE = "For example: ttft > 2s and status != ok";

    private interface Condition {
        boolean met(RequestColumn.Origin run, int request);
    }

    private final List<Condition> conditions = new ArrayList<>();

    /// @param text empty for all requests
    /// @throws IllegalArgumentException with one sentence if a condition is not understood
    public RequestFilter(String text) {
        if (text.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException("Conditions have at most " + MOST_CHARACTERS + " characters.");
        }
        if (!text.isBlank()) {
            for (String part : AND.split(text.strip(), -1)) {
                conditions.add(condition(part));
            }
        }
    }

    /// @param request index in the requests of the run
    boolean shows(RequestColumn.Origin run, int request) {
        // No stream: this is called for every request.
        for (Condition condition : conditions) {
            if (!condition.met(run, request)) {
                return false;
            }
        }
        return true;
    }

    private static Condition condition(String text) {
        Matcher parts = CONDITION.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("\"" + OneLine.of(text) + "\" is not a condition. " + EXAMPLE);
        }
        String name = LetterCase.lower(parts.group(1));
        String operator = parts.group(2);
        if (name.equals(STATUS)) {
            return status(operator, LetterCase.lower(parts.group(3)));
        }
        RequestColumn column = RequestColumn.find(name).orElseThrow(() -> new IllegalArgumentException(NearMisses
                .sentence("column", name, Stream.concat(RequestColumn.ids().stream(), Stream.of(STATUS)).toList())));
        DoublePredicate met = comparison(operator, column.unit() == RequestColumn.Unit.COUNT
                ? QuantityText.parseCount(parts.group(3)) : QuantityText.parseNanos(parts.group(3)));
        return (run, request) -> {
            double value = column.of(run, request);
            return !Double.isNaN(value) && met.test(value);
        };
    }

    private static Condition status(String operator, String wanted) {
        List<String> ids = Arrays.stream(RequestStatus.values()).map(RequestStatus::id).toList();
        if (!ids.contains(wanted)) {
            throw new IllegalArgumentException(NearMisses.sentence(STATUS, wanted, ids));
        }
        return switch (operator) {
            case "=" -> (run, request) -> run.requests().status(request).id().equals(wanted);
            case "!=" -> (run, request) -> !run.requests().status(request).id().equals(wanted);
            default -> throw new IllegalArgumentException("A status is compared with = or !=.");
        };
    }

    private static DoublePredicate comparison(String operator, double limit) {
        return switch (operator) {
            case "<" -> value -> value < limit;
            case "<=" -> value -> value <= limit;
            case ">" -> value -> value > limit;
            case ">=" -> value -> value >= limit;
            case "!=" -> value -> value != limit;
            default -> value -> value == limit;
        };
    }
}
