package org.inferometer.prompting.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The names of a template that have a value: outer ones, and those of the loops and macros within. Counts the work. One thread.
final class Scopes {
    private static final int MOST_STEPS = 2_000_000;
    static final int MOST_CHARACTERS = 1 << 20;
    static final int MOST_ITEMS = 100_000;
    private static final long MOST_WORK = 1 << 28;
    private static final int DEEPEST = 100;

    private final Deque<Map<String, @Nullable Object>> scopes = new ArrayDeque<>();
    private int steps;
    private long work;

    Scopes(Map<String, @Nullable Object> values) {
        scopes.push(new HashMap<>(values));
    }

    @Nullable
    Object get(String name) {
        for (Map<String, @Nullable Object> scope : scopes) {
            if (scope.containsKey(name)) {
                return scope.get(name);
            }
        }
        return new Values.Undefined(name);
    }

    /// Sets a name in the innermost scope.
    void set(String name, @Nullable Object value) {
        scopes.getFirst().put(name, value);
    }

    void enter(int line) throws TemplateException {
        if (scopes.size() > DEEPEST) {
            throw new TemplateException(line, "loops and macros are nested too deep.");
        }
        scopes.push(new HashMap<>());
    }

    void leave() {
        scopes.pop();
    }

    /// Counts a step, so that no template runs for long.
    void step(int line) throws TemplateException {
        if (++steps > MOST_STEPS) {
            throw new TemplateException(line, "it needs more than " + MOST_STEPS + " steps.");
        }
    }

    /// Counts the characters or items that an operation reads or makes.
    ///
    /// @return the value
    @Nullable
    Object counted(@Nullable Object value, int line) throws TemplateException {
        work += switch (value) {
            case String text -> text.length();
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case null, default -> 1;
        };
        if (work > MOST_WORK) {
            throw new TemplateException(line, "it reads and makes more than " + MOST_WORK + " characters.");
        }
        return value;
    }

    static void requireFewItems(long items, int line) throws TemplateException {
        if (items > MOST_ITEMS) {
            throw new TemplateException(line, "a list has more than " + MOST_ITEMS + " items.");
        }
    }

    /// A text that is not too long.
    static String bounded(String text, int line) throws TemplateException {
        requireBounded(text.length(), line);
        return text;
    }

    static void requireBounded(long characters, int line) throws TemplateException {
        if (characters > MOST_CHARACTERS) {
            throw new TemplateException(line, "a text is longer than " + MOST_CHARACTERS + " characters.");
        }
    }
}
