package org.inferometer.record;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.RandomAccess;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.inferometer.workload.RequestId;

/// Requests of a run in columns of numbers: some 85 bytes a request of eight events. Immutable, thread-safe.
///
/// A [RequestOutcome] is made each time an element is read. Loops over many requests read single fields by index instead; the fields are
/// those of the record.
public final class RequestColumns extends AbstractList<RequestOutcome> implements RandomAccess {
    /// No requests.
    public static final RequestColumns NONE = new RequestColumns(new RequestBlock[0], new EventPages[0], new int[0]);

    private static final long DENSE = 4;
    private final RequestBlock[] blocks;
    private final EventPages[] events; // of each block
    private final int[] rows; // [requests] block · 2^14 + row in the block

    private RequestColumns(RequestBlock[] blocks, EventPages[] events, int[] rows) {
        this.blocks = blocks;
        this.events = events;
        this.rows = rows;
    }

    /// The requests of a list; itself if they are in columns.
    public static RequestColumns of(List<RequestOutcome> requests) {
        if (requests instanceof RequestColumns columns) {
            return columns;
        }
        RequestColumnsBuilder builder = new RequestColumnsBuilder();
        requests.forEach(builder::add);
        return builder.build();
    }

    static RequestColumns of(List<RequestBlock> blocks, EventPages events) {
        int[] rows = new int[blocks.stream().mapToInt(block -> block.ids.length).sum()];
        int n = 0;
        for (int b = 0; b < blocks.size(); b++) {
            for (int row = 0; row < blocks.get(b).ids.length; row++) {
                rows[n++] = b << RequestBlock.ROW_BITS | row;
            }
        }
        return new RequestColumns(blocks.toArray(RequestBlock[]::new),
                Collections.nCopies(blocks.size(), events).toArray(EventPages[]::new), rows);
    }

    /// The requests of several lists, one after another.
    public static RequestColumns joined(List<RequestColumns> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        int[] rows = new int[parts.stream().mapToInt(RequestColumns::size).sum()];
        int n = 0;
        int before = 0;
        for (RequestColumns part : parts) {
            for (int row : part.rows) {
                rows[n++] = row + (before << RequestBlock.ROW_BITS);
            }
            before += part.blocks.length;
        }
        return new RequestColumns(
                parts.stream().flatMap(part -> Arrays.stream(part.blocks)).toArray(RequestBlock[]::new),
                parts.stream().flatMap(part -> Arrays.stream(part.events)).toArray(EventPages[]::new), rows);
    }

    /// Those whose index meets a condition, in the same order; itself if all do.
    public RequestColumns where(IntPredicate index) {
        int n = 0;
        while (n < rows.length && index.test(n)) {
            n++;
        }
        if (n == rows.length) {
            return this;
        }
        int[] kept = Arrays.copyOf(rows, rows.length);
        for (int i = n + 1; i < rows.length; i++) {
            if (index.test(i)) {
                kept[n++] = rows[i];
            }
        }
        return new RequestColumns(blocks, events, Arrays.copyOf(kept, n));
    }

    /// How many meet a condition on their index.
    public int count(IntPredicate index) {
        int n = 0;
        for (int i = 0; i < rows.length; i++) {
            n += index.test(i) ? 1 : 0;
        }
        return n;
    }

    /// A number of each, by index.
    public LongStream longs(IntToLongFunction value) {
        return IntStream.range(0, rows.length).mapToLong(value);
    }

    /// Those after the warm-up.
    public RequestColumns measured() {
        return where(i -> !warmUp(i));
    }

    /// In ascending order of their numbers; equal numbers stay in order.
    public RequestColumns byNumber() {
        int greatest = -1;
        boolean ordered = true;
        for (int i = 0; i < rows.length; i++) {
            ordered &= i == 0 || number(i) >= number(i - 1);
            greatest = Math.max(greatest, number(i));
        }
        if (ordered) {
            return this;
        }
        int[] sorted = new int[rows.length];
        if (greatest < DENSE * rows.length) {
            // Dense numbers, as in all our records, are placed without comparing.
            int[] starts = new int[greatest + 2];
            for (int i = 0; i < rows.length; i++) {
                starts[number(i) + 1]++;
            }
            Arrays.parallelPrefix(starts, Integer::sum);
            for (int i = 0; i < rows.length; i++) {
                sorted[starts[number(i)]++] = rows[i];
            }
        } else {
            long[] keys = new long[rows.length];
            Arrays.setAll(keys, i -> (long) number(i) << Integer.SIZE | i);
            Arrays.sort(keys);
            Arrays.setAll(sorted, i -> rows[(int) keys[i]]);
        }
        return new RequestColumns(blocks, events, sorted);
    }

    /// In ascending order of a number of each, by index; equal ones stay in order.
    public RequestColumns ascending(IntToLongFunction key) {
        long[] keys = new long[rows.length];
        boolean ordered = true;
        for (int i = 0; i < keys.length; i++) {
            keys[i] = key.applyAsLong(i);
            ordered &= i == 0 || keys[i] >= keys[i - 1];
        }
        if (ordered) {
            return this;
        }
        int[] order = IntStream.range(0, keys.length).boxed().sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToInt(Integer::intValue).toArray();
        return new RequestColumns(blocks, events, Arrays.stream(order).map(i -> rows[i]).toArray());
    }

    private RequestBlock block(int i) {
        return blocks[rows[i] >>> RequestBlock.ROW_BITS];
    }

    private EventPages pages(int i) {
        return events[rows[i] >>> RequestBlock.ROW_BITS];
    }

    private int row(int i) {
        return rows[i] & RequestBlock.ROWS - 1;
    }

    private int place(int i) {
        return block(i).events[row(i)];
    }

    @Override
    public int size() {
        return rows.length;
    }

    @Override
    public RequestOutcome get(int i) {
        RequestBlock block = block(i);
        int row = row(i);
        int place = block.events[row];
        EventPages pages = pages(i);
        return new RequestOutcome(new RequestId(block.ids[row]), block.warmUp(row), block.promptTokens[row],
                block.askedOutputTokens[row], block.intended[row], sentNanos(i), admittedNanos(i), prefillStartNanos(i),
                endNanos(i), block.status(row), block.reason(row), pages.nanos(place), pages.tokens(place),
                block.outputTokens[row], block.source(row), block.askedPromptTokens[row], pages.answers(place));
    }

    /// Its number in its run.
    public int number(int i) {
        return block(i).ids[row(i)];
    }

    /// As [RequestOutcome#warmUp].
    public boolean warmUp(int i) {
        return block(i).warmUp(row(i));
    }

    /// As [RequestOutcome#promptTokens].
    public int promptTokens(int i) {
        return block(i).promptTokens[row(i)];
    }

    /// As [RequestOutcome#askedPromptTokens].
    public int askedPromptTokens(int i) {
        return block(i).askedPromptTokens[row(i)];
    }

    /// As [RequestOutcome#askedOutputTokens].
    public int askedOutputTokens(int i) {
        return block(i).askedOutputTokens[row(i)];
    }

    /// As [RequestOutcome#outputTokens].
    public int outputTokens(int i) {
        return block(i).outputTokens[row(i)];
    }

    /// As [RequestOutcome#status].
    public RequestStatus status(int i) {
        return block(i).status(row(i));
    }

    /// As [RequestOutcome#reason].
    public String reason(int i) {
        return block(i).reason(row(i));
    }

    /// As [RequestOutcome#intendedNanos].
    public long intendedNanos(int i) {
        return block(i).intended[row(i)];
    }

    /// As [RequestOutcome#sentNanos].
    public long sentNanos(int i) {
        RequestBlock block = block(i);
        return block.sent.at(row(i), block.intended);
    }

    /// As [RequestOutcome#admittedNanos].
    public long admittedNanos(int i) {
        RequestBlock block = block(i);
        return block.admitted.at(row(i), block.intended);
    }

    /// As [RequestOutcome#prefillStartNanos].
    public long prefillStartNanos(int i) {
        RequestBlock block = block(i);
        return block.prefillStart.at(row(i), block.intended);
    }

    /// As [RequestOutcome#endNanos].
    public long endNanos(int i) {
        RequestBlock block = block(i);
        return block.end.at(row(i), block.intended);
    }

    /// As [RequestOutcome#ok].
    public boolean ok(int i) {
        return status(i) == RequestStatus.OK;
    }

    /// Events with output.
    public int events(int i) {
        return pages(i).count(place(i));
    }

    /// As [RequestOutcome#firstTokenNanos].
    public long firstTokenNanos(int i) {
        int place = place(i);
        return place == EventPages.NONE ? RequestOutcome.ABSENT : pages(i).first(place);
    }

    /// As [RequestOutcome#lastTokenNanos].
    public long lastTokenNanos(int i) {
        if (place(i) == EventPages.NONE) {
            return whole(i) ? endNanos(i) : RequestOutcome.ABSENT;
        }
        RequestBlock block = block(i);
        return block.last.at(row(i), block.intended);
    }

    /// As [RequestOutcome#whole].
    public boolean whole(int i) {
        return place(i) == EventPages.NONE && ok(i) && outputTokens(i) > 0;
    }

    /// As [RequestOutcome#answered].
    public boolean answered(int i) {
        return ok(i) && (place(i) != EventPages.NONE || outputTokens(i) > 0);
    }

    /// As [RequestOutcome#perChunk].
    public boolean perChunk(int i) {
        int count = events(i);
        return count > 0 && (splits(i) || count != outputTokens(i) || source(i) == TokenSource.CHUNKS);
    }

    /// As [RequestOutcome#endsOnly].
    public boolean endsOnly(int i) {
        return source(i) == TokenSource.PROFILE || (outputTokens(i) > 2 && events(i) == 2 && !splits(i));
    }

    /// Whether the tokens or the answer of each event are recorded. Such a request is best read as a record.
    public boolean splits(int i) {
        return pages(i).hasTokens(place(i));
    }

    /// Whether the request has several answers.
    public boolean severalAnswers(int i) {
        return pages(i).hasAnswers(place(i));
    }

    /// Puts the instants of its events into an array with room for [#events].
    ///
    /// @return how many
    public int eventNanos(int i, long[] into) {
        return pages(i).nanos(place(i), into);
    }

    /// Puts the times between neighbours of its events into an array, from a place on.
    ///
    /// @return how many
    public int eventGapNanos(int i, long[] into, int at) {
        return pages(i).gaps(place(i), into, at);
    }

    /// Receives events.
    public interface EventConsumer {
        /// @param nanos instant of an event
        /// @param tokens as [RequestOutcome#tokensOf]
        void accept(long nanos, double tokens);
    }

    /// Passes all events of all requests on, request by request.
    public void forEachEvent(EventConsumer consumer) {
        long[] nanos = new long[64];
        for (int i = 0; i < rows.length; i++) {
            int count = events(i);
            nanos = count > nanos.length ? new long[count] : nanos;
            eventNanos(i, nanos);
            if (splits(i)) {
                RequestOutcome request = get(i);
                for (int event = 0; event < count; event++) {
                    consumer.accept(nanos[event], request.tokensOf(event));
                }
                continue;
            }
            double tokens = (double) outputTokens(i) / count;
            for (int event = 0; event < count; event++) {
                consumer.accept(nanos[event], tokens);
            }
        }
    }

    /// As [RequestOutcome#tpotNanos].
    public OptionalDouble tpotNanos(int i) {
        int place = place(i);
        if (pages(i).hasAnswers(place) || pages(i).hasTokens(place)) {
            return get(i).tpotNanos();
        }
        int count = events(i);
        int tokens = outputTokens(i);
        int first = pages(i).together(place, RequestOutcome.nearNanos(source(i), endsOnly(i)));
        return count > 1 && tokens > first && RequestOutcome.firstHoldsOne(count, tokens, source(i), endsOnly(i))
                ? OptionalDouble.of((double) (lastTokenNanos(i) - firstTokenNanos(i)) / (tokens - first))
                : OptionalDouble.empty();
    }

    /// As [RequestOutcome#firstEventTokens].
    public OptionalInt firstEventTokens(int i) {
        int place = place(i);
        if (pages(i).hasTokens(place)) {
            return get(i).firstEventTokens();
        }
        return RequestOutcome.firstHoldsOne(events(i), outputTokens(i), source(i), endsOnly(i))
                ? OptionalInt.of(pages(i).together(place, RequestOutcome.nearNanos(source(i), endsOnly(i))))
                : OptionalInt.empty();
    }

    /// The longest of [RequestOutcome#gapNanos]; empty where there is none.
    public OptionalLong longestGapNanos(int i) {
        if (severalAnswers(i)) {
            return Arrays.stream(get(i).gapNanos()).max();
        }
        return events(i) < 2 || endsOnly(i) ? OptionalLong.empty() : OptionalLong.of(pages(i).longestGap(place(i)));
    }

    /// Where the token count of a request comes from.
    public TokenSource source(int i) {
        return block(i).source(row(i));
    }
}
