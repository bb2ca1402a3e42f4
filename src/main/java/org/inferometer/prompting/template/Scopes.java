package org.inferometer.prompting.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The names of a template that have a value: outer ones, and those of the loops and macros within. One thread.
final class Scopes {
    private static final int DEEPEST = 100;

    private final Deque<Map<String, @Nullable Object>> scopes = new ArrayDeque<>();
    private final Budget budget;

    Scopes(Map<String, @Nullable Object> values, Budget budget) {
        this.budget = budget;
        scopes.push(new HashMap<>(values));
    }

    @Nullable
    Object get(String name) {
        for (Map<String, @Nullable Object> scope : scopes) {
            // Another name with the same hash is compared in each.
            budget.key(name);
            if (scope.containsKey(name)) {
                return scope.get(name);
            }
        }
        return new Values.Undefined(name);
    }

    /// Sets a name in the innermost scope.
    void set(String name, @Nullable Object value) {
        Map<String, @Nullable Object> scope = scopes.getFirst();
        if (!scope.containsKey(budget.key(name))) {
            budget.map(1);
        }
        scope.put(name, value);
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
}
