package org.inferometer.report.document;

import java.util.List;
import java.util.stream.Collectors;

/// CSV as in RFC 4180 with line feeds. A field that a spreadsheet would run as a formula is written as text.
public final class CsvText {
    private final StringBuilder out = new StringBuilder();

    /// A table without header, for rows that are appended to a file.
    public CsvText() {}

    /// @param header names of the columns
    public CsvText(List<String> header) {
        row(header);
    }

    /// One field per column; an absent value is an empty field.
    public void row(List<String> fields) {
        out.append(fields.stream().map(CsvText::field).collect(Collectors.joining(","))).append('\n');
    }

    @Override
    public String toString() {
        return out.toString();
    }

    /// An apostrophe marks fields that begin like a formula as text; numbers keep their minus sign.
    private static String field(String text) {
        boolean formula = !text.isEmpty() && ("=+@\t\r".indexOf(text.charAt(0)) >= 0 || text.matches("(?s)-[^0-9.].*"));
        String plain = formula ? "'" + text : text;
        return plain.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                ? "\"" + plain.replace("\"", "\"\"") + "\"" : plain;
    }
}
