package org.inferometer.prompting.template;

import java.util.ArrayList;
import java.util.List;

/// A part of a template: text, a value `{{ }}`, or a statement `{% %}`.
///
/// @param code the text, or the code between the marks
record Piece(Kind kind, String code, int line) {
    enum Kind {
        TEXT, VALUE, STATEMENT
    }

    /// Cuts a template into its pieces. As transformers does, a line feed after a statement goes (`trim_blocks`), and so do blanks before
    /// a statement that begins its line (`lstrip_blocks`); a hyphen in a mark removes all white space on its side.
    static List<Piece> of(String template) throws TemplateException {
        List<Piece> pieces = new ArrayList<>();
        String source = template.replace("\r\n", "\n");
        // The last line feed of a template does not count.
        String text = source.endsWith("\n") ? source.substring(0, source.length() - 1) : source;
        int at = 0;
        int line = 1;
        boolean stripNext = false;
        boolean trimNext = false;
        while (at < text.length()) {
            int mark = nextMark(text, at);
            String before = text.substring(at, mark < 0 ? text.length() : mark);
            boolean trims = trimNext && before.startsWith("\n");
            int lineOfMark = line + feeds(before);
            if (stripNext) {
                before = before.stripLeading();
            } else if (trims) {
                before = before.substring(1);
            }
            if (mark < 0) {
                add(pieces, before, line);
                break;
            }
            char kind = text.charAt(mark + 1);
            boolean stripBefore = mark + 2 < text.length() && text.charAt(mark + 2) == '-';
            boolean keepBefore = mark + 2 < text.length() && text.charAt(mark + 2) == '+';
            if (stripBefore) {
                before = before.stripTrailing();
            } else if (kind != '{' && !keepBefore) {
                before = withoutIndent(before, at == 0 || trims);
            }
            add(pieces, before, line);
            line = lineOfMark;
            String closing = kind == '{' ? "}}" : kind == '%' ? "%}" : "#}";
            int end = end(text, mark + 2, closing, kind == '#');
            if (end < 0) {
                throw new TemplateException(line, "\"" + text.substring(mark, mark + 2) + "\" is not closed.");
            }
            stripNext = text.charAt(end - 1) == '-' && end - 1 > mark + 1;
            trimNext = kind != '{' && text.charAt(end - 1) != '+';
            int from = mark + 2 + (stripBefore || keepBefore ? 1 : 0);
            boolean closesWithSign = stripNext || text.charAt(end - 1) == '+';
            String code = text.substring(from, Math.max(from, closesWithSign ? end - 1 : end));
            if (kind != '#') {
                pieces.add(new Piece(kind == '{' ? Kind.VALUE : Kind.STATEMENT, code.strip(), line));
            }
            line += feeds(text.substring(mark, end));
            at = end + 2;
        }
        return pieces;
    }

    private static void add(List<Piece> pieces, String text, int line) {
        if (!text.isEmpty()) {
            pieces.add(new Piece(Kind.TEXT, text, line));
        }
    }

    private static int nextMark(String text, int from) {
        for (int at = text.indexOf('{', from); at >= 0 && at + 1 < text.length(); at = text.indexOf('{', at + 1)) {
            if ("{%#".indexOf(text.charAt(at + 1)) >= 0) {
                return at;
            }
        }
        return -1;
    }

    /// The end of a mark; marks in quotes do not count.
    private static int end(String text, int from, String closing, boolean comment) {
        char quote = 0;
        for (int at = from; at + 1 < text.length(); at++) {
            char letter = text.charAt(at);
            if (quote != 0) {
                if (letter == '\\') {
                    at++;
                } else if (letter == quote) {
                    quote = 0;
                }
            } else if (!comment && (letter == '"' || letter == '\'')) {
                quote = letter;
            } else if (text.startsWith(closing, at)) {
                return at;
            }
        }
        return -1;
    }

    /// Blanks before a statement that begins its line.
    private static String withoutIndent(String before, boolean beginsLine) {
        int feed = before.lastIndexOf('\n');
        boolean blank = before.substring(feed + 1).isBlank();
        return blank && (feed >= 0 || beginsLine) ? before.substring(0, feed + 1) : before;
    }

    private static int feeds(String text) {
        return (int) text.chars().filter(letter -> letter == '\n').count();
    }
}
