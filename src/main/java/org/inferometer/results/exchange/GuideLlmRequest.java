package org.inferometer.results.exchange;

import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.results.ResultFormatException;
import org.inferometer.workload.RequestId;

/// One request of a GuideLLM file of any version; instants are seconds of the wall clock.
///
/// New versions have `info.timings` with `first_token_iteration`, some with `first_iteration`. Older ones have
/// `scheduler_info.request_timings`. Versions 0.2 and 0.3 have `start_time`, `first_token_time`, `last_token_time` and `end_time` in the request.
final class GuideLlmRequest {
    private final ForeignFields entry;
    private final String group;
    private final RequestStatus status;
    private final Stamp intended;
    private final Stamp sent;
    private final Stamp first;
    private final Stamp last;
    private final Stamp end;
    private final String pieces;

    /// An instant by its name; old versions write −1 or 0 if absent.
    private record Stamp(ForeignFields in, String name) {
        OptionalDouble seconds() {
            OptionalDouble seconds = in.number(name);
            return seconds.isPresent() && seconds.getAsDouble() <= 0 ? OptionalDouble.empty() : seconds;
        }

        long nanos(double anchor) throws ResultFormatException {
            OptionalDouble seconds = seconds();
            return seconds.isEmpty() ? RequestOutcome.ABSENT
                    : in.nanos(name, seconds.getAsDouble() - anchor, Summary.SECONDS);
        }
    }

    /// @param group its list in the file: "successful"
    /// @param status the status of that list
    GuideLlmRequest(ForeignFields entry, String group, RequestStatus status) {
        this.entry = entry;
        this.group = group;
        this.status = status;
        ForeignFields scheduler = entry.object("scheduler_info");
        boolean between = !entry.has("info") && scheduler.has("request_timings");
        if (entry.has("info") || between) {
            ForeignFields timings =
                    between ? scheduler.object("request_timings") : entry.object("info").object("timings");
            boolean older = timings.has("first_iteration");
            this.intended = new Stamp(between ? scheduler.object("scheduler_timings") : timings, "targeted_start");
            this.sent = new Stamp(timings, "request_start");
            this.first = new Stamp(timings, older ? "first_iteration" : "first_token_iteration");
            this.last = new Stamp(timings, older ? "last_iteration" : "last_token_iteration");
            this.end = new Stamp(timings, "request_end");
            this.pieces = older ? "iterations" : "token_iterations";
        } else {
            this.intended = new Stamp(scheduler, "targeted_start_time");
            this.sent = new Stamp(entry, "start_time");
            this.first = new Stamp(entry, "first_token_time");
            this.last = new Stamp(entry, "last_token_time");
            this.end = new Stamp(entry, "end_time");
            this.pieces = "iterations";
        }
    }

    /// Its start, or else its end, by the file's clock; infinite if neither is recorded.
    double earliestSeconds() {
        double begun = earliest(intended, sent);
        return Double.isFinite(begun) ? begun : earliest(end);
    }

    /// Whether it was sent in a time of the file's clock; true if its sending was not recorded.
    boolean isSentWithin(double from, double to) {
        double at = sent.seconds().orElse(from);
        return at >= from && at <= to;
    }

    private static double earliest(Stamp... stamps) {
        return Stream.of(stamps).map(Stamp::seconds).flatMapToDouble(OptionalDouble::stream).min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /// The request in our terms.
    ///
    /// @param anchor seconds of the file's clock at instant 0
    RequestOutcome outcome(int number, double anchor, boolean warmUp) throws ResultFormatException {
        long sentNanos = sent.nanos(anchor);
        long firstNanos = first.nanos(anchor);
        long lastNanos = last.nanos(anchor) == RequestOutcome.ABSENT ? firstNanos : last.nanos(anchor);
        long endNanos = end.nanos(anchor);
        boolean streamed = firstNanos != RequestOutcome.ABSENT && lastNanos >= firstNanos;
        if (status == RequestStatus.OK && !streamed && endNanos == RequestOutcome.ABSENT) {
            throw entry.file().fault("a " + group
                    + " request has no known field for its tokens or its end. This version of GuideLLM is not supported.");
        }
        int counted = tokens("output_metrics", "output_tokens");
        int output = streamed ? Math.max(1, counted > 0 ? counted : first.in().count(pieces, 1))
                : status == RequestStatus.OK ? counted
                : 0;
        long ended = endNanos != RequestOutcome.ABSENT ? endNanos : Math.max(sentNanos, lastNanos);
        long[] instants = !streamed ? new long[0] : lastNanos > firstNanos ? new long[]{firstNanos, lastNanos}
                : new long[]{firstNanos};
        return new RequestOutcome(new RequestId(number), warmUp, tokens("input_metrics", "prompt_tokens"), output,
                intended.nanos(anchor), sentNanos, RequestOutcome.ABSENT, RequestOutcome.ABSENT,
                ended == RequestOutcome.ABSENT ? 0 : ended, status, reason(), instants, output,
                counted > 0 ? TokenSource.SERVER_USAGE : TokenSource.CHUNKS);
    }

    private int tokens(String metrics, String before) throws ResultFormatException {
        ForeignFields counts = entry.object(metrics);
        return entry.has(metrics) ? counts.count("total_tokens", counts.count("text_tokens", 0))
                : entry.count(before, 0);
    }

    private String reason() {
        String otherwise = "GuideLLM status: " + entry.text("status", "not successful") + ".";
        String error = entry.object("info").text("error",
                entry.object("scheduler_info").text("error", entry.text("error", otherwise)));
        return status == RequestStatus.OK ? "" : error;
    }
}
