package org.inferometer.report.document;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.record.Metric;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Align;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.compare.SchedulerExplanations.Paragraph;
import org.inferometer.report.document.ReportDocument.Part;
import org.inferometer.report.document.ReportDocument.TableNotes;

/// A report as GitHub Markdown.
public final class MarkdownReport implements ReportForm<RuntimeException> {
    private final BiFunction<Part, ChartSheet, String> picture;
    private final StringBuilder out = new StringBuilder();

    private MarkdownReport(BiFunction<Part, ChartSheet, String> picture) {
        this.picture = picture;
    }

    /// @param picture the relative link to the picture of a chart; empty for none
    public static String render(ReportDocument document, BiFunction<Part, ChartSheet, String> picture) {
        MarkdownReport report = new MarkdownReport(picture);
        report.write(document);
        return report.out.toString();
    }

    @Override
    public void title(String title, String byLine, List<String> parts) {
        line("# " + MarkdownText.of(title));
        if (!byLine.isEmpty()) {
            line("\n" + MarkdownText.paragraph(byLine));
        }
        parts.forEach(part -> line("\n" + MarkdownText.paragraph(part)));
    }

    @Override
    public void answer(Part part, String heading, List<String> findings, List<ChartSheet> charts) {
        if (heading.isEmpty()) {
            line("");
        } else {
            heading(heading);
        }
        line(part.verdict()
                .map(verdict -> "**" + verdict.grade().name() + "**: " + MarkdownText.of(VerdictText.meaning(verdict)))
                .orElse("**" + MarkdownText.of(part.notJudged().head()) + "**"
                        + MarkdownText.of(part.notJudged().rest())));
        part.conditions().forEach(condition -> line("- " + MarkdownText.paragraph(condition)));
        findings.forEach(finding -> line("\n" + MarkdownText.paragraph(finding)));
        if (!charts.isEmpty()) {
            line("");
            pictures(part, charts);
        }
    }

    @Override
    public void list(String heading, List<String> items) {
        if (!items.isEmpty()) {
            heading(heading);
            items.forEach(item -> line("- " + MarkdownText.paragraph(item)));
        }
    }

    @Override
    public void explanations(String heading, String of, List<Paragraph> explanations) {
        heading(heading + of);
        explanations.forEach(explanation -> {
            line("- " + MarkdownText.paragraph(explanation.heading()));
            explanation.seen().forEach(seen -> line("  - " + MarkdownText.paragraph(seen)));
        });
    }

    @Override
    public void tables(TableNotes tables, List<Metric> definitions) {
        if (!tables.tables().isEmpty()) {
            heading("Tables");
            tables.shared().forEach(shared -> line(MarkdownText.paragraph(shared) + "  "));
        }
        tables.tables().forEach(table -> table(table, false));
        if (!definitions.isEmpty()) {
            line("\n### Definitions\n");
            definitions.forEach(metric -> line(
                    "- **" + MarkdownText.of(metric.label()) + "**: " + MarkdownText.of(metric.definition())));
        }
    }

    @Override
    public void table(ReportTable table, boolean section) {
        line("\n" + (section ? "## " : "### ") + MarkdownText.of(table.title()) + "\n");
        if (!table.caption().isEmpty()) {
            line(MarkdownText.paragraph(table.caption()) + "\n");
        }
        out.append(row(table.columns().stream().map(ReportTable.Column::headerWithUnit).toList()));
        out.append(table.columns().stream().map(column -> column.align() == Align.RIGHT ? " ---: " : " --- ")
                .collect(Collectors.joining("|", "|", "|\n")));
        for (ReportTable.Row row : table.rows()) {
            switch (row.kind()) {
                case FIGURES -> out.append(row(row.cells()));
                case HEADING -> line("| **" + MarkdownText.of(row.cells().getFirst()) + "** "
                        + "| ".repeat(table.columns().size() - 1) + "|");
            }
        }
        if (!table.footnotes().isEmpty()) {
            line("\n" + MarkdownText.paragraph(String.join(" ", table.footnotes())));
        }
    }

    private static String row(List<String> cells) {
        return cells.stream().map(String::strip).map(MarkdownText::of).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    @Override
    public void charts(String heading, Part part, List<ChartSheet> charts) {
        if (charts.stream().anyMatch(chart -> !picture.apply(part, chart).isEmpty())) {
            heading(heading);
            pictures(part, charts);
        }
    }

    private void pictures(Part part, List<ChartSheet> charts) {
        charts.stream().filter(chart -> !picture.apply(part, chart).isEmpty()).forEach(
                chart -> line("![" + MarkdownText.of(chart.title()) + "](" + picture.apply(part, chart) + ")\n"));
    }

    @Override
    public void environment(String heading, Map<String, String> environment) {
        heading(heading);
        line("| | |\n| --- | --- |");
        environment.forEach((name, value) -> out.append(row(List.of(name, value))));
    }

    @Override
    public void commands(String heading, String commands) {
        heading(heading);
        // Text inside a fence could end it; an indented block cannot be ended.
        commands.lines().forEach(command -> line("    " + command));
    }

    @Override
    public void notes(String heading, List<String> lines) {
        heading(heading);
        lines.forEach(line -> line(MarkdownText.paragraph(line) + "\n"));
    }

    private void heading(String text) {
        line("\n## " + MarkdownText.of(text) + "\n");
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    /// Text in Markdown that GitHub, GitLab and CommonMark show as it is: no markup, HTML, mention, reference or link.
    ///
    /// A word that a site would link or notify stands in code quotes, the only form in which every site leaves it alone.
    static final class MarkdownText {
        /// The characters between which a word ends: blanks, and those that code quotes cannot hold.
        private static final Pattern WORD = Pattern.compile("[^\\s|`\\\\<>]++");
        /// `@name`, `a@b.com`, `scheme://host`, `www.host`, `mailto:a`, `#12`, `owner/repo#1`, `GH-12`, `!12`, `$12`, `$x$`, `%12`, `&12`, `~name`,
        /// `^name`, `:smile:`, `[name:12]` and a commit hash.
        private static final Pattern ACTIVE =
                Pattern.compile("[@$\uff20\uff03]|://|(?i:www\\.|mailto:|xmpp:|tel:|\\bgh-\\d)|[#!%&~^][\\p{L}\\d\"_{]"
                        + "|(?<!\\w):[a-z0-9_+-]++:|\\[\\w+:" + "|\\b(?=[0-9]{0,39}+[a-f])[0-9a-f]{7,40}+\\b");
        private static final Pattern LIST_NUMBER = Pattern.compile("(\\d{1,9})([.)].*)", Pattern.DOTALL);

        private MarkdownText() {}

        /// The text within a line, a heading, a list item or a cell of a table.
        static String of(String text) {
            StringBuilder safe = new StringBuilder(text.length() + 16);
            Matcher words = WORD.matcher(text);
            int at = 0;
            while (words.find()) {
                escape(text, at, words.start(), safe);
                if (ACTIVE.matcher(words.group()).find()) {
                    safe.append('`').append(words.group()).append('`');
                } else {
                    escape(text, words.start(), words.end(), safe);
                }
                at = words.end();
            }
            escape(text, at, text.length(), safe);
            return safe.toString();
        }

        /// The text as a paragraph, which does not become a list, a rule or a heading.
        static String paragraph(String text) {
            String safe = of(text.strip());
            Matcher number = LIST_NUMBER.matcher(safe);
            if (number.matches()) {
                return number.group(1) + "\\" + number.group(2);
            }
            return !safe.isEmpty() && "-+=:".indexOf(safe.charAt(0)) >= 0 ? "\\" + safe : safe;
        }

        private static void escape(String text, int from, int to, StringBuilder safe) {
            for (int i = from; i < to; i++) {
                char c = text.charAt(i);
                switch (c) {
                    case '\\', '*', '_', '[', ']', '#', '|', '~', '^' -> safe.append('\\').append(c);
                    case '`' -> safe.append("&#96;"); // an escaped one beside code quotes is read in two ways
                    case '<' -> safe.append("&lt;");
                    case '>' -> safe.append("&gt;");
                    case '&' -> safe.append("&amp;");
                    case '\n', '\r', '\t' -> safe.append(' ');
                    default -> safe.append(c);
                }
            }
        }
    }
}
