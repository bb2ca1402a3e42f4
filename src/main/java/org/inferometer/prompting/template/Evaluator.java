package org.inferometer.prompting.template;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.inferometer.prompting.template.Expression.Arguments;
import org.inferometer.prompting.template.Values.Namespace;
import org.inferometer.prompting.template.Values.Undefined;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// Values of expressions. One thread.
final class Evaluator {
    private static final Set<String> FUNCTIONS =
            Set.of("raise_exception", "namespace", "dict", "range", "strftime_now");
    private static final long FARTHEST = 1 << 30;
    /// What one part of a date costs, in characters read.
    private static final int DATE_PART = 1_000;

    private final Scopes scopes;
    private final Budget budget;
    private final Tests tests;
    private final Filters filters;
    private final Methods methods;
    private final Macros macros;
    private final LocalDateTime now;

    /// A function that is always there; a template can ask whether it is.
    record Function(String name) {}

    /// Calls what a template defines.
    interface Macros {
        @Nullable
        Object call(Object of, List<@Nullable Object> values, Map<String, @Nullable Object> named, int line)
                throws TemplateException;
    }

    Evaluator(Scopes scopes, Budget budget, Macros macros, LocalDateTime now) {
        this.scopes = scopes;
        this.budget = budget;
        tests = new Tests(budget);
        methods = new Methods(budget);
        filters = new Filters(budget, methods, tests);
        this.macros = macros;
        this.now = now;
    }

    @Nullable
    Object value(Expression expression, int line) throws TemplateException {
        budget.step();
        return switch (expression) {
            case Expression.Literal(var literal) -> literal;
            case Expression.Items(List<Expression> items) -> values(items, line);
            case Expression.Entries(List<Expression> keys, List<Expression> values) -> {
                budget.map(keys.size());
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                for (int i = 0; i < keys.size(); i++) {
                    map.put(budget.key(Values.text(budget, value(keys.get(i), line))), value(values.get(i), line));
                }
                yield map;
            }
            case Expression.Name(String name) -> scopes.get(name) instanceof Undefined nothing
                    ? FUNCTIONS.contains(name) ? new Function(name) : nothing : scopes.get(name);
            case Expression.Member(Expression of, Expression key) -> member(value(of, line), value(key, line), line);
            case Expression.Slice slice -> slice(slice, line);
            case Expression.Call call -> call(call, line);
            case Expression.Filter(Expression of, String name, Arguments given) ->
                filters.apply(name, value(of, line), values(given.values(), line), named(given, line), line);
            case Expression.Test(Expression of, String name, Arguments given) ->
                tests.holds(name, value(of, line), values(given.values(), line), line);
            case Expression.Not(Expression of) -> !Values.isTrue(value(of, line));
            case Expression.Negative(Expression of) -> switch (value(of, line)) {
                case Long number -> -number;
                case Double number -> -number;
                case null, default -> throw new TemplateException(line, "only numbers can be negative.");
            };
            case Expression.Pair pair -> pair(pair, line);
            case Expression.Choice(var condition, var then, var otherwise) ->
                Values.isTrue(value(condition, line)) ? value(then, line) : otherwise == null ? new Undefined("else")
                        : value(otherwise, line);
        };
    }

    private List<@Nullable Object> values(List<Expression> expressions, int line) throws TemplateException {
        budget.list(expressions.size(), 0);
        List<@Nullable Object> values = new ArrayList<>();
        for (Expression expression : expressions) {
            values.add(value(expression, line));
        }
        return values;
    }

    private Map<String, @Nullable Object> named(Arguments given, int line) throws TemplateException {
        budget.map(given.named().size());
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        for (Map.Entry<String, Expression> entry : given.named().entrySet()) {
            named.put(entry.getKey(), value(entry.getValue(), line));
        }
        return named;
    }

    private @Nullable Object member(@Nullable Object of, @Nullable Object key, int line) throws TemplateException {
        return switch (of) {
            case Undefined nothing -> throw new TemplateException(line, "\"" + OneLine.of(nothing.name())
                    + "\" has no value, so it has no \"" + OneLine.of(Values.text(budget, key)) + "\".");
            case Map<?, ?> map -> entry(map, key);
            case Namespace(var attributes) -> entry(attributes, key);
            case List<?> list when key instanceof Long index && inside(index, list.size()) ->
                list.get((int) (index < 0 ? index + list.size() : index));
            case String text when key instanceof Long index && inside(index, text.length()) -> {
                int at = (int) (index < 0 ? index + text.length() : index);
                yield text.substring(at, at + 1);
            }
            case null, default -> new Undefined(Values.text(budget, key));
        };
    }

    private @Nullable Object entry(Map<?, ?> map, @Nullable Object key) {
        String name = budget.key(Values.text(budget, key));
        return map.containsKey(name) ? map.get(name) : new Undefined(name);
    }

    private static boolean inside(long index, int size) {
        return index < size && index >= -size;
    }

    private @Nullable Object slice(Expression.Slice slice, int line) throws TemplateException {
        Object of = value(slice.of(), line);
        int size = of instanceof String text ? text.length() : of instanceof List<?> list ? list.size() : -1;
        if (size < 0) {
            throw new TemplateException(line, "only texts and lists have parts.");
        }
        long step = bound(slice.step(), 1, line);
        if (step == 0) {
            throw new TemplateException(line, "a step of 0 has no end.");
        }
        long from = place(bound(slice.from(), step > 0 ? 0 : size - 1, line), size, step, slice.from() != null);
        long to = slice.to() == null ? (step > 0 ? size : -1) : place(bound(slice.to(), 0, line), size, step, true);
        budget.readValue(of);
        List<@Nullable Object> items = new ArrayList<>();
        StringBuilder letters = new StringBuilder();
        for (long i = from; step > 0 ? i < to : i > to; i += step) {
            if (of instanceof String text) {
                letters.append(text.charAt((int) i));
            } else if (of instanceof List<?> list) {
                items.add(list.get((int) i));
            }
        }
        return budget.made(of instanceof String ? letters.toString() : items);
    }

    private long bound(@Nullable Expression expression, long otherwise, int line) throws TemplateException {
        Object value = expression == null ? null : value(expression, line);
        if (value != null && !(value instanceof Long)) {
            throw new TemplateException(line, "bounds of parts are whole numbers.");
        }
        return value instanceof Long number ? Math.clamp(number, -FARTHEST, FARTHEST) : otherwise;
    }

    private static long place(long bound, int size, long step, boolean given) {
        long at = given && bound < 0 ? bound + size : bound;
        return step > 0 ? Math.clamp(at, 0, size) : Math.clamp(at, -1, size - 1L);
    }

    private @Nullable Object call(Expression.Call call, int line) throws TemplateException {
        List<@Nullable Object> values = values(call.arguments().values(), line);
        Map<String, @Nullable Object> named = named(call.arguments(), line);
        if (call.of() instanceof Expression.Member(Expression of, Expression.Literal(Object key))
                && key instanceof String method) {
            Object owner = value(of, line);
            if (!(owner instanceof Map<?, ?> map && map.containsKey(budget.key(method)))) {
                return methods.call(owner, method, values, line);
            }
        }
        if (call.of() instanceof Expression.Name(String name) && scopes.get(name) instanceof Undefined) {
            return function(name, values, named, line);
        }
        Object of = value(call.of(), line);
        if (of == null) {
            throw new TemplateException(line, "it calls what is no function.");
        }
        return macros.call(of, values, named, line);
    }

    private @Nullable Object function(String name, List<@Nullable Object> values, Map<String, @Nullable Object> named,
            int line) throws TemplateException {
        return switch (name) {
            case "raise_exception" -> throw new TemplateException(line, "the template refuses this: "
                    + OneLine.of(values.isEmpty() ? "" : Values.text(budget, values.getFirst())));
            case "namespace" -> {
                budget.map(named.size());
                yield new Namespace(new LinkedHashMap<>(named));
            }
            case "dict" -> named;
            case "range" -> range(values, line);
            case "strftime_now" -> dated(values.isEmpty() ? "" : Values.text(budget, values.getFirst()), line);
            default -> throw new TemplateException(line, "the function \"" + name + "\" is not supported.");
        };
    }

    /// As Python's strftime, in English.
    private String dated(String format, int line) throws TemplateException {
        StringBuilder dated = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char letter = format.charAt(i);
            if (letter != '%' || i + 1 == format.length()) {
                dated.append(letter);
                continue;
            }
            String pattern = switch (format.charAt(++i)) {
                case 'Y' -> "uuuu";
                case 'y' -> "uu";
                case 'm' -> "MM";
                case 'd' -> "dd";
                case 'b' -> "MMM";
                case 'B' -> "MMMM";
                case 'a' -> "EEE";
                case 'A' -> "EEEE";
                case 'H' -> "HH";
                case 'M' -> "mm";
                case 'S' -> "ss";
                case 'j' -> "DDD";
                case '%' -> "'%'";
                default ->
                    throw new TemplateException(line, "the date format %" + format.charAt(i) + " is not supported.");
            };
            budget.read(DATE_PART);
            dated.append(DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(now));
        }
        budget.text(dated.length());
        return dated.toString();
    }

    private List<Object> range(List<@Nullable Object> values, int line) throws TemplateException {
        List<Long> bounds = values.stream().filter(Long.class::isInstance).map(Long.class::cast).toList();
        if (bounds.size() != values.size() || bounds.isEmpty() || bounds.size() > 3) {
            throw new TemplateException(line, "range needs one to three whole numbers.");
        }
        long from = bounds.size() == 1 ? 0 : bounds.getFirst();
        long to = bounds.size() == 1 ? bounds.getFirst() : bounds.get(1);
        long step = bounds.size() == 3 ? bounds.get(2) : 1;
        List<Object> items = new ArrayList<>();
        for (long i = from; step != 0 && (step > 0 ? i < to : i > to); i += step) {
            budget.list(1, 1);
            items.add(i);
            if (items.size() > Budget.MOST_ITEMS) {
                throw new TemplateException(line, "a list has more than " + Budget.MOST_ITEMS + " items.");
            }
        }
        return items;
    }

    private @Nullable Object pair(Expression.Pair pair, int line) throws TemplateException {
        Object left = value(pair.left(), line);
        switch (pair.operator()) {
            case "and" -> {
                return Values.isTrue(left) ? value(pair.right(), line) : left;
            }
            case "or" -> {
                return Values.isTrue(left) ? left : value(pair.right(), line);
            }
            default -> {
                Object right = value(pair.right(), line);
                return switch (pair.operator()) {
                    case "==" -> Values.areEqual(budget, left, right);
                    case "!=" -> !Values.areEqual(budget, left, right);
                    case "in" -> contains(right, left, line);
                    case "~" -> Arithmetic.of(budget, "+", Values.text(budget, left), Values.text(budget, right), line);
                    case "<", "<=", ">", ">=" -> compared(pair.operator(), left, right, line);
                    default -> Arithmetic.of(budget, pair.operator(), left, right, line);
                };
            }
        }
    }

    private boolean compared(String operator, @Nullable Object left, @Nullable Object right, int line)
            throws TemplateException {
        int order;
        if (left instanceof Number a && right instanceof Number b) {
            order = Double.compare(a.doubleValue(), b.doubleValue());
        } else if (left instanceof String a && right instanceof String b) {
            budget.read(Math.min(a.length(), b.length()));
            order = a.compareTo(b);
        } else {
            throw new TemplateException(line, "\"" + operator + "\" compares two numbers or two texts.");
        }
        return switch (operator) {
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    private boolean contains(@Nullable Object whole, @Nullable Object part, int line) throws TemplateException {
        return switch (whole) {
            case String text ->
                part instanceof String sought && (sought.isEmpty() || new Search(budget, text, sought).next(0) >= 0);
            case List<?> list -> Values.has(budget, list, part);
            case Map<?, ?> map -> map.containsKey(budget.key(Values.text(budget, part)));
            case Undefined nothing -> false;
            case null, default -> throw new TemplateException(line, "\"in\" needs a text, a list or a map.");
        };
    }

    /// What a loop goes over.
    List<?> items(@Nullable Object of, int line) throws TemplateException {
        return switch (of) {
            case List<?> list -> {
                budget.list(list.size(), 0);
                yield new ArrayList<>(list);
            }
            case Map<?, ?> map -> {
                budget.list(map.size(), 0);
                yield new ArrayList<>(map.keySet());
            }
            case String text -> Filters.letters(budget, text);
            case Undefined nothing -> List.of();
            case null, default -> throw new TemplateException(line, "a loop needs a list, a map or a text.");
        };
    }

    /// Gives names to a value, or to the items of one.
    void assign(List<String> names, @Nullable Object value, int line) throws TemplateException {
        if (names.size() == 1) {
            scopes.set(names.getFirst(), value);
            return;
        }
        if (!(value instanceof List<?> items) || items.size() != names.size()) {
            throw new TemplateException(line, "there are " + names.size() + " names for another number of values.");
        }
        for (int i = 0; i < names.size(); i++) {
            scopes.set(names.get(i), items.get(i));
        }
    }
}
