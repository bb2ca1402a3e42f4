package org.inferometer.load;

import java.util.Arrays;
import java.util.function.Consumer;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.target.RequestListener;
import org.inferometer.target.RequestListener.TokenCounts;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// Records the instants of the requests of a phase. Memory for requests drawn before the phase is allocated before it.
///
/// The load generator registers a request before it is sent; all other calls come from the target's thread. An ended
/// request is passed on as one outcome and removed.
public final class RequestRecorder implements RequestListener {
    private static final int CHUNK = 1 << 10;
    private static final long[] NO_TOKENS = {};
    private static final int[] ONE_EACH = {};

    private final boolean warmUp;
    private final int firstId;
    private final LiveCounters counters;
    private final Consumer<RequestOutcome> whenEnded;
    // [chunks][CHUNK] by index. The generator's thread adds entries; sending a request publishes its entry.
    private @Nullable PendingRequest[][] inFlight = new PendingRequest[0][];

    private final @Nullable RequestTexts texts;

    /// One request in flight.
    private static final class PendingRequest {
        private final Request asked;
        private long intendedNanos = RequestOutcome.ABSENT;
        private long sentNanos = RequestOutcome.ABSENT;
        private long admittedNanos = RequestOutcome.ABSENT;
        private long prefillStartNanos = RequestOutcome.ABSENT;
        private long[] eventNanos;
        private int[] eventTokens = ONE_EACH; // while every event holds one token
        private int[] eventAnswers = ONE_EACH; // with one answer
        private int events;
        private int tokens;
        private int liveTokens; // counted in live frames
        private @Nullable TokenCounts counted;
        private String prompt = "";
        private @Nullable StringBuilder answer; // kept with texts only
        private int[] answerIds = ONE_EACH; // kept with texts only

        private PendingRequest(Request asked) {
            this.asked = asked;
            this.eventNanos = new long[asked.outputTokens()];
        }

        /// Adds an event and returns its index. More tokens than requested are recorded for the verdict.
        private int event(long nanos, int count, int answer) {
            if (events == eventNanos.length) {
                eventNanos = Arrays.copyOf(eventNanos, Math.max(16, 2 * events));
            }
            eventNanos[events] = nanos;
            if (count != 1 && eventTokens.length == 0) {
                eventTokens = new int[eventNanos.length];
                Arrays.fill(eventTokens, 0, events, 1);
            }
            if (eventTokens.length > 0) {
                if (events >= eventTokens.length) {
                    eventTokens = Arrays.copyOf(eventTokens, eventNanos.length);
                }
                eventTokens[events] = count;
            }
            if (asked.sampling().answers() > 1) {
                eventAnswers =
                        events < eventAnswers.length ? eventAnswers : Arrays.copyOf(eventAnswers, eventNanos.length);
                eventAnswers[events] = answer;
            }
            tokens += count;
            return events++;
        }

        private void append(String part) {
            StringBuilder parts = answer == null ? new StringBuilder() : answer;
            answer = parts.append(part);
        }

        private void keep(int[] ids) {
            int before = tokens;
            if (before + ids.length > answerIds.length) {
                answerIds = Arrays.copyOf(answerIds, Math.max(before + ids.length, 2 * answerIds.length));
            }
            System.arraycopy(ids, 0, answerIds, before, ids.length);
        }

        /// The tokens of each event. They are not known if a final count differs from what was reported.
        private int[] split() {
            TokenCounts total = counted;
            if (total != null && total.outputTokens() != tokens) {
                return total.source() == TokenSource.PROFILE ? ONE_EACH : new int[events];
            }
            return Arrays.copyOf(eventTokens, Math.min(events, eventTokens.length));
        }
    }

    /// A recorder that keeps no text.
    public RequestRecorder(RunPhase phase, LiveCounters counters, Consumer<RequestOutcome> whenEnded) {
        this(phase, counters, whenEnded, null);
    }

    /// @param texts takes prompts and answers; absent if they are not kept
    public RequestRecorder(RunPhase phase, LiveCounters counters, Consumer<RequestOutcome> whenEnded,
            @Nullable RequestTexts texts) {
        this.texts = texts;
        this.warmUp = phase.phase() == Phase.WARM_UP;
        this.firstId = phase.firstId();
        this.counters = counters;
        this.whenEnded = whenEnded;
        phase.requests().forEach(this::entry);
    }

    /// Called by the load generator immediately before sending.
    void sending(Request request, long intended, long sent) {
        PendingRequest entry = entry(request);
        entry.intendedNanos = intended;
        entry.sentNanos = sent;
        counters.requestSent(sent - intended);
    }

    /// Called by the load generator for a request that is not sent.
    void notSent(Request request, long nanos, RequestStatus status, String reason) {
        counters.requestNotSent();
        forget(request.id());
        whenEnded.accept(new RequestOutcome(request.id(), warmUp, request.promptTokens().length,
                request.allOutputTokens(), RequestOutcome.ABSENT, RequestOutcome.ABSENT, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, nanos, status, reason, NO_TOKENS));
    }

    @Override
    public void departed(RequestId id, long nanos) {
        PendingRequest entry = find(id);
        if (entry != null) {
            entry.sentNanos = nanos;
        }
    }

    @Override
    public void admitted(RequestId id, long nanos) {
        PendingRequest entry = find(id);
        if (entry != null) {
            entry.admittedNanos = nanos;
        }
    }

    @Override
    public void prefillStarted(RequestId id, long nanos) {
        PendingRequest entry = find(id);
        if (entry != null) {
            entry.prefillStartNanos = nanos;
        }
    }

    @Override
    public void tokens(RequestId id, long nanos, int[] tokens) {
        tokens(id, nanos, tokens, 0);
    }

    @Override
    public void tokens(RequestId id, long nanos, int[] tokens, int answer) {
        PendingRequest entry = find(id);
        if (entry == null) {
            return;
        }
        if (texts != null) {
            entry.keep(tokens);
        }
        int event = entry.event(nanos, tokens.length, answer);
        if (event == 0) {
            counters.firstToken(nanos - entry.intendedNanos, entry.asked.promptTokens().length);
        } else if (entry.eventTokens.length == 0 && entry.eventAnswers.length == 0
                && (entry.counted == null || entry.counted.source() != TokenSource.PROFILE)) {
            counters.gap(nanos - entry.eventNanos[event - 1]);
        }
        tell(entry, entry.tokens);
    }

    @Override
    public void prompt(RequestId id, String text) {
        PendingRequest entry = find(id);
        if (entry != null && texts != null) {
            entry.prompt = text;
        }
    }

    @Override
    public void text(RequestId id, String part) {
        PendingRequest entry = find(id);
        if (entry != null && texts != null) {
            entry.append(part);
        }
    }

    @Override
    public void counted(RequestId id, TokenCounts counted) {
        PendingRequest entry = find(id);
        if (entry != null) {
            entry.counted = counted;
            tell(entry, counted.outputTokens());
        }
    }

    /// Adds counted tokens that have no instant of their own to the live counters.
    private void tell(PendingRequest entry, int outputTokens) {
        if (outputTokens > entry.liveTokens) {
            counters.tokens(outputTokens - entry.liveTokens);
            entry.liveTokens = outputTokens;
        }
    }

    @Override
    public void ended(RequestId id, long nanos, RequestStatus status, String reason) {
        PendingRequest entry = find(id);
        if (entry == null) {
            return;
        }
        forget(id);
        counters.requestEnded();
        Request asked = entry.asked;
        if (texts != null && !warmUp) {
            texts.ended(asked, nanos, entry.prompt, Arrays.copyOf(entry.answerIds, entry.tokens),
                    entry.answer == null ? "" : entry.answer.toString());
        }
        TokenCounts counted = entry.counted;
        // The target reports only a cancellation, not its reason.
        RequestDeadlines.Cause cause = status == RequestStatus.CANCELLED
                ? asked.deadlines().cause(nanos - entry.sentNanos) : RequestDeadlines.Cause.NONE;
        whenEnded.accept(
                new RequestOutcome(id, warmUp, counted == null ? asked.promptTokens().length : counted.promptTokens(),
                        asked.allOutputTokens(), entry.intendedNanos, entry.sentNanos, entry.admittedNanos,
                        entry.prefillStartNanos, nanos, status(cause, status), reason(cause, asked.deadlines(), reason),
                        entry.events == entry.eventNanos.length ? entry.eventNanos
                                : Arrays.copyOf(entry.eventNanos, entry.events),
                        entry.split(), counted == null ? entry.tokens : counted.outputTokens(),
                        counted == null ? TokenSource.ENGINE : counted.source(),
                        counted == null || counted.drawnPrompt() ? asked.promptTokens().length : 0,
                        Arrays.copyOf(entry.eventAnswers, Math.min(entry.events, entry.eventAnswers.length))));
    }

    private static RequestStatus status(RequestDeadlines.Cause cause, RequestStatus otherwise) {
        return switch (cause) {
            case NONE -> otherwise;
            case TIMEOUT -> RequestStatus.TIMED_OUT;
            case GAVE_UP -> RequestStatus.GAVE_UP;
        };
    }

    private static String reason(RequestDeadlines.Cause cause, RequestDeadlines patience, String otherwise) {
        return switch (cause) {
            case NONE -> otherwise;
            case TIMEOUT -> "Timed out after " + QuantityText.latency(patience.timeoutNanos()) + ".";
            case GAVE_UP -> "The user gave up after " + QuantityText.latency(patience.cancelAfterNanos()) + ".";
        };
    }

    /// The entry of a request, created if missing; on the generator's thread.
    private PendingRequest entry(Request request) {
        int index = request.id().index() - firstId;
        int chunk = index / CHUNK;
        if (chunk >= inFlight.length) {
            @Nullable PendingRequest[][] grown = Arrays.copyOf(inFlight, Math.max(chunk + 1, 2 * inFlight.length));
            for (int i = inFlight.length; i < grown.length; i++) {
                grown[i] = new PendingRequest[CHUNK];
            }
            inFlight = grown;
        }
        PendingRequest known = inFlight[chunk][index % CHUNK];
        PendingRequest entry = known == null ? new PendingRequest(request) : known;
        inFlight[chunk][index % CHUNK] = entry;
        return entry;
    }

    /// The entry of a request; null if it has ended or was not sent.
    private @Nullable PendingRequest find(RequestId id) {
        int index = id.index() - firstId;
        @Nullable PendingRequest[][] known = inFlight;
        return index < 0 || index / CHUNK >= known.length ? null : known[index / CHUNK][index % CHUNK];
    }

    private void forget(RequestId id) {
        int index = id.index() - firstId;
        inFlight[index / CHUNK][index % CHUNK] = null;
    }
}
