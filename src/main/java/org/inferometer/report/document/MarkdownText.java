package org.inferometer.report.document;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Text in Markdown that GitHub, GitLab and CommonMark show as it is: no markup, HTML, mention, reference or link.
///
/// A word that a site would link or notify stands in code quotes, the only form in which every site leaves it alone.
final class MarkdownText {
    /// The characters between which a word ends: blanks, and those that code quotes cannot hold.
    private static final Pattern WORD = Pattern.compile("[^\\s|`\\\\<>]++");
    /// `@name`, `a@b.com`, `scheme://host`, `www.host`, `mailto:a`, `#12`, `owner/repo#1`, `GH-12`, `!12`, `$12`, `$x$`, `%12`, `&12`, `~name`,
    /// `^name`, `:smile:`, `[name:12]` and a commit hash.
    private static final Pattern ACTIVE =
            Pattern.compile("[@$\uff20\uff03]|://|(?i:www\\.|mailto:|xmpp:|tel:|\\bgh-\\d)|[#!%&~^][\\p{L}\\d\"_{]"
                    + "|(?<![\\w:]):[a-z0-9_+-]++:|\\[\\w+:" + "|\\b(?=[0-9]{0,39}+[a-f])[0-9a-f]{7,40}+\\b");
    private static final Pattern LIST_NUMBER = Pattern.compile("(\\d{1,9})([.)].*)", Pattern.DOTALL);

    private MarkdownText() {}

    /// The text within a line, a heading, a list item or a cell of a table.
    static String of(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        Matcher words = WORD.matcher(text);
        int at = 0;
        while (words.find()) {
            escape(text, at, words.start(), safe);
            if (ACTIVE.matcher(words.group()).find()) {
                safe.append('`').append(words.group()).append('`');
            } else {
                escape(text, words.start(), words.end(), safe);
            }
            at = words.end();
        }
        escape(text, at, text.length(), safe);
        return safe.toString();
    }

    /// The text as a paragraph, which does not become a list, a rule or a heading.
    static String paragraph(String text) {
        String safe = of(text.strip());
        Matcher number = LIST_NUMBER.matcher(safe);
        if (number.matches()) {
            return number.group(1) + "\\" + number.group(2);
        }
        return !safe.isEmpty() && "-+=:".indexOf(safe.charAt(0)) >= 0 ? "\\" + safe : safe;
    }

    private static void escape(String text, int from, int to, StringBuilder safe) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\', '*', '_', '[', ']', '#', '|', '~', '^' -> safe.append('\\').append(c);
                case '`' -> safe.append("&#96;"); // an escaped one beside code quotes is read in two ways
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '\n', '\r', '\t' -> safe.append(' ');
                default -> safe.append(c);
            }
        }
    }
}
