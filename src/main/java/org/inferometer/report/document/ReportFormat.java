package org.inferometer.report.document;

import java.util.Locale;

/// The formats of a report.
public enum ReportFormat {
    /// One self-contained page.
    HTML,
    /// Markdown, with pictures beside it.
    MD,
    /// Plain text.
    TEXT,
    /// One row per figure of a cell, raw values.
    CSV,
    /// All figures and texts, raw values.
    JSON;

    /// The id on a command line: "html".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The ending of its files: "txt" for text.
    public String extension() {
        return this == TEXT ? "txt" : id();
    }
}
