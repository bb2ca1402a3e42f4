package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.results.exchange.DrawnRequests.Kind;
import org.inferometer.workload.RequestId;

/// Requests of every kind, written as another tool's file and read again: what the file can hold comes back, and nothing else.
class RoundTripProperties {
    private static final long ABSENT = RequestOutcome.ABSENT;
    private Path folder = Path.of("");

    @BeforeProperty
    void make() throws IOException {
        folder = Files.createTempDirectory("exchange");
    }

    @AfterProperty
    void delete() throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private static List<RequestOutcome> sent(List<RequestOutcome> requests) {
        return requests.stream().filter(request -> !request.warmUp() && request.sentNanos() != ABSENT).toList();
    }

    private static String reason(RequestOutcome request, Map<String, String> kept) {
        return request.ok() ? "" : request.reason().isEmpty() ? request.status().id() : kept.get(request.reason());
    }

    private static long less(long instant, long anchor) {
        return instant == ABSENT ? ABSENT : instant - anchor;
    }

    private static RequestOutcome outcome(int id, RequestOutcome from, long intended, long sent, long end,
            RequestStatus status, String reason, long[] events, int[] split, int output, TokenSource source) {
        return new RequestOutcome(new RequestId(id), false, from.promptTokens(), output, intended, sent, ABSENT, ABSENT,
                end, status, reason, events, split, output, source, 0);
    }

    /// The tokens of events in a file that has their sum only.
    private static int[] sumOnly(RequestOutcome request) {
        return new int[!request.ok() || request.endsOnly() || request.eventNanos().length == request.outputTokens() ? 0
                : request.eventNanos().length];
    }

    /// vLLM's client knows ok and not, each chunk of an ok answer, and when a request was to be sent.
    @Property(tries = 150)
    void vllmsFileHoldsWhatWasSentWithEveryChunkOfTheAnswered(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 14) int requests) throws IOException {
        List<RequestOutcome> before = DrawnRequests.of(seed, requests, Kind.EVERY_TOKEN, Kind.CHUNKS, Kind.BROKEN_OFF,
                Kind.NEVER_ANSWERED, Kind.NEVER_SENT);
        List<RequestOutcome> sent = sent(before);
        Assume.that(!sent.isEmpty());
        boolean placed = sent.stream().allMatch(
                request -> request.intendedNanos() != ABSENT && request.intendedNanos() <= request.sentNanos());
        long anchor = sent.stream().mapToLong(request -> placed ? request.intendedNanos() : request.sentNanos()).min()
                .orElseThrow();
        List<RequestOutcome> expected = new ArrayList<>();
        for (RequestOutcome each : sent) {
            long[] tokens = each.ok() ? LongStream.of(each.eventNanos()).map(at -> at - anchor).toArray() : new long[0];
            long at = each.sentNanos() - anchor;
            int output = each.ok() ? each.outputTokens() : 0;
            expected.add(outcome(expected.size(), each, placed ? each.intendedNanos() - anchor : ABSENT, at,
                    tokens.length == 0 ? at : tokens[tokens.length - 1],
                    each.ok() ? RequestStatus.OK : RequestStatus.FAILED, reason(each, DrawnRequests.LAST_LINES), tokens,
                    sumOnly(each), output, TokenSource.SERVER_USAGE));
        }
        assertThat(RoundTrip.of(folder, "vllm", before)).usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(expected);
    }

    /// AIPerf's records know who was cancelled, the end of each request, and answers that were not streamed; not when one was to be sent.
    @Property(tries = 150)
    void aiperfsRecordsHoldWhatWasSentWithItsEnd(@ForAll long seed, @ForAll @IntRange(min = 1, max = 14) int requests)
            throws IOException {
        List<RequestOutcome> before = DrawnRequests.of(seed, requests, Kind.values());
        List<RequestOutcome> sent = sent(before);
        Assume.that(!sent.isEmpty());
        long anchor = sent.stream().mapToLong(RequestOutcome::sentNanos).min().orElseThrow();
        List<RequestOutcome> expected = new ArrayList<>();
        for (RequestOutcome each : sent) {
            long[] tokens = each.ok() ? LongStream.of(each.eventNanos()).map(at -> at - anchor).toArray() : new long[0];
            RequestStatus status =
                    each.ok() || each.status() == RequestStatus.CANCELLED ? each.status() : RequestStatus.FAILED;
            int output = each.ok() ? each.outputTokens() : 0;
            expected.add(outcome(expected.size(), each, ABSENT, each.sentNanos() - anchor, each.endNanos() - anchor,
                    status, reason(each, DrawnRequests.LAST_LINES), tokens, sumOnly(each), output,
                    TokenSource.CLIENT_TOKENIZER));
        }
        assertThat(RoundTrip.of(folder, "aiperf", before)).usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(expected);
    }

    /// GuideLLM's file lists requests by how they ended, unsent ones too, each with its outermost tokens, on a wall clock.
    @Property(tries = 150)
    void guideLlmsFileHoldsEveryRequestWithItsOutermostTokens(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 14) int requests) throws IOException {
        List<RequestOutcome> before = DrawnRequests.of(seed, requests, Kind.values());
        Assume.that(!sent(before).isEmpty());
        List<RequestOutcome> measured = before.stream().filter(request -> !request.warmUp()).toList();
        long anchor = measured.stream().mapToLong(RoundTripProperties::earliest).min().orElseThrow();
        Predicate<RequestOutcome> cancelled = request -> request.status() == RequestStatus.CANCELLED;
        List<RequestOutcome> listed = Stream
                .of(RequestOutcome::ok, cancelled,
                        (Predicate<RequestOutcome>) request -> !request.ok() && !cancelled.test(request))
                .flatMap(group -> measured.stream().filter(group)).toList();
        List<RequestOutcome> expected = new ArrayList<>();
        for (RequestOutcome each : listed) {
            long first = each.firstTokenNanos();
            long last = each.eventNanos().length == 0 ? ABSENT : each.lastTokenNanos();
            long[] tokens =
                    LongStream.of(first, last).filter(at -> at != ABSENT).distinct().map(at -> at - anchor).toArray();
            RequestStatus status = each.ok() || cancelled.test(each) ? each.status() : RequestStatus.FAILED;
            expected.add(outcome(expected.size(), each, less(each.intendedNanos(), anchor),
                    less(each.sentNanos(), anchor), each.endNanos() - anchor, status,
                    reason(each, DrawnRequests.ONE_LINES), tokens, new int[0], each.outputTokens(),
                    each.outputTokens() > 0 ? TokenSource.SERVER_USAGE : TokenSource.CHUNKS));
        }
        List<RequestOutcome> after = RoundTrip.of(folder, "guidellm", before);
        assertThat(after.stream().map(RoundTripProperties::withoutTimes).toList())
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(expected.stream().map(RoundTripProperties::withoutTimes).toList());
        long[] is = after.stream().flatMapToLong(RoundTripProperties::times).toArray();
        long[] was = expected.stream().flatMapToLong(RoundTripProperties::times).toArray();
        for (int i = 0; i < was.length; i++) {
            assertThat(is[i]).isCloseTo(was[i], within(1000L));
        }
    }

    private static long earliest(RequestOutcome request) {
        return LongStream.of(request.intendedNanos(), request.sentNanos()).filter(nanos -> nanos != ABSENT).min()
                .orElse(request.endNanos());
    }

    /// Known instants become 0.
    private static RequestOutcome withoutTimes(RequestOutcome request) {
        return outcome(request.id().index(), request, request.intendedNanos() == ABSENT ? ABSENT : 0,
                request.sentNanos() == ABSENT ? ABSENT : 0, 0, request.status(), request.reason(),
                new long[request.eventNanos().length], request.eventTokens(), request.outputTokens(), request.source());
    }

    private static LongStream times(RequestOutcome request) {
        return LongStream.concat(LongStream.of(request.intendedNanos(), request.sentNanos(), request.endNanos()),
                LongStream.of(request.eventNanos())).filter(nanos -> nanos != ABSENT);
    }

    /// Whatever a record holds: its file is read back and gives figures that are numbers, or the export says in one sentence why there is none.
    /// Where the clock jumped, what counts from the intended instant is short by as much: by 2 ms at most.
    @Property(tries = 300)
    void everyExportIsReadAgainOrRefusedWithOneSentence(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 14) int requests) throws IOException {
        List<RequestOutcome> before = DrawnRequests.of(seed, requests, Kind.values());
        for (ForeignFormat format : List.of(VllmFormat.FORMAT, SglangFormat.FORMAT, AiperfFormat.FORMAT,
                GuideLlmFormat.FORMAT, TrtllmBenchFormat.FORMAT)) {
            String text;
            try {
                text = Exporter.of(RoundTrip.run(before), format.id());
            } catch (IllegalArgumentException refused) {
                assertThat(refused).message().contains("run-000").endsWith(".").doesNotContain("\n");
                continue;
            }
            Path file = folder.resolve(format.id() + ".json");
            Files.writeString(file, text);
            ForeignFile foreign = ForeignFile.read(file);
            assertThat(format.fits(foreign)).as(format.id()).isTrue();
            ForeignRun run = format.read(foreign).getFirst();
            Stream.concat(run.figures().stream(), RunFigures.of(RoundTrip.observed(run.requests())).stream())
                    .forEach(figure -> assertThat(figure.value()).as(format.id() + " " + figure.metric().id())
                            .isFinite().isGreaterThanOrEqualTo(
                                    figure.metric().id().matches("(send_lateness|ttft|e2e)_.*") ? -2.01e6 : 0));
        }
    }
}
