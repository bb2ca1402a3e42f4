package org.inferometer.results;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.inferometer.record.EventPages;
import org.inferometer.record.RequestColumnsBuilder;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// `requests.csv`: one row per request, in the order of their ends; the events with output are in `tokens.bin`. One object per file.
final class RequestRows {
    static final long MAX_ROWS = 20_000_000;
    static final List<String> COLUMNS = List.of("request", "warm_up", "prompt_tokens", "asked_output_tokens",
            "intended_ns", "sent_ns", "admitted_ns", "prefill_start_ns", "end_ns", "status", "reason", "output_tokens",
            "output_instants", "token_source", "asked_prompt_tokens");
    /// Columns that every record of this format has; records written before a later column lack it.
    static final int FIRST_COLUMNS = 14;
    private static final long[] NO_EVENTS = {};
    private static final int[] NO_TOKENS = {};

    private final Constants<RequestStatus> statuses =
            new Constants<>(RequestStatus.values(), RequestStatus::id, "request status");
    private final Constants<TokenSource> sources =
            new Constants<>(TokenSource.values(), TokenSource::id, "source of a token count");

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
        out.text(request.status().id());
        out.text(request.reason());
        out.number(request.outputTokens());
        out.number(request.eventNanos().length);
        out.text(request.source().id());
        out.number(request.askedPromptTokens());
        out.endRow();
    }

    /// A builder for rows that are read with these tokens.
    static RequestColumnsBuilder builder(TokenReader.Tokens tokens) {
        return tokens.version() > 1 ? new RequestColumnsBuilder(tokens.pages()) : new RequestColumnsBuilder();
    }

    /// Adds the current row; false if its token instants are missing.
    boolean read(CsvReader in, TokenReader.Tokens tokens, RequestColumnsBuilder into) throws ResultFormatException {
        int request = in.count(0);
        int outputTokens = in.count(11);
        int arrivals = in.count(12);
        int place = arrivals == 0 ? EventPages.NONE : tokens.of(request);
        RequestStatus status = statuses.read(in, 9);
        TokenSource source = sources.read(in, 13);
        if (arrivals > 0 && place == EventPages.NONE) {
            return false;
        }
        EventPages events = tokens.pages();
        if (events.count(place) != arrivals) {
            throw in.fault("request " + request + " has " + arrivals + " token instants in requests.csv and "
                    + events.count(place) + " in tokens.bin.");
        }
        boolean repeats = tokens.version() == 1 && source != TokenSource.ENGINE && arrivals == outputTokens;
        long split = events.hasTokens(place) ? Arrays.stream(events.tokens(place)).asLongStream().sum()
                : RequestOutcome.NOT_KNOWN;
        if (split != RequestOutcome.NOT_KNOWN && split != outputTokens) {
            throw in.fault("request " + request + " has " + outputTokens + " output tokens in requests.csv and " + split
                    + " in tokens.bin.");
        }
        RequestOutcome read = new RequestOutcome(new RequestId(request), in.number(1, 0, 1) == 1, in.count(2),
                in.count(3), in.instant(4), in.instant(5), in.instant(6), in.instant(7), in.instant(8), status,
                in.text(10), NO_EVENTS, NO_TOKENS, outputTokens, source, in.isAbsent(14) ? 0 : in.count(14));
        if (tokens.version() > 1) {
            into.add(read, place);
        } else {
            long[] nanos = events.nanos(place);
            into.add(repeats ? together(read, nanos) : read.withEvents(nanos, NO_TOKENS));
        }
        return true;
    }

    /// With tokens of one instant as one event: version 1 repeated the instant of an event for each of its tokens.
    private static RequestOutcome together(RequestOutcome request, long[] tokenNanos) {
        long[] nanos = new long[tokenNanos.length];
        int[] tokens = new int[tokenNanos.length];
        int n = 0;
        for (long token : tokenNanos) {
            if (n == 0 || nanos[n - 1] != token) {
                nanos[n++] = token;
            }
            tokens[n - 1]++;
        }
        return request.withEvents(Arrays.copyOf(nanos, n), Arrays.copyOf(tokens, n));
    }

    /// Parses constants of an enumeration; caches the last, which the next row mostly repeats.
    private static final class Constants<E> {
        private final E[] constants;
        private final Function<E, String> id;
        private final String noun;
        private String lastText = "";
        private @Nullable E last;

        Constants(E[] constants, Function<E, String> id, String noun) {
            this.constants = constants;
            this.id = id;
            this.noun = noun;
        }

        E read(CsvReader in, int column) throws ResultFormatException {
            String text = in.text(column);
            if (last != null && text.equals(lastText)) {
                return last;
            }
            for (E constant : constants) {
                if (id.apply(constant).equals(text)) {
                    lastText = text;
                    last = constant;
                    return constant;
                }
            }
            throw in.fault("\"" + CsvReader.shortened(text) + "\" is no " + noun + ".");
        }
    }

    private static void instant(CsvWriter out, long nanos) {
        if (nanos == RequestOutcome.ABSENT) {
            out.absent();
        } else {
            out.number(nanos);
        }
    }
}
