package org.inferometer.suite.serving;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.inferometer.units.OneLine;

/// A pattern of a configuration, matched in time linear in the text, whatever the pattern is.
///
/// Lines are as Python's `re.MULTILINE` has them. Where the pattern as it stands finds nothing, blanks and comments in it are
/// left out, as `re.VERBOSE` does.
public final class LogPattern {
    private static final int LONGEST = 10_000;

    private final Pattern asWritten;
    private final Pattern verbose;

    private LogPattern(Pattern asWritten, Pattern verbose) {
        this.asWritten = asWritten;
        this.verbose = verbose;
    }

    /// @throws IllegalArgumentException in one sentence if it is no regular expression, or has look-around or references back
    public static LogPattern parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("The pattern is longer than " + LONGEST + " characters.");
        }
        try {
            return new LogPattern(Pattern.compile(text, Pattern.MULTILINE),
                    Pattern.compile(withoutBlanks(text), Pattern.MULTILINE));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "The pattern is no regular expression without look-around: " + OneLine.of(e.getDescription()) + ".",
                    e);
        }
    }

    /// Its groups, without the whole.
    public int groups() {
        return asWritten.groupCount();
    }

    /// Why it cannot give these metrics; empty if it can. With one group more, the last is the concurrency.
    public Optional<String> fault(List<String> metrics) {
        return metrics.isEmpty() ? Optional.of("The pattern needs names of metrics. Give metric_names.")
                : groups() >= metrics.size() ? Optional.empty()
                : Optional.of("The pattern has " + groups() + (groups() == 1 ? " group" : " groups") + " for "
                        + metrics.size() + " metrics.");
    }

    /// The groups of each place where it fits, in their order; an absent group is empty.
    ///
    /// @param most places at most
    public List<List<String>> matches(String text, int most) {
        List<List<String>> found = matches(asWritten, text, most);
        return found.isEmpty() ? matches(verbose, text, most) : found;
    }

    private static List<List<String>> matches(Pattern pattern, String text, int most) {
        List<List<String>> matches = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matches.size() < most && matcher.find()) {
            List<String> groups = new ArrayList<>();
            for (int i = 1; i <= matcher.groupCount(); i++) {
                groups.add(Objects.requireNonNullElse(matcher.group(i), ""));
            }
            matches.add(groups);
        }
        return matches;
    }

    private static String withoutBlanks(String text) {
        StringBuilder kept = new StringBuilder();
        boolean set = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                kept.append(c).append(text.charAt(++i));
            } else if (!set && c == '#') {
                int end = text.indexOf('\n', i);
                i = end < 0 ? text.length() : end;
            } else if (set || !Character.isWhitespace(c)) {
                set = c == '[' || (set && c != ']');
                kept.append(c);
            }
        }
        return kept.toString();
    }
}
