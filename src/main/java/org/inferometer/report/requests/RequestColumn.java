package org.inferometer.report.requests;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.units.LetterCase;

/// A number of a request, for listings. Instants count from the run's start of measuring.
public enum RequestColumn {
    /// Number of the run in execution order.
    RUN("run", Unit.COUNT, (run, requests, request) -> run.run.manifest().plan().index().run()),
    /// Number of the request in its run.
    REQUEST("request", Unit.COUNT, (run, requests, request) -> requests.number(request)),
    /// When it was sent.
    SENT("sent", Unit.DURATION, (run, requests, request) -> difference(requests.sentNanos(request), run.originNanos)),
    /// How much later than intended it was sent.
    LATE("late", Unit.DURATION,
            (run, requests, request) -> difference(requests.sentNanos(request), requests.intendedNanos(request))),
    /// admitted − sent.
    QUEUE("queue", Unit.DURATION,
            (run, requests, request) -> difference(requests.admittedNanos(request), requests.sentNanos(request))),
    /// firstToken − intended.
    TTFT("ttft", Unit.DURATION,
            (run, requests, request) -> difference(requests.firstTokenNanos(request), requests.intendedNanos(request))),
    /// Mean time of an output token after the first.
    TPOT("tpot", Unit.DURATION, (run, requests, request) -> requests.tpotNanos(request).orElse(Double.NaN)),
    /// Longest time between two events with output.
    GAP("gap", Unit.DURATION,
            (run, requests, request) -> requests.longestGapNanos(request).stream().asDoubleStream().findFirst()
                    .orElse(Double.NaN)),
    /// lastToken − intended.
    E2E("e2e", Unit.DURATION,
            (run, requests, request) -> difference(requests.lastTokenNanos(request), requests.intendedNanos(request))),
    /// Tokens of the prompt.
    PROMPT("prompt", Unit.COUNT, (run, requests, request) -> requests.promptTokens(request)),
    /// Output tokens that arrived.
    OUTPUT("output", Unit.COUNT, (run, requests, request) -> requests.outputTokens(request));

    /// The value of a request of a run; NaN where it is not known.
    private interface Value {
        double of(Origin run, RequestColumns requests, int request);
    }

    /// What a column is measured in.
    public enum Unit {
        /// A whole number.
        COUNT,
        /// Nanoseconds.
        DURATION
    }

    /// A run and the instant from which its times count.
    ///
    /// @param originNanos since the run's anchor
    record Origin(RunRecord run, long originNanos) {
        RequestColumns requests() {
            return run.observations().requests();
        }

        static Origin of(RunRecord run) {
            return new Origin(run, RunWindow.of(run.observations().requests()).map(RunWindow::startNanos).orElse(0L));
        }
    }

    private final String id;
    private final Unit unit;
    private final Value value;

    RequestColumn(String id, Unit unit, Value value) {
        this.id = id;
        this.unit = unit;
        this.value = value;
    }

    private static double difference(long later, long earlier) {
        return later == RequestOutcome.ABSENT || earlier == RequestOutcome.ABSENT ? Double.NaN
                : (double) later - earlier;
    }

    /// Its name in conditions: "ttft".
    public String id() {
        return id;
    }

    /// What it is measured in.
    public Unit unit() {
        return unit;
    }

    /// The value; NaN where it is not known.
    ///
    /// @param request index in the requests of the run
    double of(Origin run, int request) {
        return value.of(run, run.requests(), request);
    }

    /// The value as a person reads it, "12.3 ms" as "12.3"; empty where it is not known.
    String text(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        return unit == Unit.COUNT ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value / 1e6);
    }

    /// The column of a name.
    public static Optional<RequestColumn> find(String id) {
        return Arrays.stream(values()).filter(column -> column.id.equals(LetterCase.lower(id))).findFirst();
    }

    /// All names.
    public static List<String> ids() {
        return Arrays.stream(values()).map(RequestColumn::id).toList();
    }
}
