package org.inferometer.prompting.template;

import java.io.Serial;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/// The values of a template: text, `Long`, `Double`, `Boolean`, `null` for none, lists, maps, and nothing.
final class Values {
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
        write(budget, value, text, 0);
        budget.text(text.length());
        return text.toString();
    }

    /// @param depth of the lists and maps where it stands; Python quotes texts in them
    private static void write(Budget budget, @Nullable Object value, StringBuilder to, int depth) {
        budget.visit(value, depth);
        switch (value) {
            case null -> to.append("None");
            case Undefined nothing -> to.append("");
            case Boolean flag -> to.append(flag ? "True" : "False");
            case String text when depth > 0 -> to.append('\'')
                    .append(text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")).append('\'');
            case String text -> to.append(text);
            case Number number -> to.append(number);
            case List<?> list -> {
                to.append('[');
                for (int i = 0; i < list.size(); i++) {
                    to.append(i == 0 ? "" : ", ");
                    write(budget, list.get(i), to, depth + 1);
                }
                to.append(']');
            }
            case Map<?, ?> map -> {
                String divider = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    to.append(divider);
                    write(budget, entry.getKey(), to, depth + 1);
                    to.append(": ");
                    write(budget, entry.getValue(), to, depth + 1);
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

    private static void json(Budget budget, @Nullable Object value, int indent, int depth, StringBuilder to) {
        budget.visit(value, depth);
        switch (value) {
            case List<?> list -> {
                to.append('[');
                for (int i = 0; i < list.size(); i++) {
                    feed(budget, i == 0 ? "" : ",", indent, depth + 1, to);
                    json(budget, list.get(i), indent, depth + 1, to);
                }
                close(budget, ']', list.isEmpty(), indent, depth, to);
            }
            case Map<?, ?> map -> {
                to.append('{');
                boolean first = true;
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    feed(budget, first ? "" : ",", indent, depth + 1, to);
                    json(budget, text(budget, entry.getKey()), indent, depth + 1, to);
                    to.append(": ");
                    json(budget, entry.getValue(), indent, depth + 1, to);
                    first = false;
                }
                close(budget, '}', first, indent, depth, to);
            }
            case null -> to.append("null");
            case Undefined nothing -> to.append("null");
            case String text -> quote(text, to);
            case Boolean flag -> to.append(flag);
            case Number number -> to.append(number);
            default -> throw new Unusable("a namespace or a macro is no text.");
        }
        Budget.requireText(to.length());
    }

    private static void quote(String text, StringBuilder to) {
        Budget.requireText((long) to.length() + text.length());
        to.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, to);
        to.append('"');
    }

    private static void close(Budget budget, char bracket, boolean empty, int indent, int depth, StringBuilder to) {
        if (!empty && indent > 0) {
            feed(budget, "", indent, depth, to);
        }
        to.append(bracket);
    }

    /// Divides from the value before; a new line has its blanks.
    private static void feed(Budget budget, String divider, int indent, int depth, StringBuilder to) {
        int blanks = indent * depth;
        budget.read(blanks);
        Budget.requireText((long) to.length() + blanks);
        to.append(divider);
        if (indent > 0) {
            to.append('\n').repeat(' ', blanks);
        } else if (!divider.isEmpty()) {
            to.append(' ');
        }
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

    /// Compares values; numbers are equal whatever their type, namespaces and macros only to themselves.
    static boolean areEqual(Budget budget, @Nullable Object left, @Nullable Object right) {
        return areEqual(budget, left, right, 0);
    }

    private static boolean areEqual(Budget budget, @Nullable Object left, @Nullable Object right, int depth) {
        budget.visit(null, depth);
        return switch (left) {
            case Number a when right instanceof Number b -> a.doubleValue() == b.doubleValue();
            case String a when right instanceof String b -> {
                budget.read(a.length() == b.length() ? a.length() : 0);
                yield a.equals(b);
            }
            case List<?> a when right instanceof List<?> b -> areEqual(budget, a, b, depth + 1);
            case Map<?, ?> a when right instanceof Map<?, ?> b -> areEqual(budget, a, b, depth + 1);
            case Undefined nothing -> right instanceof Undefined;
            case Boolean flag -> flag.equals(right);
            case Evaluator.Function function -> function.equals(right);
            case null, default -> left == right;
        };
    }

    private static boolean areEqual(Budget budget, List<?> a, List<?> b, int depth) {
        boolean equal = a.size() == b.size();
        for (int i = 0; equal && i < a.size(); i++) {
            equal = areEqual(budget, a.get(i), b.get(i), depth);
        }
        return equal;
    }

    private static boolean areEqual(Budget budget, Map<?, ?> a, Map<?, ?> b, int depth) {
        if (a.size() != b.size()) {
            return false;
        }
        for (Map.Entry<?, ?> entry : a.entrySet()) {
            String key = budget.key(text(budget, entry.getKey()));
            if (!b.containsKey(key) || !areEqual(budget, entry.getValue(), b.get(key), depth)) {
                return false;
            }
        }
        return true;
    }
}
