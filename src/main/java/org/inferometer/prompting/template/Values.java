package org.inferometer.prompting.template;

import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// The values of a template: text, `Long`, `Double`, `Boolean`, `null` for none, lists, maps, and nothing.
final class Values {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Values() {}

    /// A name or key that has no value.
    record Undefined(String name) {}

    /// What `namespace()` makes: attributes that can be set.
    record Namespace(Map<String, @Nullable Object> attributes) {}

    /// Values that cannot be used so; the renderer adds the line.
    static final class Unusable extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        Unusable(String sentence) {
            super(sentence);
        }
    }

    static boolean isTrue(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Undefined nothing -> false;
            case Boolean flag -> flag;
            case String text -> !text.isEmpty();
            case Long number -> number != 0;
            case Double number -> number != 0;
            case List<?> list -> !list.isEmpty();
            case Map<?, ?> map -> !map.isEmpty();
            default -> true;
        };
    }

    /// As Python prints it.
    ///
    /// @throws Unusable if lists of lists make it too long, or it is no value of texts
    static String text(Budget budget, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        StringBuilder text = new StringBuilder();
        write(budget, value, text, false);
        budget.text(text.length());
        return text.toString();
    }

    /// @param within whether it stands in a list or map, where Python quotes texts
    private static void write(Budget budget, @Nullable Object value, StringBuilder to, boolean within) {
        budget.read(value);
        switch (value) {
            case null -> to.append("None");
            case Undefined nothing -> to.append("");
            case Boolean flag -> to.append(flag ? "True" : "False");
            case String text when within -> to.append('\'')
                    .append(text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")).append('\'');
            case String text -> to.append(text);
            case Number number -> to.append(number);
            case List<?> list -> {
                to.append('[');
                for (int i = 0; i < list.size(); i++) {
                    to.append(i == 0 ? "" : ", ");
                    write(budget, list.get(i), to, true);
                }
                to.append(']');
            }
            case Map<?, ?> map -> {
                String divider = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    to.append(divider);
                    write(budget, entry.getKey(), to, true);
                    to.append(": ");
                    write(budget, entry.getValue(), to, true);
                    divider = ", ";
                }
                to.append(map.isEmpty() ? "{}" : "}");
            }
            default -> throw new Unusable("a namespace or a macro is no text.");
        }
        Budget.requireText(to.length());
    }

    /// As Python's json.dumps writes it, which transformers' `tojson` uses.
    ///
    /// @param indent blanks of a level; 0 for one line
    /// @throws Unusable if lists of lists make it too long, or it is no value of texts
    static String json(Budget budget, @Nullable Object value, int indent) {
        StringBuilder json = new StringBuilder();
        json(budget, value, indent, 0, json);
        return json.toString();
    }

    private static void json(Budget budget, @Nullable Object value, int indent, int level, StringBuilder to) {
        budget.read(value);
        String divider = indent == 0 ? ", " : ",";
        switch (value) {
            case List<?> list -> {
                to.append('[');
                for (int i = 0; i < list.size(); i++) {
                    to.append(i == 0 ? "" : divider).append(feed(indent, level + 1));
                    json(budget, list.get(i), indent, level + 1, to);
                }
                to.append(list.isEmpty() ? "" : feed(indent, level)).append(']');
            }
            case Map<?, ?> map -> {
                to.append('{');
                boolean first = true;
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    to.append(first ? "" : divider).append(feed(indent, level + 1))
                            .append(JSON.writeValueAsString(text(budget, entry.getKey()))).append(": ");
                    json(budget, entry.getValue(), indent, level + 1, to);
                    first = false;
                }
                to.append(first ? "" : feed(indent, level)).append('}');
            }
            case null -> to.append("null");
            case Undefined nothing -> to.append("null");
            case String text -> to.append(JSON.writeValueAsString(text));
            case Boolean flag -> to.append(flag);
            case Number number -> to.append(number);
            default -> throw new Unusable("a namespace or a macro is no text.");
        }
        Budget.requireText(to.length());
    }

    private static String feed(int indent, int level) {
        return indent == 0 ? "" : "\n" + " ".repeat(indent * level);
    }

    /// Whether a list has a value.
    static boolean has(Budget budget, List<?> list, @Nullable Object value) {
        for (Object item : list) {
            if (areEqual(budget, item, value)) {
                return true;
            }
        }
        return false;
    }

    /// Compares values; numbers are equal whatever their type.
    static boolean areEqual(Budget budget, @Nullable Object left, @Nullable Object right) {
        budget.read(1);
        return switch (left) {
            case Number a when right instanceof Number b -> a.doubleValue() == b.doubleValue();
            case String a when right instanceof String b -> {
                budget.read(a.length() == b.length() ? a.length() : 0);
                yield a.equals(b);
            }
            case List<?> a when right instanceof List<?> b -> areEqual(budget, a, b);
            case Map<?, ?> a when right instanceof Map<?, ?> b -> areEqual(budget, a, b);
            case Undefined nothing -> right instanceof Undefined;
            case null, default -> Objects.equals(left, right);
        };
    }

    private static boolean areEqual(Budget budget, List<?> a, List<?> b) {
        boolean equal = a.size() == b.size();
        for (int i = 0; equal && i < a.size(); i++) {
            equal = areEqual(budget, a.get(i), b.get(i));
        }
        return equal;
    }

    private static boolean areEqual(Budget budget, Map<?, ?> a, Map<?, ?> b) {
        boolean equal = a.size() == b.size();
        for (Map.Entry<?, ?> entry : a.entrySet()) {
            equal = equal && b.containsKey(entry.getKey()) && areEqual(budget, entry.getValue(), b.get(entry.getKey()));
        }
        return equal;
    }
}
