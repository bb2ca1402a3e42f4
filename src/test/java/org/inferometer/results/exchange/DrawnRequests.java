package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;

/// Random requests of every kind that a record can hold.
final class DrawnRequests {
    /// What a request may have been; those up to [#UNCOUNTED] ended ok.
    enum Kind {
        EVERY_TOKEN, CHUNKS, ENDS_ONLY, WHOLE, UNCOUNTED, BROKEN_OFF, NEVER_ANSWERED, NEVER_SENT
    }

    /// Reasons, and what is left of each where only the last line is kept.
    static final Map<String, String> LAST_LINES = Map.of("it broke \"badly\"", "it broke \"badly\"",
            "Traceback\n  File x\nrefused: 7 < 8\n", "refused: 7 < 8", "säumig\tund\u0007 laut", "säumig und laut");
    /// The same where they are put on one line.
    static final Map<String, String> ONE_LINES =
            Map.of("it broke \"badly\"", "it broke \"badly\"", "Traceback\n  File x\nrefused: 7 < 8\n",
                    "Traceback File x refused: 7 < 8", "säumig\tund\u0007 laut", "säumig und laut");

    private final RandomGenerator random;
    private final List<Kind> kinds;
    private final boolean intendedKnown;
    private final boolean clockJumps;

    private DrawnRequests(long seed, List<Kind> kinds) {
        this.random = new Seed(seed).generator();
        this.kinds = kinds;
        this.intendedKnown = random.nextInt(4) > 0;
        this.clockJumps = random.nextInt(6) == 0;
    }

    /// Requests of some kinds, in no order of time, a few of the warm-up.
    static List<RequestOutcome> of(long seed, int requests, Kind... kinds) {
        DrawnRequests drawn = new DrawnRequests(seed, List.of(kinds));
        List<RequestOutcome> all = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            all.add(drawn.request(i));
        }
        return all;
    }

    private RequestOutcome request(int id) {
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        long sent = 5_000_000_000L + random.nextLong(60_000_000_000L);
        long late = random.nextInt(3) == 0 ? 0 : random.nextLong(2_000_000);
        long intended = intendedKnown ? clockJumps && random.nextInt(3) == 0 ? sent + late : sent - late
                : RequestOutcome.ABSENT;
        long[] tokens = tokens(kind, sent);
        long end = (tokens.length == 0 ? sent + random.nextLong(1, 900_000_000) : tokens[tokens.length - 1])
                + random.nextLong(3) * 100_000;
        boolean ok = kind.ordinal() <= Kind.UNCOUNTED.ordinal();
        RequestStatus status = ok ? RequestStatus.OK : kind == Kind.NEVER_SENT ? RequestStatus.CANCELLED
                : List.of(RequestStatus.FAILED, RequestStatus.CANCELLED, RequestStatus.TIMED_OUT, RequestStatus.REFUSED)
                        .get(random.nextInt(4));
        boolean split = kind == Kind.CHUNKS && random.nextBoolean();
        int[] each = new int[split ? tokens.length : 0];
        Arrays.setAll(each, event -> random.nextInt(1, 5));
        int output = switch (kind) {
            case EVERY_TOKEN -> tokens.length;
            case CHUNKS ->
                split ? Arrays.stream(each).sum() : tokens.length == 2 ? 2 : tokens.length + random.nextInt(9);
            case BROKEN_OFF -> tokens.length + random.nextInt(9);
            case ENDS_ONLY -> random.nextInt(3, 400);
            case WHOLE -> random.nextInt(1, 400);
            case UNCOUNTED, NEVER_ANSWERED, NEVER_SENT -> 0;
        };
        boolean unsent = kind == Kind.NEVER_SENT;
        return new RequestOutcome(new RequestId(id), random.nextInt(12) == 0, random.nextInt(1, 4000),
                output + random.nextInt(3), unsent ? RequestOutcome.ABSENT : intended,
                unsent ? RequestOutcome.ABSENT : sent, RequestOutcome.ABSENT, RequestOutcome.ABSENT, end, status,
                ok || random.nextInt(4) == 0
                        ? "" : List.copyOf(LAST_LINES.keySet()).get(random.nextInt(LAST_LINES.size())),
                tokens, each, output,
                kind == Kind.EVERY_TOKEN ? TokenSource.ENGINE
                        : kind == Kind.ENDS_ONLY && random.nextBoolean() ? TokenSource.PROFILE
                        : TokenSource.SERVER_USAGE,
                0);
    }

    /// Gaps are nothing, or longer than the microsecond that GuideLLM's clock resolves. Files write 0 for the first token where there is none.
    private long[] tokens(Kind kind, long sent) {
        int count = switch (kind) {
            case EVERY_TOKEN, CHUNKS, BROKEN_OFF -> random.nextInt(1, 9);
            case ENDS_ONLY -> 2;
            case WHOLE, UNCOUNTED, NEVER_ANSWERED, NEVER_SENT -> 0;
        };
        long[] tokens = new long[count];
        long at = sent + random.nextLong(2_000, 90_000_000);
        for (int i = 0; i < count; i++) {
            tokens[i] = at;
            at += kind != Kind.ENDS_ONLY && random.nextInt(4) == 0 ? 0 : random.nextLong(2_000, 90_000_000);
        }
        return tokens;
    }
}
