package org.inferometer.results.exchange;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.results.ResultFormatException;
import org.inferometer.units.LetterCase;

/// Tables as programs print them: Markdown, and SQL `INSERT` statements. Text around them is skipped.
final class WrittenTables {
    private static final String INSERT = "INSERT INTO ";
    private final Path path;
    private final String text;
    private String upper = "";
    private int at;

    /// Receives rows, the header first.
    interface Rows {
        void add(List<String> row) throws IOException;
    }

    private WrittenTables(Path path, String text) {
        this.path = path;
        this.text = text;
    }

    /// Reads the tables of a text; false, without a row, if it has none.
    static boolean read(Path path, String text, Rows rows) throws IOException {
        WrittenTables tables = new WrittenTables(path, text);
        if (text.regionMatches(true, 0, "CREATE TABLE", 0, 12) || text.regionMatches(true, 0, INSERT, 0, 12)) {
            return tables.sql(rows);
        }
        return tables.markdown(rows);
    }

    private boolean markdown(Rows rows) throws IOException {
        List<String> header = List.of();
        String before = "";
        boolean inside = false;
        for (String line : (Iterable<String>) text.lines().map(String::strip)::iterator) {
            boolean row = line.length() > 1 && line.startsWith("|") && line.endsWith("|");
            if (row && !before.isEmpty() && isRule(line)) {
                List<String> names = cells(before);
                if (header.isEmpty()) {
                    rows.add(names);
                } else if (!header.equals(names)) {
                    throw new ResultFormatException(path,
                            "the tables of the file have different columns. Import them as separate files.");
                }
                header = names;
                inside = true;
            } else if (row && inside) {
                rows.add(cells(line));
            } else {
                if (inside && line.startsWith("|")) {
                    throw new ResultFormatException(path, "a row of the table is cut off. Export the file again.");
                }
                inside = false;
            }
            before = row ? line : "";
        }
        return !header.isEmpty();
    }

    /// Whether a row separates a header from its rows: `|---|---:|`.
    private static boolean isRule(String row) {
        return row.contains("--") && row.chars().allMatch(c -> "|:- \t".indexOf(c) >= 0);
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        for (String cell : line.substring(1, line.length() - 1).split("\\|", -1)) {
            cells.add(cell.strip());
        }
        return cells;
    }

    private boolean sql(Rows rows) throws IOException {
        upper = LetterCase.upper(text);
        List<String> header = List.of();
        for (at = statement(0); at >= 0; at = statement(at)) {
            at += INSERT.length();
            List<String> names = list("(");
            List<String> values = list("VALUES");
            if (header.isEmpty()) {
                rows.add(names);
            } else if (!header.equals(names)) {
                throw fault("two statements name different columns");
            }
            header = names;
            rows.add(values);
        }
        return !header.isEmpty();
    }

    private int statement(int from) {
        return upper.indexOf(INSERT, from);
    }

    /// The items of the next list in brackets, which follows a word.
    private List<String> list(String word) throws ResultFormatException {
        int begin = upper.indexOf(word, at);
        int open = begin < 0 ? -1 : text.indexOf('(', begin);
        if (open < 0) {
            throw fault("a statement is cut off");
        }
        List<String> items = new ArrayList<>();
        StringBuilder item = new StringBuilder();
        boolean quoted = false;
        for (at = open + 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\'') {
                // A doubled quote stands for one.
                if (quoted && at + 1 < text.length() && text.charAt(at + 1) == '\'') {
                    item.append(c);
                    at++;
                } else {
                    quoted = !quoted;
                }
            } else if (!quoted && (c == ',' || c == ')')) {
                items.add(item.toString().strip());
                item.setLength(0);
                if (c == ')') {
                    return items;
                }
            } else {
                item.append(c);
            }
        }
        throw fault("a statement is cut off");
    }

    private ResultFormatException fault(String sentence) {
        return new ResultFormatException(path, sentence + ". Export the file again.");
    }
}
