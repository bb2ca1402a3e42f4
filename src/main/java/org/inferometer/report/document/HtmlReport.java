package org.inferometer.report.document;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.inferometer.record.Verdict;
import org.inferometer.report.Finding;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Align;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.document.ReportOutline.ReportSection;

/// A report as one self-contained page: charts are inline SVG in both shades, all text is escaped, nothing is loaded.
final class HtmlReport {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 340;
    private static final int PANEL_WIDTH = 520;
    private static final int PANEL_HEIGHT = 250;
    private final ReportDocument document;
    private final ChartRenderer renderer;
    private int charts;

    HtmlReport(ReportDocument document, ChartRenderer renderer) {
        this.document = document;
        this.renderer = renderer;
    }

    String render() {
        return template().execute(Map.of("title", document.title(), "byLine", document.outline().byLine(), "footer",
                document.footer(), "parts", document.parts(), "sections",
                document.outline().sections().stream().map(this::section).toList()));
    }

    /// One entry under the name of the section.
    private Map<String, Object> section(ReportSection section) {
        return switch (section) {
            case ANSWER -> Map.of("answers", document.parts().stream().map(this::answer).toList());
            case TABLES -> document.comparison().isEmpty() && document.definitions().isEmpty() ? Map.of()
                    : Map.of("figures", Map.of("shared", document.tables().shared(), "tables",
                            document.tables().tables().stream().map(HtmlReport::table).toList(), "hasDefinitions",
                            !document.definitions().isEmpty(), "definitions", document.definitions()));
            case DIFFERENCES -> Map.of("differences", document.differences().stream().map(HtmlReport::table).toList());
            case FINDINGS -> Map.of("findings",
                    document.parts().stream()
                            .filter(part -> !part.otherFindings().isEmpty() || !part.explanations().isEmpty())
                            .map(this::findings).toList());
            case CHARTS -> Map.of("charts",
                    document.parts().stream().filter(part -> !document.otherCharts(part).isEmpty())
                            .map(part -> named(part, "pictures",
                                    document.otherCharts(part).stream().map(chart -> chart(part, chart)).toList()))
                            .toList());
            case ENVIRONMENT -> Map.of("environments",
                    document.parts().stream()
                            .map(part -> named(part, "rows", part.environment().entrySet().stream()
                                    .map(row -> Map.of("name", row.getKey(), "value", row.getValue())).toList()))
                            .toList());
            case REPRODUCE -> Map.of("commands",
                    document.parts().stream().map(part -> named(part, "command", part.command())).toList());
            case NOTES -> {
                List<String> own = document.outline().noteLines();
                yield Map.of("ownNotes", own.isEmpty() ? List.of() : List.of(Map.of("lines", own)), "notes",
                        document.parts().stream().filter(part -> !part.notes().isEmpty())
                                .map(part -> named(part, "items", part.notes())).toList());
            }
        };
    }

    /// @param name of what a part shows
    private Map<String, Object> named(ReportDocument.Part part, String name, Object shown) {
        return Map.of("id", part.id(), "named", document.parts().size() > 1, name, shown);
    }

    private Map<String, Object> findings(ReportDocument.Part part) {
        Map<String, Object> shown = new HashMap<>(
                named(part, "items", part.otherFindings().stream().map(finding -> finding(part, finding)).toList()));
        shown.put("hasItems", !part.otherFindings().isEmpty());
        shown.put("hasExplanations", !part.explanations().isEmpty());
        shown.put("explanations", part.explanations());
        return shown;
    }

    private static Template template() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.html.mustache");
                Reader reader = new InputStreamReader(Objects.requireNonNull(in, "The report template is missing."),
                        StandardCharsets.UTF_8)) {
            return Mustache.compiler().escapeHTML(true).emptyStringIsFalse(true).compile(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, Object> answer(ReportDocument.Part part) {
        Map<String, Object> shown = new HashMap<>(
                named(part, "answer", part.firstFindings().stream().map(finding -> finding(part, finding)).toList()));
        shown.put("verdict", part.verdict().map(HtmlReport::verdict).map(List::of).orElse(List.of()));
        shown.put("notJudged", part.notJudged().toString());
        List<ChartSheet> first = document.firstCharts(part);
        shown.put("hasFirstCharts", !first.isEmpty());
        shown.put("firstCharts", first.stream().map(chart -> chart(part, chart)).toList());
        return shown;
    }

    private static Map<String, Object> verdict(Verdict verdict) {
        return Map.of("cssClass", verdict.grade().name().toLowerCase(Locale.ROOT), "grade", verdict.grade().name(),
                "meaning", VerdictText.meaning(verdict), "open",
                VerdictText.open(verdict).stream()
                        .map(condition -> Map.of("state", VerdictText.label(condition.state()), "name",
                                condition.name(), "observed", condition.observed(), "remedy", condition.remedy()))
                        .toList());
    }

    /// A finding with a link to its chart.
    private Map<String, Object> finding(ReportDocument.Part part, Finding finding) {
        return Map.of("text", finding.text(), "links", document.chartOf(part, finding)
                .map(chart -> Map.of("anchor", anchor(part, chart), "chart", chart.title())).stream().toList());
    }

    private String anchor(ReportDocument.Part part, ChartSheet chart) {
        int place = 1;
        while (document.parts().get(place - 1) != part) {
            place++;
        }
        return "chart-" + place + "-" + chart.id();
    }

    private Map<String, Object> chart(ReportDocument.Part part, ChartSheet chart) {
        charts++;
        boolean alone = chart.across() == 1;
        int width = alone ? WIDTH : PANEL_WIDTH;
        int height = alone ? HEIGHT : PANEL_HEIGHT;
        ChartSheet named = chart.from(part.source());
        return Map.of("anchor", anchor(part, chart), "cssClass", alone ? "chart" : "chart panels", "light",
                renderer.svg(named, width, height, Shade.LIGHT, "c" + charts + "l-"), "dark",
                renderer.svg(named, width, height, Shade.DARK, "c" + charts + "d-"), "alt", chart.panels().stream()
                        .map(panel -> panel.title() + ". " + panel.footer()).collect(Collectors.joining(". ")));
    }

    private static Map<String, Object> table(ReportTable table) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (ReportTable.Row row : table.rows()) {
            boolean heading = row.kind() == ReportTable.RowKind.HEADING;
            List<Map<String, Object>> cells = new ArrayList<>();
            for (int c = 0; c < row.cells().size(); c++) {
                cells.add(Map.of("text", row.cells().get(c).strip(), "align", cssClass(table.columns().get(c).align()),
                        "span", heading ? table.columns().size() : 1));
            }
            rows.add(Map.of("cells", cells, "rowClass", heading ? "group" : "row"));
        }
        return Map.of("title", table.title(), "caption", table.caption(), "columns", table.columns().stream().map(
                column -> Map.of("header", column.header(), "unit", column.unit(), "align", cssClass(column.align())))
                .toList(), "rows", rows, "footnotes", table.footnotes());
    }

    private static String cssClass(Align align) {
        return align == Align.RIGHT ? "right" : "left";
    }
}
