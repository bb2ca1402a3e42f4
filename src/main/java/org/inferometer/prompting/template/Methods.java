package org.inferometer.prompting.template;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.inferometer.units.LetterCase;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;

/// Methods of Python's texts and maps that templates call; none changes its value.
///
/// @param budget what they read and make counts here
record Methods(Budget budget) {
    /// Characters that could be read while the case of one is changed.
    private static final long CASING = 8;

    @Nullable
    Object call(@Nullable Object of, String name, List<@Nullable Object> given, int line) throws TemplateException {
        budget.readValue(of);
        return switch (of) {
            case String text -> budget.made(ofText(text, name, given, line));
            // The value is there already.
            case Map<?, ?> map when name.equals("get") -> value(map, given);
            case Map<?, ?> map -> budget.made(ofMap(map, name, line));
            case null, default -> throw unsupported(name, line);
        };
    }

    private static TemplateException unsupported(String name, int line) {
        return new TemplateException(line, "the method \"" + OneLine.of(name) + "\" is not supported here.");
    }

    private @Nullable Object value(Map<?, ?> map, List<@Nullable Object> given) {
        String key = budget.key(Values.text(budget, given.isEmpty() ? null : given.getFirst()));
        return map.containsKey(key) ? map.get(key) : given.size() > 1 ? given.get(1) : null;
    }

    private Object ofMap(Map<?, ?> map, String name, int line) throws TemplateException {
        return switch (name) {
            case "items" -> entries(map);
            case "keys" -> new ArrayList<Object>(map.keySet());
            case "values" -> new ArrayList<@Nullable Object>(map.values());
            default -> throw unsupported(name, line);
        };
    }

    List<Object> entries(Map<?, ?> map) {
        budget.list(map.size(), 2L * map.size());
        List<Object> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(Arrays.asList(key, value)));
        return entries;
    }

    /// A text in another case, which takes longer for a letter than to read it.
    String cased(String text, UnaryOperator<String> change) {
        budget.read(CASING * text.length());
        return change.apply(text);
    }

    private Object ofText(String text, String name, List<@Nullable Object> given, int line) throws TemplateException {
        return switch (name) {
            case "strip" -> stripped(text, letters(given), true, true);
            case "lstrip" -> stripped(text, letters(given), true, false);
            case "rstrip" -> stripped(text, letters(given), false, true);
            case "upper" -> cased(text, LetterCase::upper);
            case "lower" -> cased(text, LetterCase::lower);
            case "capitalize" -> cased(text, Filters::capitalised);
            case "title" -> cased(text, Filters::titled);
            case "startswith" -> any(given, text::startsWith);
            case "endswith" -> any(given, text::endsWith);
            case "split" -> split(text, given, line);
            case "replace" -> replaced(text, given, line);
            case "find" ->
                (long) (argument(given, 0).isEmpty() ? 0 : new Search(budget, text, argument(given, 0)).next(0));
            case "count" -> (long) count(text, argument(given, 0));
            case "join" -> !given.isEmpty() && given.getFirst() instanceof List<?> items ? joined(items, text) : text;
            default -> throw unsupported(name, line);
        };
    }

    /// How often a text holds a part; an empty one is beside every character.
    private int count(String text, String part) {
        return part.isEmpty() ? text.length() + 1 : new Search(budget, text, part).count();
    }

    private String argument(List<@Nullable Object> given, int index) {
        return index < given.size() ? Values.text(budget, given.get(index)) : "";
    }

    private boolean any(List<@Nullable Object> given, Predicate<String> holds) {
        Object first = given.isEmpty() ? "" : given.getFirst();
        List<?> several = first instanceof List<?> list ? list : Arrays.asList(first);
        return several.stream().map(each -> Values.text(budget, each)).anyMatch(each -> {
            budget.read(each.length());
            return holds.test(each);
        });
    }

    /// The letters to strip; empty for white space.
    String letters(List<@Nullable Object> given) {
        return given.isEmpty() || given.getFirst() == null ? "" : Values.text(budget, given.getFirst());
    }

    String stripped(String text, String letters, boolean left, boolean right) {
        budget.read((long) text.length() * letters.length());
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

    private List<Object> split(String text, List<@Nullable Object> given, int line) throws TemplateException {
        if (given.isEmpty() || given.getFirst() == null) {
            return words(text);
        }
        String divider = Values.text(budget, given.getFirst());
        if (divider.isEmpty()) {
            throw new TemplateException(line, "split needs a divider.");
        }
        long most = given.size() > 1 && given.get(1) instanceof Long count && count >= 0 ? count : Long.MAX_VALUE;
        Search search = new Search(budget, text, divider);
        List<Object> parts = new ArrayList<>();
        int from = 0;
        for (int at = search.next(0); at >= 0 && parts.size() < most; at = search.next(from)) {
            parts.add(part(text, from, at));
            from = at + divider.length();
        }
        parts.add(part(text, from, text.length()));
        return parts;
    }

    private List<Object> words(String text) {
        List<Object> words = new ArrayList<>();
        int from = -1;
        for (int i = 0; i <= text.length(); i++) {
            boolean blank = i == text.length() || Character.isWhitespace(text.charAt(i));
            if (blank && from >= 0) {
                words.add(part(text, from, i));
            }
            from = blank ? -1 : from < 0 ? i : from;
        }
        return words;
    }

    private String part(String text, int from, int to) {
        budget.text(to - (long) from);
        return text.substring(from, to);
    }

    String joined(List<?> items, String divider) {
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < items.size(); i++) {
            joined.append(i == 0 ? "" : divider).append(Values.text(budget, items.get(i)));
            budget.readValue(divider);
            Budget.requireText(joined.length());
        }
        return joined.toString();
    }

    String replaced(String text, List<@Nullable Object> given, int line) throws TemplateException {
        if (given.size() < 2) {
            throw new TemplateException(line, "replace needs two texts.");
        }
        String from = Values.text(budget, given.getFirst());
        String to = Values.text(budget, given.get(1));
        if (from.isEmpty()) {
            budget.text(text.length() + (text.length() + 1L) * to.length());
            return text.replace(from, to);
        }
        Search search = new Search(budget, text, from);
        StringBuilder replaced = new StringBuilder();
        int after = 0;
        for (int at = search.next(0); at >= 0; at = search.next(after)) {
            replaced.append(text, after, at).append(to);
            budget.readValue(to);
            Budget.requireText(replaced.length());
            after = at + from.length();
        }
        return replaced.append(text, after, text.length()).toString();
    }
}
