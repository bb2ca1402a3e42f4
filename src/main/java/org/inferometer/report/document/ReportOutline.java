package org.inferometer.report.document;

import java.util.List;

/// What a report contains, and in which order.
///
/// @param title above the report; empty for the usual one
/// @param author empty for none
/// @param date as text; empty for none
/// @param sections in order, each at most once
/// @param notes of the author, a paragraph a line; empty for none
public record ReportOutline(String title, String author, String date, List<ReportSection> sections, String notes) {
    /// All sections with the usual title.
    public static final ReportOutline USUAL = new ReportOutline("", "", "", List.of(ReportSection.values()), "");

    public ReportOutline {
        sections = List.copyOf(sections);
    }

    /// Whether the section is in the report.
    boolean has(ReportSection section) {
        return sections.contains(section);
    }

    /// "Ada Lovelace · 2026-11-23"; empty without author and date.
    String byLine() {
        return author.isEmpty() || date.isEmpty() ? author + date : author + " · " + date;
    }

    /// The author's notes without empty lines.
    List<String> noteLines() {
        return notes.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
}
