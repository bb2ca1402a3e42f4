package org.inferometer.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.units.LinearPatterns;

/// A condition on names with `and`, `or`, `not` and parentheses, as pytest's `-k` and `-m` take it.
@LinearPatterns(value = "A text has at most 1,000 characters.", boundedText = true)
public final class NameExpression {
    private static final int LONGEST = 1000;
    private static final Pattern WORD = Pattern.compile("\\s*([()]|[\\w:+.\\[\\]/\\\\-]+)\\s*");

    private final String text;
    private final List<String> words;
    private int at;

    private NameExpression(String text, List<String> words) {
        this.text = text;
        this.words = words;
    }

    /// The condition of a text.
    ///
    /// @throws IllegalArgumentException in one sentence if it is none
    public static Condition parse(String text) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text);
        int end = 0;
        while (text.length() <= LONGEST && matcher.find() && matcher.start() == end) {
            words.add(matcher.group(1));
            end = matcher.end();
        }
        NameExpression expression = new NameExpression(text, words);
        if (end != text.length() || words.isEmpty()) {
            throw expression.wrong();
        }
        Condition condition = expression.anyOf();
        if (expression.at != words.size()) {
            throw expression.wrong();
        }
        return condition;
    }

    /// Whether a test meets the expression.
    @FunctionalInterface
    public interface Condition {
        /// @param matches whether a name of the expression matches the test
        boolean holds(Predicate<String> matches);
    }

    private Condition anyOf() {
        Condition left = allOf();
        while (next("or")) {
            Condition first = left;
            Condition second = allOf();
            left = matches -> first.holds(matches) || second.holds(matches);
        }
        return left;
    }

    private Condition allOf() {
        Condition left = one();
        while (next("and")) {
            Condition first = left;
            Condition second = one();
            left = matches -> first.holds(matches) && second.holds(matches);
        }
        return left;
    }

    private Condition one() {
        if (next("not")) {
            Condition inner = one();
            return matches -> !inner.holds(matches);
        }
        if (next("(")) {
            Condition inner = anyOf();
            if (!next(")")) {
                throw wrong();
            }
            return inner;
        }
        if (at == words.size() || List.of("and", "or", ")").contains(words.get(at))) {
            throw wrong();
        }
        String name = words.get(at++);
        return matches -> matches.test(name);
    }

    private boolean next(String word) {
        boolean there = at < words.size() && words.get(at).equals(word);
        at += there ? 1 : 0;
        return there;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("\"" + text + "\" is no condition. Write names with and, or, not and"
                + " parentheses, as in \"1k1k and not (tep8 or mtp3)\".");
    }
}
