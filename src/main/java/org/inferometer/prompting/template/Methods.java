package org.inferometer.prompting.template;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// Methods of Python's texts and maps that templates call; none changes its value.
final class Methods {
    private Methods() {}

    static @Nullable Object call(@Nullable Object of, String name, List<@Nullable Object> given, int line)
            throws TemplateException {
        return switch (of) {
            case String text -> ofText(text, name, given, line);
            case Map<?, ?> map -> ofMap(map, name, given, line);
            case null, default -> throw unsupported(name, line);
        };
    }

    private static TemplateException unsupported(String name, int line) {
        return new TemplateException(line, "the method \"" + OneLine.of(name) + "\" is not supported here.");
    }

    private static @Nullable Object ofMap(Map<?, ?> map, String name, List<@Nullable Object> given, int line)
            throws TemplateException {
        return switch (name) {
            case "items" -> entries(map);
            case "keys" -> new ArrayList<Object>(map.keySet());
            case "values" -> new ArrayList<@Nullable Object>(map.values());
            case "get" -> {
                String key = Values.text(given.isEmpty() ? null : given.getFirst());
                yield map.containsKey(key) ? map.get(key) : given.size() > 1 ? given.get(1) : null;
            }
            default -> throw unsupported(name, line);
        };
    }

    static List<Object> entries(Map<?, ?> map) {
        List<Object> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(Arrays.asList(key, value)));
        return entries;
    }

    private static Object ofText(String text, String name, List<@Nullable Object> given, int line)
            throws TemplateException {
        return switch (name) {
            case "strip" -> stripped(text, letters(given), true, true);
            case "lstrip" -> stripped(text, letters(given), true, false);
            case "rstrip" -> stripped(text, letters(given), false, true);
            case "upper" -> text.toUpperCase(Locale.ROOT);
            case "lower" -> text.toLowerCase(Locale.ROOT);
            case "capitalize" -> Filters.capitalised(text);
            case "title" -> Filters.titled(text);
            case "startswith" -> begins(given).stream().anyMatch(text::startsWith);
            case "endswith" -> begins(given).stream().anyMatch(text::endsWith);
            case "split" -> split(text, given, line);
            case "replace" -> Filters.replaced(text, given, line);
            case "find" -> (long) text.indexOf(argument(given, 0));
            case "count" -> (long) count(text, argument(given, 0));
            case "join" -> !given.isEmpty() && given.getFirst() instanceof List<?> items
                    ? Filters.joined(items, text, line) : text;
            default -> throw unsupported(name, line);
        };
    }

    /// How often a text holds a part that is not empty.
    static int count(String text, String part) {
        int found = 0;
        for (int at = text.indexOf(part); at >= 0 && !part.isEmpty(); at = text.indexOf(part, at + part.length())) {
            found++;
        }
        return part.isEmpty() ? text.length() + 1 : found;
    }

    private static String argument(List<@Nullable Object> given, int index) {
        return index < given.size() ? Values.text(given.get(index)) : "";
    }

    private static List<String> begins(List<@Nullable Object> given) {
        Object first = given.isEmpty() ? "" : given.getFirst();
        return first instanceof List<?> several ? several.stream().map(Values::text).toList()
                : List.of(Values.text(first));
    }

    /// The letters to strip; empty for white space.
    private static String letters(List<@Nullable Object> given) {
        return given.isEmpty() || given.getFirst() == null ? "" : Values.text(given.getFirst());
    }

    static String stripped(String text, String letters, boolean left, boolean right) {
        int from = 0;
        int to = text.length();
        while (left && from < to && isStripped(text.charAt(from), letters)) {
            from++;
        }
        while (right && to > from && isStripped(text.charAt(to - 1), letters)) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isStripped(char letter, String letters) {
        return letters.isEmpty() ? Character.isWhitespace(letter) || letter == '\u00A0' : letters.indexOf(letter) >= 0;
    }

    private static List<Object> split(String text, List<@Nullable Object> given, int line) throws TemplateException {
        if (given.isEmpty() || given.getFirst() == null) {
            String inner = text.strip();
            return inner.isEmpty() ? new ArrayList<>() : new ArrayList<>(Arrays.asList((Object[]) inner.split("\\s+")));
        }
        String divider = Values.text(given.getFirst());
        if (divider.isEmpty()) {
            throw new TemplateException(line, "split needs a divider.");
        }
        int most = given.size() > 1 && given.get(1) instanceof Long count && count >= 0 && count < Integer.MAX_VALUE
                ? count.intValue() + 1 : -1;
        return new ArrayList<>(Arrays.asList((Object[]) text.split(Pattern.quote(divider), most)));
    }
}
