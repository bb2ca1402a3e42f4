package org.inferometer.prompting.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.inferometer.prompting.template.Values.Undefined;
import org.inferometer.units.LetterCase;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// What follows a bar: `text | trim`.
///
/// @param budget what they read and make counts here
record Filters(Budget budget, Methods methods, Tests tests) {
    private static final int MOST_INDENT = 64;
    private static final int LONGEST_NUMBER = 24;
    /// What reading a number costs, in characters read.
    private static final int PARSING = 128;
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,18}(\\.\\d{0,18})?");

    @Nullable
    Object apply(String name, @Nullable Object of, List<@Nullable Object> given, Map<String, @Nullable Object> named,
            int line) throws TemplateException {
        budget.step();
        budget.readValue(of);
        Object value = applied(name, of, given, named, line);
        return value == of || chooses(name, of) ? value : budget.made(value);
    }

    /// Whether a filter returns a value that is there already.
    private static boolean chooses(String name, @Nullable Object of) {
        return switch (name) {
            case "default", "d" -> true;
            case "first", "last" -> !(of instanceof String);
            default -> false;
        };
    }

    private @Nullable Object applied(String name, @Nullable Object of, List<@Nullable Object> given,
            Map<String, @Nullable Object> named, int line) throws TemplateException {
        return switch (name) {
            case "default", "d" -> of instanceof Undefined || (isFlag(given, named, 1, "boolean") && !Values.isTrue(of))
                    ? given.isEmpty() ? named.getOrDefault("default_value", "") : given.getFirst() : of;
            case "tojson" -> Values.json(budget, of,
                    named.get("indent") instanceof Long levels ? (int) Math.clamp(levels, 0, MOST_INDENT) : 0);
            case "string" -> Values.text(budget, of);
            case "safe", "e", "escape" -> of;
            case "int" -> whole(of);
            case "float" -> of instanceof Number number ? number.doubleValue() : decimal(Values.text(budget, of));
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

    private long whole(@Nullable Object of) {
        return switch (of) {
            case Long number -> number;
            case Double number -> number.longValue();
            case Boolean flag -> flag ? 1 : 0;
            case null, default -> (long) decimal(Values.text(budget, of));
        };
    }

    private double decimal(String text) {
        budget.read(PARSING);
        return NUMBER.matcher(text).matches() ? Double.parseDouble(text) : 0;
    }

    private @Nullable Object ofText(String name, String text, List<@Nullable Object> given,
            Map<String, @Nullable Object> named, int line) throws TemplateException {
        return switch (name) {
            case "trim" -> methods.stripped(text, methods.letters(given), true, true);
            case "upper" -> methods.cased(text, LetterCase::upper);
            case "lower" -> methods.cased(text, LetterCase::lower);
            case "capitalize" -> methods.cased(text, Filters::capitalised);
            case "title" -> methods.cased(text, Filters::titled);
            case "replace" -> methods.replaced(text, given, line);
            case "length", "count" -> (long) text.codePointCount(0, text.length());
            case "indent" -> indented(text, given, named);
            case "reverse" -> new StringBuilder(text).reverse().toString();
            case "list" -> letters(budget, text);
            case "first" -> text.isEmpty() ? new Undefined("first") : text.substring(0, 1);
            case "last" -> text.isEmpty() ? new Undefined("last") : text.substring(text.length() - 1);
            default -> throw unsupported(name, line);
        };
    }

    static TemplateException unsupported(String name, int line) {
        return new TemplateException(line, "the filter \"" + OneLine.of(name) + "\" is not supported for this value.");
    }

    private @Nullable Object ofItems(String name, @Nullable Object of, List<@Nullable Object> given,
            Map<String, @Nullable Object> named, int line) throws TemplateException {
        if (name.equals("items") && of instanceof Map<?, ?> map) {
            return methods.entries(map);
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
            case "join" -> methods.joined(items, given.isEmpty() ? "" : Values.text(budget, given.getFirst()));
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

    private List<@Nullable Object> unique(List<@Nullable Object> items, int line) throws TemplateException {
        for (Object item : items) {
            requireSimple(item, "unique", line);
            budget.read(levels(items) * (length(item) + 1L));
        }
        budget.map(items.size());
        // A map of one type finds texts that have the same hash by their order; one of both would try all.
        Set<String> texts = new HashSet<>();
        Set<Double> numbers = new HashSet<>();
        return new ArrayList<>(items.stream().filter(item -> item instanceof String text ? texts.add(text)
                : item instanceof Number number && numbers.add(number.doubleValue() + 0.0)).toList());
    }

    private List<@Nullable Object> sorted(List<@Nullable Object> items, int line) throws TemplateException {
        for (Object item : items) {
            requireSimple(item, "sort", line);
            // Merging compares an item once a level.
            budget.read(levels(items) * (length(item) + 1L));
        }
        if (items.stream().allMatch(Number.class::isInstance)) {
            items.sort(Comparator.comparingDouble(item -> item instanceof Number number ? number.doubleValue() : 0));
            return items;
        }
        budget.list(items.size(), items.size());
        List<ItemText> sorted = new ArrayList<>();
        for (Object item : items) {
            sorted.add(new ItemText(Values.text(budget, item), item));
        }
        sorted.sort(Comparator.comparing(ItemText::text));
        return new ArrayList<>(sorted.stream().map(ItemText::item).toList());
    }

    /// An item and its text, which is made once.
    private record ItemText(String text, @Nullable Object item) {}

    /// How often an item is compared where items are halved again and again.
    private static int levels(List<?> items) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(items.size());
    }

    private static int length(@Nullable Object item) {
        return item instanceof String text ? text.length() : LONGEST_NUMBER;
    }

    private static void requireSimple(@Nullable Object item, String name, int line) throws TemplateException {
        if (!(item instanceof String || item instanceof Number)) {
            throw unsupported(name, line);
        }
    }

    private @Nullable Object attribute(@Nullable Object item, String name) {
        return item instanceof Map<?, ?> map && map.containsKey(budget.key(name)) ? map.get(name) : new Undefined(name);
    }

    private List<@Nullable Object> mapped(List<@Nullable Object> items, List<@Nullable Object> given,
            Map<String, @Nullable Object> named, int line) throws TemplateException {
        List<@Nullable Object> mapped = new ArrayList<>();
        for (Object item : items) {
            mapped.add(named.containsKey("attribute") ? attribute(item, Values.text(budget, named.get("attribute")))
                    : apply(Values.text(budget, given.isEmpty() ? null : given.getFirst()), item,
                            given.subList(Math.min(1, given.size()), given.size()), named, line));
        }
        return mapped;
    }

    private List<@Nullable Object> chosen(List<@Nullable Object> items, List<@Nullable Object> given, boolean wanted,
            int line) throws TemplateException {
        List<@Nullable Object> chosen = new ArrayList<>();
        for (Object item : items) {
            Object value = attribute(item, Values.text(budget, given.isEmpty() ? null : given.getFirst()));
            boolean holds = given.size() < 2 ? Values.isTrue(value)
                    : tests.holds(Values.text(budget, given.get(1)), value, given.subList(2, given.size()), line);
            if (holds == wanted) {
                chosen.add(item);
            }
        }
        return chosen;
    }

    private List<@Nullable Object> tested(List<@Nullable Object> items, List<@Nullable Object> given, boolean wanted,
            int line) throws TemplateException {
        List<@Nullable Object> chosen = new ArrayList<>();
        for (Object item : items) {
            boolean holds = given.isEmpty() ? Values.isTrue(item)
                    : tests.holds(Values.text(budget, given.getFirst()), item, given.subList(1, given.size()), line);
            if (holds == wanted) {
                chosen.add(item);
            }
        }
        return chosen;
    }

    /// The characters of a text, each as a text.
    static List<Object> letters(Budget budget, String text) {
        budget.list(text.codePointCount(0, text.length()), text.codePointCount(0, text.length()));
        return new ArrayList<>(text.codePoints().mapToObj(Character::toString).toList());
    }

    static String capitalised(String text) {
        return text.isEmpty() ? text : LetterCase.upper(text.substring(0, 1)) + LetterCase.lower(text.substring(1));
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

    private String indented(String text, List<@Nullable Object> given, Map<String, @Nullable Object> named) {
        Object width = given.isEmpty() ? named.getOrDefault("width", 4L) : given.getFirst();
        String blanks = " ".repeat(width instanceof Long count ? (int) Math.clamp(count, 0, MOST_INDENT) : 4);
        boolean first = isFlag(given, named, 1, "first");
        boolean blank = isFlag(given, named, 2, "blank");
        budget.bytes(Budget.OBJECT_BYTES * (1 + text.chars().filter(letter -> letter == '\n').count()));
        String[] lines = text.split("\n", -1);
        StringBuilder indented = new StringBuilder();
        for (int i = 0; i < lines.length; i++) {
            boolean moved = i == 0 ? first : blank || !lines[i].isBlank();
            indented.append(i == 0 ? "" : "\n").append(moved ? blanks : "").append(lines[i]);
            Budget.requireText(indented.length());
        }
        return indented.toString();
    }
}
