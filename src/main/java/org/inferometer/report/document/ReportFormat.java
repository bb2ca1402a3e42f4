package org.inferometer.report.document;

import java.util.Locale;

/// What a report can be written as.
public enum ReportFormat {
    /// One self-contained page.
    HTML,
    /// Markdown, with pictures beside it.
    MD,
    /// What the terminal shows.
    TEXT,
    /// One row a figure of a cell, raw values.
    CSV,
    /// Everything a program wants, raw values.
    JSON;

    /// The spelling on the command line: "html".
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The ending of its files: "txt" for text.
    public String extension() {
        return this == TEXT ? "txt" : word();
    }
}
