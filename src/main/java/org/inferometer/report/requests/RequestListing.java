package org.inferometer.report.requests;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.DoublePredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.measurement.statistics.RadixSort;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunRecord;
import org.inferometer.units.LetterCase;
import org.inferometer.units.LinearPatterns;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import org.inferometer.units.QuantityText;

/// The measured requests of some runs that meet conditions, in an order. Holds two numbers a request, so a million fit. Thread-safe.
@LinearPatterns(value = "The text of conditions has at most 1,000 characters.", boundedText = true)
public final class RequestListing {
    private final RequestColumn.Origin[] runs;
    private final int[] runOf;
    private final int[] indexOf;

    /// A row.
    ///
    /// @param runIndex index of its run in the listed runs
    /// @param index of the request in its run
    public record Row(RunRecord run, int runIndex, int index, long originNanos) {
        /// The request.
        public RequestOutcome request() {
            return run.observations().requests().get(index);
        }

        /// The value of a column as a person reads it, durations in milliseconds; empty where it is not known.
        public String text(RequestColumn column) {
            return column.text(value(column));
        }

        /// The value of a column, durations in nanoseconds; NaN where it is not known.
        public double value(RequestColumn column) {
            return column.of(new RequestColumn.Origin(run, originNanos), index);
        }
    }

    private RequestListing(RequestColumn.Origin[] runs, int[] runOf, int[] indexOf) {
        this.runs = runs;
        this.runOf = runOf;
        this.indexOf = indexOf;
    }

    /// The measured requests, by run and number.
    public static RequestListing of(List<RunRecord> records) {
        RequestColumn.Origin[] runs =
                records.stream().map(RequestColumn.Origin::of).toArray(RequestColumn.Origin[]::new);
        int n = records.stream().mapToInt(run -> (int) measured(run).count()).sum();
        int[] runOf = new int[n];
        int[] indexOf = new int[n];
        int at = 0;
        for (int r = 0; r < runs.length; r++) {
            for (int index : measured(records.get(r)).toArray()) {
                runOf[at] = r;
                indexOf[at++] = index;
            }
        }
        return new RequestListing(runs, runOf, indexOf);
    }

    private static IntStream measured(RunRecord run) {
        RequestColumns requests = run.observations().requests();
        return IntStream.range(0, requests.size()).filter(i -> !requests.warmUp(i));
    }

    /// Those that meet conditions, in the order of a column; equal ones and unknown values, which come last, in the order of this.
    public RequestListing arranged(Conditions filter, RequestColumn by, boolean descending) {
        int[] shown = IntStream.range(0, size()).filter(i -> filter.shows(runs[runOf[i]], indexOf[i])).toArray();
        double[] keys = new double[shown.length];
        for (int i = 0; i < shown.length; i++) {
            double key = by.of(runs[runOf[shown[i]]], indexOf[shown[i]]);
            // Adding 0 makes −0 a 0, which is equal to it.
            keys[i] = Double.isNaN(key) ? Double.POSITIVE_INFINITY : (descending ? -key : key) + 0.0;
        }
        int[] order = RadixSort.order(keys);
        int[] runOfShown = new int[order.length];
        int[] indexOfShown = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            runOfShown[i] = runOf[shown[order[i]]];
            indexOfShown[i] = indexOf[shown[order[i]]];
        }
        return new RequestListing(runs, runOfShown, indexOfShown);
    }

    /// Number of rows.
    public int size() {
        return runOf.length;
    }

    /// A row.
    ///
    /// @throws IndexOutOfBoundsException unless 0 ≤ row < size
    public Row row(int row) {
        RequestColumn.Origin run = runs[runOf[row]];
        return new Row(run.run(), runOf[row], indexOf[row], run.originNanos());
    }

    /// Some of the rows, in the same order.
    ///
    /// @throws IndexOutOfBoundsException unless 0 ≤ from ≤ to ≤ size
    public RequestListing part(int from, int to) {
        Objects.checkFromToIndex(from, to, size());
        return new RequestListing(runs, Arrays.copyOfRange(runOf, from, to), Arrays.copyOfRange(indexOf, from, to));
    }

    /// The first rows.
    public List<Row> first(int most) {
        return IntStream.range(0, Math.min(most, size())).mapToObj(this::row).toList();
    }

    /// Conditions on requests, such as "ttft > 2s and status != ok"; a request must meet all. A value that is not known meets none.
    public static final class Conditions {
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
        public Conditions(String text) {
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
            RequestColumn column = RequestColumn.find(name)
                    .orElseThrow(() -> new IllegalArgumentException(NearMisses.sentence("column", name,
                            Stream.concat(RequestColumn.ids().stream(), Stream.of(STATUS)).toList())));
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
}
