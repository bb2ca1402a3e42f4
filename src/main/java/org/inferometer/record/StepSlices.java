package org.inferometer.record;

import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.scheduling.Slice;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;

/// The slices of a step, in execution order. A decode step that only advances the one before shares its arrays. Immutable.
public final class StepSlices {
    private final int[] triples; // [size]{request, from, count}
    private final int advanced;

    private StepSlices(int[] triples, int advanced) {
        this.triples = triples;
        this.advanced = advanced;
    }

    /// The slices of a decision.
    public static StepSlices of(List<Slice> slices) {
        int[] triples = new int[3 * slices.size()];
        int at = 0;
        for (int i = 0; i < slices.size(); i++) {
            Slice slice = slices.get(i);
            triples[at++] = slice.request().index();
            triples[at++] = slice.from();
            triples[at++] = slice.count();
        }
        return new StepSlices(triples, 0);
    }

    /// One slice.
    public static StepSlices of(RequestId request, int from, int count) {
        return new StepSlices(new int[]{request.index(), from, count}, 0);
    }

    /// Parses the form of [#text].
    ///
    /// @throws IllegalArgumentException if the text has another form
    public static StepSlices parse(String text) {
        if (text.isEmpty()) {
            return new StepSlices(new int[0], 0);
        }
        String[] parts = text.split(" ", -1);
        int[] triples = new int[3 * parts.length];
        for (int i = 0; i < parts.length; i++) {
            int colon = parts[i].indexOf(':');
            int plus = parts[i].indexOf('+', colon + 1);
            triples[3 * i] = number(parts[i], 0, colon);
            triples[3 * i + 1] = number(parts[i], colon + 1, plus);
            triples[3 * i + 2] = number(parts[i], plus + 1, parts[i].length());
            if (triples[3 * i] < 0 || triples[3 * i + 1] < 0 || triples[3 * i + 2] < 0) {
                throw new IllegalArgumentException("\"" + parts[i].substring(0, Math.min(40, parts[i].length()))
                        + "\" is not a slice. Use the form request:from+count.");
            }
        }
        return new StepSlices(triples, 0);
    }

    /// One to nine digits as a number; -1 for other text.
    private static int number(String text, int from, int to) {
        int value = to > from && to - from <= 9 ? 0 : -1;
        for (int i = from; i < to && value >= 0; i++) {
            int digit = text.charAt(i) - '0';
            value = digit < 0 || digit > 9 ? -1 : 10 * value + digit;
        }
        return value;
    }

    /// As text, `request:from+count` with spaces between.
    public String text() {
        StringBuilder text = new StringBuilder(10 * size());
        for (int i = 0; i < size(); i++) {
            text.append(i == 0 ? "" : " ").append(request(i)).append(':').append(from(i)).append('+').append(count(i));
        }
        return text.toString();
    }

    /// Number of slices.
    public int size() {
        return triples.length / 3;
    }

    /// Index of the request of one slice.
    public int request(int slice) {
        return triples[3 * slice];
    }

    /// The first position of one slice.
    public int from(int slice) {
        return triples[3 * slice + 1] + advanced;
    }

    /// Positions of one slice.
    public int count(int slice) {
        return triples[3 * slice + 2];
    }

    /// The same requests and counts, each one position further.
    public StepSlices next() {
        return new StepSlices(triples, advanced + 1);
    }

    /// Whether these are single positions after those of an earlier step: the same requests, each one position further.
    public boolean follows(StepSlices before) {
        if (triples.length != before.triples.length) {
            return false;
        }
        for (int i = 0; i < size(); i++) {
            if (request(i) != before.request(i) || count(i) != 1 || before.count(i) != 1
                    || from(i) != before.from(i) + 1) {
                return false;
            }
        }
        return true;
    }

    /// The slices as records; for small numbers of steps.
    public List<Slice> toList() {
        return IntStream.range(0, size()).mapToObj(i -> new Slice(new RequestId(request(i)), from(i), count(i)))
                .toList();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StepSlices that && toList().equals(that.toList());
    }

    @Override
    public int hashCode() {
        int hash = size();
        for (int i = 0; i < size(); i++) {
            hash = 31 * (31 * (31 * hash + request(i)) + from(i)) + count(i);
        }
        return hash;
    }

    @Override
    public String toString() {
        return text();
    }
}
