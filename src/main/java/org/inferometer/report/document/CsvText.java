package org.inferometer.report.document;

import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.units.SpreadsheetText;

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

    private static String field(String text) {
        String plain = SpreadsheetText.harmless(text);
        return plain.chars().anyMatch(c -> c == ',' || c == ';' || c == '"' || c == '\t' || c == '\n' || c == '\r')
                ? "\"" + plain.replace("\"", "\"\"") + "\"" : plain;
    }
}
