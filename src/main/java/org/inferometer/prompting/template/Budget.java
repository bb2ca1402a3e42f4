package org.inferometer.prompting.template;

import java.util.List;
import java.util.Map;
import org.inferometer.prompting.template.Values.Unusable;
import org.jspecify.annotations.Nullable;

/// What one rendering may use: steps, characters or items read, and bytes made. One thread.
///
/// Bytes count when they are made and stay counted when they are free again, so live memory never exceeds the sum.
final class Budget {
    static final int MOST_CHARACTERS = 1 << 20;
    static final int MOST_ITEMS = 100_000;
    static final int OBJECT_BYTES = 48;
    private static final int MOST_DEPTH = 100;
    /// What a visit costs, in characters read.
    private static final int VISIT = 32;
    private static final int MOST_STEPS = 2_000_000;
    private static final long MOST_READ = 1 << 26;
    private static final long MOST_BYTES = 64L << 20;
    private static final int ENTRY_BYTES = 64;

    private int steps;
    private long read;
    private long bytes;

    /// Counts a step.
    ///
    /// @throws Unusable if there are too many, as all methods here
    void step() {
        if (++steps > MOST_STEPS) {
            throw new Unusable("it needs more than " + MOST_STEPS + " steps.");
        }
    }

    /// Counts characters or items before they are read.
    void read(long count) {
        read += count;
        if (count < 0 || read > MOST_READ) {
            throw new Unusable("it reads more than " + MOST_READ + " characters.");
        }
    }

    /// Counts the characters or items of a value before they are read.
    void readValue(@Nullable Object value) {
        read(switch (value) {
            case String text -> text.length();
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case null, default -> 1;
        });
    }

    /// Counts the visit of a value that stands in lists or maps.
    ///
    /// @param depth of these
    void visit(@Nullable Object value, int depth) {
        if (depth > MOST_DEPTH) {
            throw new Unusable("lists and maps are nested deeper than " + MOST_DEPTH + ".");
        }
        read(VISIT);
        readValue(value);
    }

    /// Counts the search for a name or key, whose characters are compared with those that are there.
    ///
    /// @return the key
    String key(String key) {
        read(key.length() + 1L);
        return key;
    }

    /// Counts a text before it is made.
    void text(long characters) {
        requireText(characters);
        bytes(OBJECT_BYTES + Character.BYTES * characters);
    }

    static void requireText(long characters) {
        if (characters > MOST_CHARACTERS) {
            throw new Unusable("a text is longer than " + MOST_CHARACTERS + " characters.");
        }
    }

    /// Counts a list before it is made.
    ///
    /// @param objects how many objects are made as its items; 0 if they are there already
    void list(long items, long objects) {
        if (items > MOST_ITEMS) {
            throw new Unusable("a list has more than " + MOST_ITEMS + " items.");
        }
        bytes(OBJECT_BYTES + Long.BYTES * items + OBJECT_BYTES * objects);
    }

    /// Counts a map before it is made.
    void map(long entries) {
        bytes(OBJECT_BYTES + ENTRY_BYTES * entries);
    }

    /// Counts a value that a filter, method or operator made, without the items of a list.
    ///
    /// @return the value
    @Nullable
    Object made(@Nullable Object value) {
        switch (value) {
            case String text -> text(text.length());
            case List<?> list -> list(list.size(), 0);
            case Map<?, ?> map -> map(map.size());
            case null, default -> bytes(OBJECT_BYTES);
        }
        return value;
    }

    /// Counts bytes before they are made.
    void bytes(long count) {
        bytes += count;
        if (bytes > MOST_BYTES) {
            throw new Unusable("it makes more than " + (MOST_BYTES >> 20) + " MiB of values.");
        }
    }
}
