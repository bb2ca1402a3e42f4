package org.inferometer.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;

class RequestColumnsProperties {
    private static final int[] NONE = {};

    @Property(tries = 200)
    void columnsHoldTheRecords(@ForAll long seed, @ForAll @IntRange(max = 150) int count) {
        List<RequestOutcome> requests = requests(seed, count);
        RequestColumns columns = RequestColumns.of(requests);
        assertSame(columns, requests);
        assertThat(IntStream.range(0, count).mapToObj(i -> fields(columns, i)))
                .containsExactlyElementsOf(requests.stream().map(RequestColumnsProperties::fields).toList());
    }

    @Property(tries = 100)
    void partsJoinAndFilterAsLists(@ForAll long seed, @ForAll @IntRange(max = 60) int count) {
        List<RequestOutcome> requests = requests(seed, count);
        RequestColumns joined = RequestColumns.joined(List.of(RequestColumns.of(requests.subList(0, count / 3)),
                RequestColumns.of(requests.subList(count / 3, count))));
        assertSame(joined, requests);
        assertSame(joined.measured(), requests.stream().filter(request -> !request.warmUp()).toList());
        assertSame(joined.byNumber(),
                requests.stream().sorted(Comparator.comparingInt(request -> request.id().index())).toList());
        assertSame(joined.ascending(joined::endNanos),
                requests.stream().sorted(Comparator.comparingLong(RequestOutcome::endNanos)).toList());
    }

    @Property(tries = 50)
    void eventsKeepTheirTokens(@ForAll long seed) {
        List<RequestOutcome> requests = requests(seed, 40);
        List<Double> expected = new ArrayList<>();
        for (RequestOutcome request : requests) {
            for (int event = 0; event < request.eventNanos().length; event++) {
                expected.add((double) request.eventNanos()[event]);
                expected.add(request.tokensOf(event));
            }
        }
        List<Double> read = new ArrayList<>();
        RequestColumns.of(requests).forEachEvent((nanos, tokens) -> {
            read.add((double) nanos);
            read.add(tokens);
        });
        assertThat(read).isEqualTo(expected);
    }

    @Property(tries = 3)
    void manyRequestsFillSeveralBlocks(@ForAll long seed) {
        List<RequestOutcome> requests = requests(seed, 2 * RequestBlock.ROWS + 7);
        assertSame(RequestColumns.of(requests), requests);
    }

    private static void assertSame(List<RequestOutcome> columns, List<RequestOutcome> requests) {
        assertThat(columns.stream().map(RequestColumnsProperties::whole))
                .containsExactlyElementsOf(requests.stream().map(RequestColumnsProperties::whole).toList());
    }

    /// Every component; a record with arrays equals only itself.
    private static List<Object> whole(RequestOutcome request) {
        return List.of(request.withEvents(new long[0], NONE).toString().replaceAll("\\[[IJ]@\\w+", ""),
                Arrays.toString(request.eventNanos()), Arrays.toString(request.eventTokens()),
                Arrays.toString(request.eventAnswers()));
    }

    private static List<Object> fields(RequestOutcome request) {
        return List.of(request.id().index(), request.warmUp(), request.status(), request.reason(), request.ok(),
                request.promptTokens(), request.askedPromptTokens(), request.outputTokens(),
                request.askedOutputTokens(), request.intendedNanos(), request.sentNanos(), request.admittedNanos(),
                request.prefillStartNanos(), request.endNanos(), request.firstTokenNanos(), request.lastTokenNanos(),
                request.eventNanos().length, request.whole(), request.answered(), request.perChunk(),
                request.endsOnly(), request.tpotNanos(), Arrays.stream(request.gapNanos()).max());
    }

    private static List<Object> fields(RequestColumns requests, int i) {
        return List.of(requests.number(i), requests.warmUp(i), requests.status(i), requests.reason(i), requests.ok(i),
                requests.promptTokens(i), requests.askedPromptTokens(i), requests.outputTokens(i),
                requests.askedOutputTokens(i), requests.intendedNanos(i), requests.sentNanos(i),
                requests.admittedNanos(i), requests.prefillStartNanos(i), requests.endNanos(i),
                requests.firstTokenNanos(i), requests.lastTokenNanos(i), requests.events(i), requests.whole(i),
                requests.answered(i), requests.perChunk(i), requests.endsOnly(i), requests.tpotNanos(i),
                requests.longestGapNanos(i));
    }

    private static List<RequestOutcome> requests(long seed, int count) {
        RandomGenerator random = new Seed(seed).generator();
        int farthest = random.nextInt(62);
        return IntStream.range(0, count).mapToObj(i -> request(random, farthest)).toList();
    }

    private static RequestOutcome request(RandomGenerator random, int farthest) {
        long[] nanos = new long[random.nextInt(5) == 0 ? 0 : random.nextInt(1, 20)];
        long at = known(random, farthest);
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = at;
            at += random.nextLong(1L << random.nextInt(35));
        }
        int[] tokens = random.nextInt(3) > 0 ? NONE : random.ints(nanos.length, 1, 300).toArray();
        int output =
                tokens.length > 0 ? Arrays.stream(tokens).sum() : random.nextInt(2) * nanos.length + random.nextInt(3);
        int[] answers = random.nextInt(4) > 0 ? NONE : random.ints(nanos.length, -1, 3).toArray();
        RequestStatus[] statuses = RequestStatus.values();
        TokenSource[] sources = TokenSource.values();
        return new RequestOutcome(new RequestId(random.nextInt(random.nextBoolean() ? 200 : Integer.MAX_VALUE)),
                random.nextInt(4) == 0, random.nextInt(9), random.nextInt(9), instant(random, farthest),
                instant(random, farthest), instant(random, farthest), instant(random, farthest),
                instant(random, farthest), statuses[random.nextInt(3) == 0 ? random.nextInt(statuses.length) : 0],
                random.nextInt(4) == 0 ? "reason " + random.nextInt(3) : "", nanos, tokens, output,
                sources[random.nextInt(sources.length)], random.nextInt(9), answers);
    }

    /// Near the anchor or far from it, so that differences fit into 32 bits or not; sometimes absent.
    private static long instant(RandomGenerator random, int farthest) {
        return random.nextInt(8) == 0 ? RequestOutcome.ABSENT : known(random, farthest);
    }

    private static long known(RandomGenerator random, int farthest) {
        return random.nextLong(-(1L << farthest), (1L << farthest) + 1);
    }
}
