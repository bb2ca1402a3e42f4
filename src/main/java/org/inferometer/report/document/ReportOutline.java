package org.inferometer.report.document;
import java.util.List;
import java.util.Locale;
import org.inferometer.units.LetterCase;

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

    /// The sections of a report, in their usual order.
    public enum ReportSection {
        /// The verdict, the main finding and the two charts that show it.
        ANSWER,
        /// Other findings, and why each scheduler did as it did.
        FINDINGS,
        /// Figures of all cells, with the definitions of their metrics.
        TABLES,
        /// All charts but those of the answer.
        CHARTS,
        /// Machine, software, engines and loads.
        ENVIRONMENT,
        /// The properties of the environment in which results differ; without several results there are none.
        DIFFERENCES,
        /// Commands that measure the same again.
        REPRODUCE,
        /// Notes of runs and of the author.
        NOTES;

        /// The heading: "Environment".
        public String title() {
            return LetterCase.capitalized(name().toLowerCase(Locale.ROOT));
        }
    }
}
