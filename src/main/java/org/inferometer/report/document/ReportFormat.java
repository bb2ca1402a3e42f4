package org.inferometer.report.document;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.units.LetterCase;

/// The formats of a report.
public enum ReportFormat {
    /// One self-contained page.
    HTML,
    /// Pages to print.
    PDF,
    /// Markdown, with pictures beside it.
    MD,
    /// Plain text.
    TEXT,
    /// One row per figure of a cell, raw values.
    CSV,
    /// All figures and texts, raw values.
    JSON;

    /// The format whose ending a file has.
    public static Optional<ReportFormat> of(Path file) {
        String name = LetterCase.lower(String.valueOf(file.getFileName()));
        return Arrays.stream(values()).filter(format -> name.endsWith("." + format.extension())).findFirst();
    }

    /// The id on a command line: "html".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The ending of its files: "txt" for text.
    public String extension() {
        return this == TEXT ? "txt" : id();
    }
}
