package org.inferometer.units;

/// Cells of a table that no spreadsheet runs as a formula.
///
/// A part of a cell begins at its start and after each `;`, tab or line break, where a spreadsheet may divide it. A part whose first
/// character behind blanks and quotes is `=`, `+`, `-`, `@` or a wide form of them gets an apostrophe in front, unless it is a complete
/// number or one character alone. A cell that begins with a tab or line break gets one too.
public final class SpreadsheetText {
    private static final String OPERATORS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b";
    private static final String QUOTES = "\"'`\u00b4\u2018\u2019\u201c\u201d\uff02\uff07";

    private SpreadsheetText() {}

    /// The cell as harmless text; the same object if it is harmless already.
    public static String harmless(String cell) {
        StringBuilder marked = null;
        int copied = 0;
        for (int start = 0; start < cell.length(); start = partEnd(cell, start) + 1) {
            if (isFormula(cell, start, start == 0)) {
                marked = marked == null ? new StringBuilder(cell.length() + 8) : marked;
                marked.append(cell, copied, start).append('\'');
                copied = start;
            }
        }
        return marked == null ? cell : marked.append(cell, copied, cell.length()).toString();
    }

    /// The text of which [#harmless] made the cell.
    public static String original(String cell) {
        if (cell.indexOf('\'') < 0) {
            return cell;
        }
        StringBuilder text = new StringBuilder(cell.length());
        for (int start = 0; start < cell.length();) {
            int end = Math.min(partEnd(cell, start) + 1, cell.length());
            boolean marked = cell.charAt(start) == '\'' && isFormula(cell, start + 1, start == 0);
            text.append(cell, marked ? start + 1 : start, end);
            start = end;
        }
        return text.toString();
    }

    /// Whether a text is one complete decimal number: `-1`, `+2.5e-3`, `.5`.
    public static boolean isNumber(String text) {
        int at = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
        int whole = digitsEnd(text, at);
        boolean point = whole < text.length() && text.charAt(whole) == '.';
        int end = point ? digitsEnd(text, whole + 1) : whole;
        if (end - at - (point ? 1 : 0) == 0) {
            return false;
        }
        if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
            int exponent = end + 1;
            boolean signed = exponent < text.length() && (text.charAt(exponent) == '-' || text.charAt(exponent) == '+');
            int digits = signed ? exponent + 1 : exponent;
            end = digitsEnd(text, digits);
            return end > digits && end == text.length();
        }
        return end == text.length();
    }

    private static int digitsEnd(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    /// @param start of a part, behind its apostrophe if it has one
    /// @param first whether the part is the cell's first
    private static boolean isFormula(String cell, int start, boolean first) {
        int at = start;
        while (at < cell.length() && isSkipped(cell.charAt(at))) {
            at++;
        }
        if (at == cell.length() || OPERATORS.indexOf(cell.charAt(at)) < 0) {
            return first && at < cell.length() && cell.charAt(at) != ';' && isSeparator(cell.charAt(at));
        }
        String part = cell.substring(start, partEnd(cell, start)).strip();
        return part.length() > 1 && !isNumber(part);
    }

    /// Blanks, characters that are not seen, and quotes.
    private static boolean isSkipped(char c) {
        return !isSeparator(c) && (c <= ' ' || QUOTES.indexOf(c) >= 0
                || (c > 0x7e && (Character.isSpaceChar(c) || PlainText.isUnsafe(c) || c == PlainText.REPLACEMENT)));
    }

    private static boolean isSeparator(char c) {
        return c == ';' || c == '\t' || c == '\n' || c == '\r';
    }

    private static int partEnd(String cell, int start) {
        int end = start;
        while (end < cell.length() && !isSeparator(cell.charAt(end))) {
            end++;
        }
        return end;
    }
}
