package org.inferometer.report.requests;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;

/// A number of a request, for listings. Instants count from the run's start of measuring.
public enum RequestColumn {
    /// Number of the run in execution order.
    RUN("run", Unit.COUNT, (run, request) -> run.run.manifest().plan().index().run()),
    /// Number of the request in its run.
    REQUEST("request", Unit.COUNT, (run, request) -> request.id().index()),
    /// When it was sent.
    SENT("sent", Unit.DURATION, (run, request) -> difference(request.sentNanos(), run.originNanos)),
    /// How much later than intended it was sent.
    LATE("late", Unit.DURATION, (run, request) -> difference(request.sentNanos(), request.intendedNanos())),
    /// admitted − sent.
    QUEUE("queue", Unit.DURATION, (run, request) -> difference(request.admittedNanos(), request.sentNanos())),
    /// firstToken − intended.
    TTFT("ttft", Unit.DURATION, (run, request) -> difference(request.firstTokenNanos(), request.intendedNanos())),
    /// Mean time of an output token after the first.
    TPOT("tpot", Unit.DURATION, (run, request) -> request.tpotNanos().orElse(Double.NaN)),
    /// Longest time between two events with output.
    GAP("gap", Unit.DURATION,
            (run, request) -> Arrays.stream(request.gapNanos()).max().stream().asDoubleStream().findFirst()
                    .orElse(Double.NaN)),
    /// lastToken − intended.
    E2E("e2e", Unit.DURATION, (run, request) -> difference(request.lastTokenNanos(), request.intendedNanos())),
    /// Tokens of the prompt.
    PROMPT("prompt", Unit.COUNT, (run, request) -> request.promptTokens()),
    /// Output tokens that arrived.
    OUTPUT("output", Unit.COUNT, (run, request) -> request.outputTokens());

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
        static Origin of(RunRecord run) {
            return new Origin(run, RunWindow.of(run.observations().requests()).map(RunWindow::startNanos).orElse(0L));
        }
    }

    private final String id;
    private final Unit unit;
    private final ToDoubleBiFunction<Origin, RequestOutcome> value;

    RequestColumn(String id, Unit unit, ToDoubleBiFunction<Origin, RequestOutcome> value) {
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
    double of(Origin run, RequestOutcome request) {
        return value.applyAsDouble(run, request);
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
        return Arrays.stream(values()).filter(column -> column.id.equals(id.toLowerCase(Locale.ROOT))).findFirst();
    }

    /// All names.
    public static List<String> ids() {
        return Arrays.stream(values()).map(RequestColumn::id).toList();
    }
}
