package org.inferometer.results;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.measurement.RequestOutcome;
import org.inferometer.serving.RequestStatus;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// `requests.csv`: one row a request, in the order in which requests ended; token instants are in `tokens.bin`.
final class RequestRows {
    static final String FILE = "requests.csv";
    static final long MAX_ROWS = 20_000_000;
    static final List<String> COLUMNS = List.of(
            "request", "warm_up", "prompt_tokens", "asked_output_tokens", "intended_ns", "sent_ns", "admitted_ns", "prefill_start_ns",
            "end_ns", "status", "reason", "output_tokens");

    private static final long[] NO_TOKENS = {};

    private RequestRows() {}

    static void write(CsvWriter out, RequestOutcome request) throws IOException {
        out.number(request.id().index());
        out.number(request.warmUp() ? 1 : 0);
        out.number(request.promptTokens());
        out.number(request.askedOutputTokens());
        instant(out, request.intendedNanos());
        instant(out, request.sentNanos());
        instant(out, request.admittedNanos());
        instant(out, request.prefillStartNanos());
        instant(out, request.endNanos());
        out.text(request.status().word());
        out.text(request.reason());
        out.number(request.outputTokens());
        out.endRow();
    }

    /// The current row, or null when its token instants did not reach the disk.
    static @Nullable RequestOutcome read(CsvReader in, Map<Integer, long[]> tokens) throws ResultFormatException {
        int request = in.count(0);
        int outputTokens = in.count(11);
        long[] instants = outputTokens == 0 ? NO_TOKENS : tokens.get(request);
        RequestStatus status = status(in);
        if (instants != null && instants.length != outputTokens) {
            throw in.fault("request " + request + " has " + outputTokens + " output tokens here and " + instants.length + " in tokens.bin.");
        }
        RequestOutcome outcome = new RequestOutcome(
                new RequestId(request), in.number(1, 0, 1) == 1, in.count(2), in.count(3), in.instant(4), in.instant(5), in.instant(6),
                in.instant(7), in.instant(8), status, in.text(10), instants == null ? NO_TOKENS : instants);
        return instants == null ? null : outcome;
    }

    private static RequestStatus status(CsvReader in) throws ResultFormatException {
        String word = in.text(9);
        try {
            RequestStatus status = RequestStatus.valueOf(word.toUpperCase(Locale.ROOT));
            if (status.word().equals(word)) {
                return status;
            }
        } catch (IllegalArgumentException e) {
            throw in.fault("\"" + CsvReader.shortened(word) + "\" is no request status.");
        }
        throw in.fault("\"" + CsvReader.shortened(word) + "\" is no request status.");
    }

    private static void instant(CsvWriter out, long nanos) {
        if (nanos == RequestOutcome.ABSENT) {
            out.absent();
        } else {
            out.number(nanos);
        }
    }
}
