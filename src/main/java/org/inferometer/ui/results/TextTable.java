package org.inferometer.ui.results;

import java.util.List;

/// A table whose cells are ready to be shown; the first column names the row, the others are figures.
public record TextTable(List<String> header, List<List<String>> rows) {
    /// A table without rows.
    public static TextTable empty() {
        return new TextTable(List.of(), List.of());
    }
}
