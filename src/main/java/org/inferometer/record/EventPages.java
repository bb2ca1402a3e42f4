package org.inferometer.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The events with output of many requests, packed as in `tokens.bin`: about four bytes an event. Immutable, thread-safe.
///
/// A place holds the first instant as i64, then as LEB128: `events · 4 + 2 if answers follow + 1 if tokens follow`, the gaps, the tokens
/// of each event, the answer of each event from 1. Places are numbers of units of four bytes in pages of 256 KiB; longer ones have a page
/// of their own.
public final class EventPages {
    /// The place of a request without events.
    public static final int NONE = 0;

    private static final int UNIT_BYTES = 4;
    private static final int UNITS = 1 << 16; // of a page
    private static final int PAGE_BYTES = UNIT_BYTES * UNITS;
    private static final int MOST_PAGES = 1 << 16;
    private static final int LONGEST_VARINT = 10;
    private static final int TOKENS = 1;
    private static final int ANSWERS = 2;
    private static final int FLAG_BITS = 2;
    private static final int[] NOT_SPLIT = {};
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private final byte[][] pages;

    private EventPages(byte[][] pages) {
        this.pages = pages;
    }

    /// Pages one after another. The places of each part move by [#moved] of the pages before it.
    ///
    /// @throws IllegalStateException above 65,536 pages, 16 GiB
    public static EventPages joined(List<EventPages> parts) {
        byte[][] all = parts.stream().flatMap(part -> Arrays.stream(part.pages)).toArray(byte[][]::new);
        if (all.length >= MOST_PAGES) {
            throw new IllegalStateException("The events of a run take more than 16 GiB.");
        }
        return new EventPages(all);
    }

    /// A place behind some pages.
    public static int moved(int place, int pagesBefore) {
        return place + (pagesBefore * UNITS);
    }

    /// Number of pages.
    public int size() {
        return pages.length;
    }

    /// Events at a place; 0 for [#NONE].
    public int count(int place) {
        return place == NONE ? 0 : (int) (head(place) >>> FLAG_BITS);
    }

    /// Whether the tokens of each event are there.
    public boolean hasTokens(int place) {
        return place != NONE && (head(place) & TOKENS) != 0;
    }

    /// Whether the answer of each event is there.
    boolean hasAnswers(int place) {
        return place != NONE && (head(place) & ANSWERS) != 0;
    }

    /// The first instant.
    long first(int place) {
        return (long) LONGS.get(page(place), offset(place));
    }

    /// The longest time between two neighbours of at least two events.
    long longestGap(int place) {
        byte[] page = page(place);
        int at = firstGap(page, place);
        long longest = 0;
        for (int left = count(place) - 1; left > 0; left--) {
            byte b = page[at++];
            long gap = b & 0x7f;
            for (int shift = 7; b < 0; shift += 7) {
                b = page[at++];
                gap |= (long) (b & 0x7f) << shift;
            }
            longest = Math.max(longest, gap);
        }
        return longest;
    }

    /// Events that came with the first one, itself included; 0 without events.
    ///
    /// @param nearNanos the longest time after the one before
    int together(int place, long nearNanos) {
        long[] gaps = new long[Math.max(0, count(place) - 1)];
        gaps(place, gaps, 0);
        int together = 0;
        while (together < gaps.length && gaps[together] <= nearNanos) {
            together++;
        }
        return together + Math.min(count(place), 1);
    }

    /// Puts the times between neighbours into an array, from a place on.
    ///
    /// @return how many
    int gaps(int place, long[] into, int from) {
        int gaps = Math.max(0, count(place) - 1);
        if (gaps == 0) {
            return 0;
        }
        byte[] page = page(place);
        int at = firstGap(page, place);
        for (int i = from; i < from + gaps; i++) {
            byte b = page[at++];
            long gap = b & 0x7f;
            for (int shift = 7; b < 0; shift += 7) {
                b = page[at++];
                gap |= (long) (b & 0x7f) << shift;
            }
            into[i] = gap;
        }
        return gaps;
    }

    /// Puts the instants of all events into an array.
    ///
    /// @return how many
    int nanos(int place, long[] into) {
        if (place == NONE) {
            return 0;
        }
        into[0] = first(place);
        int gaps = gaps(place, into, 1);
        for (int i = 1; i <= gaps; i++) {
            into[i] += into[i - 1];
        }
        return gaps + 1;
    }

    /// The tokens of each event; empty where they are not there.
    public int[] tokens(int place) {
        return hasTokens(place) ? numbers(place, count(place) - 1, 0) : NOT_SPLIT;
    }

    /// The answer of each event, from 0; empty for a request with one answer.
    int[] answers(int place) {
        int count = count(place);
        return hasAnswers(place) ? numbers(place, count - 1 + (hasTokens(place) ? count : 0), -1) : NOT_SPLIT;
    }

    /// The instants of all events.
    public long[] nanos(int place) {
        long[] nanos = new long[count(place)];
        nanos(place, nanos);
        return nanos;
    }

    /// A number for each event, after others that are skipped.
    private int[] numbers(int place, int skipped, int added) {
        byte[] page = page(place);
        int at = behind(page, firstGap(page, place), skipped);
        int[] numbers = new int[count(place)];
        for (int i = 0; i < numbers.length; i++) {
            int number = 0;
            int shift = 0;
            byte b;
            do {
                b = page[at++];
                number |= (b & 0x7f) << shift;
                shift += 7;
            } while (b < 0);
            numbers[i] = number + added;
        }
        return numbers;
    }

    private long head(int place) {
        byte[] page = page(place);
        int at = offset(place) + Long.BYTES;
        byte b = page[at++];
        long head = b & 0x7f;
        for (int shift = 7; b < 0; shift += 7) {
            b = page[at++];
            head |= (long) (b & 0x7f) << shift;
        }
        return head;
    }

    /// Where the gaps begin: behind the head.
    private static int firstGap(byte[] page, int place) {
        return behind(page, offset(place) + Long.BYTES, 1);
    }

    /// The byte behind some numbers.
    private static int behind(byte[] page, int from, int numbers) {
        int at = from;
        int left = numbers;
        while (left > 0) {
            left -= page[at++] < 0 ? 0 : 1;
        }
        return at;
    }

    private byte[] page(int place) {
        return pages[place >>> 16];
    }

    private static int offset(int place) {
        return (place & UNITS - 1) * UNIT_BYTES;
    }

    /// Packs events. For one thread.
    public static final class Writer {
        private final List<byte[]> full = new ArrayList<>();
        private byte[] page = new byte[1 << 10];
        private int at = UNIT_BYTES; // the first unit is the place of none

        /// Packs the events of a request.
        ///
        /// @param nanos `[events]` ascending; [#NONE] if empty
        /// @param tokens `[events]` or empty
        /// @param answers `[events]` or empty
        /// @return their place
        public int put(long[] nanos, int[] tokens, int[] answers) {
            if (nanos.length == 0) {
                return NONE;
            }
            int place = open(nanos.length, LONGEST_VARINT * (nanos.length + tokens.length + answers.length), nanos[0],
                    tokens.length > 0, answers.length > 0);
            for (int i = 1; i < nanos.length; i++) {
                varint(nanos[i] - nanos[i - 1]);
            }
            for (int each : tokens) {
                varint(each);
            }
            for (int each : answers) {
                varint(each + 1L);
            }
            return place;
        }

        /// Packs events whose numbers are packed already, in `bytes[from, to)`: gaps, then tokens from `tokens` on, then answers from
        /// `answers` on. Tokens or answers without bytes are not there.
        ///
        /// @return their place
        public int put(int count, long first, byte[] bytes, int from, int tokens, int answers, int to) {
            int place = open(count, to - from, first, answers > tokens, to > answers);
            append(bytes, from, to);
            return place;
        }

        /// The same, leaving out the tokens.
        public int putWithoutTokens(int count, long first, byte[] bytes, int from, int tokens, int answers, int to) {
            int place = open(count, to - from, first, false, to > answers);
            append(bytes, from, tokens);
            append(bytes, answers, to);
            return place;
        }

        private void append(byte[] bytes, int from, int to) {
            System.arraycopy(bytes, from, page, at, to - from);
            at += to - from;
        }

        private int open(int count, int bytes, long first, boolean tokens, boolean answers) {
            int room = Long.BYTES + LONGEST_VARINT + bytes;
            at = (at + UNIT_BYTES - 1) & -UNIT_BYTES;
            if (at + room > PAGE_BYTES && at > UNIT_BYTES) {
                close();
                page = new byte[PAGE_BYTES];
                at = UNIT_BYTES;
            }
            if (at + room > page.length) {
                page = Arrays.copyOf(page, Math.max(at + room, Math.min(PAGE_BYTES, 2 * page.length)));
            }
            int place = moved(at / UNIT_BYTES, full.size());
            LONGS.set(page, at, first);
            at += Long.BYTES;
            varint(((long) count << FLAG_BITS) | (answers ? ANSWERS : 0) | (tokens ? TOKENS : 0));
            return place;
        }

        /// Keeps the bytes of this page. A little room at its end may stay.
        private void close() {
            full.add(page.length - at < page.length / 16 ? page : Arrays.copyOf(page, at));
        }

        private void varint(long number) {
            long rest = number;
            while (rest < 0 || rest >= 0x80) {
                page[at++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            page[at++] = (byte) rest;
        }

        /// The pages; nothing is packed afterwards.
        public EventPages pages() {
            close();
            return joined(List.of(new EventPages(full.toArray(byte[][]::new))));
        }
    }
}
