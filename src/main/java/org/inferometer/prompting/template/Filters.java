package org.inferometer.prompting.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.prompting.template.Values.Undefined;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// What follows a bar: `text | trim`.
final class Filters {
    private static final int MOST_INDENT = 64;

    private Filters() {}

    static @Nullable Object apply(String name, @Nullable Object of, List<@Nullable Object> given,
            Map<String, @Nullable Object> named, int line) throws TemplateException {
        return switch (name) {
            case "default", "d" -> of instanceof Undefined || (isFlag(given, named, 1, "boolean") && !Values.isTrue(of))
                    ? given.isEmpty() ? named.getOrDefault("default_value", "") : given.getFirst() : of;
            case "tojson" -> Values.json(of,
                    named.get("indent") instanceof Long levels ? (int) Math.clamp(levels, 0, MOST_INDENT) : 0);
            case "string" -> Values.text(of);
            case "safe", "e", "escape" -> of;
            case "int" -> whole(of);
            case "float" -> of instanceof Number number ? number.doubleValue() : decimal(Values.text(of));
            case "abs" -> of instanceof Long number ? (Object) Math.abs(number)
                    : of instanceof Double number ? (Object) Math.abs(number)
                    : 0L;
            default -> of instanceof String text ? ofText(name, text, given, named, line)
                    : ofItems(name, of, given, named, line);
        };
    }

    private static boolean isFlag(List<@Nullable Object> given, Map<String, @Nullable Object> named, int index,
            String name) {
        return Values.isTrue(index < given.size() ? given.get(index) : named.get(name));
    }

    private static long whole(@Nullable Object of) {
        return switch (of) {
            case Long number -> number;
            case Double number -> number.longValue();
            case Boolean flag -> flag ? 1 : 0;
            case null, default -> (long) decimal(Values.text(of));
        };
    }

    private static double decimal(String text) {
        return text.matches("[+-]?\\d{1,18}(\\.\\d{0,18})?") ? Double.parseDouble(text) : 0;
    }

    private static @Nullable Object ofText(String name, String text, List<@Nullable Object> given,
            Map<String, @Nullable Object> named, int line) throws TemplateException {
        return switch (name) {
            case "trim" -> Methods.stripped(text,
                    given.isEmpty() || given.getFirst() == null ? "" : Values.text(given.getFirst()), true, true);
            case "upper" -> text.toUpperCase(Locale.ROOT);
            case "lower" -> text.toLowerCase(Locale.ROOT);
            case "capitalize" -> capitalised(text);
            case "title" -> titled(text);
            case "replace" -> replaced(text, given, line);
            case "length", "count" -> (long) text.codePointCount(0, text.length());
            case "indent" -> indented(text, given, named, line);
            case "reverse" -> new StringBuilder(text).reverse().toString();
            case "list" -> new ArrayList<Object>(text.codePoints().mapToObj(Character::toString).toList());
            case "first" -> text.isEmpty() ? new Undefined("first") : text.substring(0, 1);
            case "last" -> text.isEmpty() ? new Undefined("last") : text.substring(text.length() - 1);
            default -> throw unsupported(name, line);
        };
    }

    static TemplateException unsupported(String name, int line) {
        return new TemplateException(line, "the filter \"" + OneLine.of(name) + "\" is not supported for this value.");
    }

    private static @Nullable Object ofItems(String name, @Nullable Object of, List<@Nullable Object> given,
            Map<String, @Nullable Object> named, int line) throws TemplateException {
        if (name.equals("items") && of instanceof Map<?, ?> map) {
            return Methods.entries(map);
        }
        List<@Nullable Object> items = switch (of) {
            case List<?> list -> new ArrayList<>(list);
            case Map<?, ?> map -> new ArrayList<>(map.keySet());
            case Undefined nothing -> new ArrayList<>();
            case null, default -> throw unsupported(name, line);
        };
        return switch (name) {
            case "length", "count" -> (long) items.size();
            case "list" -> items;
            case "first" -> items.isEmpty() ? new Undefined("first") : items.getFirst();
            case "last" -> items.isEmpty() ? new Undefined("last") : items.getLast();
            case "join" -> joined(items, given.isEmpty() ? "" : Values.text(given.getFirst()), line);
            case "reverse" -> {
                Collections.reverse(items);
                yield items;
            }
            case "unique" -> unique(items, line);
            case "sort" -> sorted(items, line);
            case "map" -> mapped(items, given, named, line);
            case "selectattr", "rejectattr" -> chosen(items, given, name.equals("selectattr"), line);
            case "select", "reject" -> tested(items, given, name.equals("select"), line);
            default -> throw unsupported(name, line);
        };
    }

    private static List<@Nullable Object> unique(List<@Nullable Object> items, int line) throws TemplateException {
        for (Object item : items) {
            requireSimple(item, "unique", line);
        }
        return new ArrayList<>(new LinkedHashSet<>(items));
    }

    private static List<@Nullable Object> sorted(List<@Nullable Object> items, int line) throws TemplateException {
        for (Object item : items) {
            requireSimple(item, "sort", line);
        }
        boolean numbers = items.stream().allMatch(Number.class::isInstance);
        Comparator<@Nullable Object> byText = Comparator.comparing(Filters::simpleText);
        items.sort(
                numbers ? Comparator.comparingDouble(item -> item instanceof Number n ? n.doubleValue() : 0) : byText);
        return items;
    }

    private static String simpleText(@Nullable Object item) {
        return item instanceof String text ? text : String.valueOf(item);
    }

    private static void requireSimple(@Nullable Object item, String name, int line) throws TemplateException {
        if (!(item instanceof String || item instanceof Number)) {
            throw unsupported(name, line);
        }
    }

    private static @Nullable Object attribute(@Nullable Object item, String name) {
        return item instanceof Map<?, ?> map && map.containsKey(name) ? map.get(name) : new Undefined(name);
    }

    private static List<@Nullable Object> mapped(List<@Nullable Object> items, List<@Nullable Object> given,
            Map<String, @Nullable Object> named, int line) throws TemplateException {
        List<@Nullable Object> mapped = new ArrayList<>();
        for (Object item : items) {
            mapped.add(named.containsKey("attribute") ? attribute(item, Values.text(named.get("attribute")))
                    : apply(Values.text(given.isEmpty() ? null : given.getFirst()), item,
                            given.subList(Math.min(1, given.size()), given.size()), named, line));
        }
        return mapped;
    }

    private static List<@Nullable Object> chosen(List<@Nullable Object> items, List<@Nullable Object> given,
            boolean wanted, int line) throws TemplateException {
        List<@Nullable Object> chosen = new ArrayList<>();
        for (Object item : items) {
            Object value = attribute(item, Values.text(given.isEmpty() ? null : given.getFirst()));
            boolean holds = given.size() < 2 ? Values.isTrue(value)
                    : Tests.holds(Values.text(given.get(1)), value, given.subList(2, given.size()), line);
            if (holds == wanted) {
                chosen.add(item);
            }
        }
        return chosen;
    }

    private static List<@Nullable Object> tested(List<@Nullable Object> items, List<@Nullable Object> given,
            boolean wanted, int line) throws TemplateException {
        List<@Nullable Object> chosen = new ArrayList<>();
        for (Object item : items) {
            boolean holds = given.isEmpty() ? Values.isTrue(item)
                    : Tests.holds(Values.text(given.getFirst()), item, given.subList(1, given.size()), line);
            if (holds == wanted) {
                chosen.add(item);
            }
        }
        return chosen;
    }

    static String joined(List<?> items, String divider, int line) throws TemplateException {
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < items.size(); i++) {
            joined.append(i == 0 ? "" : divider).append(Values.text(items.get(i)));
            Scopes.requireBounded(joined.length(), line);
        }
        return joined.toString();
    }

    static String replaced(String text, List<@Nullable Object> given, int line) throws TemplateException {
        if (given.size() < 2) {
            throw new TemplateException(line, "replace needs two texts.");
        }
        String from = Values.text(given.getFirst());
        String to = Values.text(given.get(1));
        long found = from.isEmpty() ? text.length() + 1L : Methods.count(text, from);
        Scopes.requireBounded(text.length() + found * (to.length() - from.length()), line);
        return text.replace(from, to);
    }

    static String capitalised(String text) {
        return text.isEmpty() ? text
                : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1).toLowerCase(Locale.ROOT);
    }

    static String titled(String text) {
        StringBuilder titled = new StringBuilder();
        boolean begins = true;
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            titled.append(begins ? Character.toUpperCase(letter) : Character.toLowerCase(letter));
            begins = !Character.isLetterOrDigit(letter) && letter != '\'';
        }
        return titled.toString();
    }

    private static String indented(String text, List<@Nullable Object> given, Map<String, @Nullable Object> named,
            int line) throws TemplateException {
        Object width = given.isEmpty() ? named.getOrDefault("width", 4L) : given.getFirst();
        String blanks = " ".repeat(width instanceof Long count ? (int) Math.clamp(count, 0, MOST_INDENT) : 4);
        boolean first = isFlag(given, named, 1, "first");
        boolean blank = isFlag(given, named, 2, "blank");
        String[] lines = text.split("\n", -1);
        StringBuilder indented = new StringBuilder();
        for (int i = 0; i < lines.length; i++) {
            boolean moved = i == 0 ? first : blank || !lines[i].isBlank();
            indented.append(i == 0 ? "" : "\n").append(moved ? blanks : "").append(lines[i]);
        }
        return Scopes.bounded(indented.toString(), line);
    }
}
