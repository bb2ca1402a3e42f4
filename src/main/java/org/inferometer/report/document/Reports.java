package org.inferometer.report.document;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ChartFormat;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.scheduling.SchedulerRegistry;

/// Writes experiments as reports. All except the summary are anonymized. Thread-safe.
public final class Reports {
    private static final int TEXT_COLUMNS = 110;
    private static final int PICTURE_WIDTH = 960;
    private static final int PICTURE_HEIGHT = 480;
    private static final int PANEL_WIDTH = 540;
    private static final int PANEL_HEIGHT = 290;
    private static final double PICTURE_SCALE = 2;
    private final ChartRenderer renderer;
    private final SchedulerRegistry schedulers;
    private final TextAnonymizer safe;

    /// @param schedulers for explanations
    /// @param safe removes host, user and paths
    public Reports(ChartRenderer renderer, SchedulerRegistry schedulers, TextAnonymizer safe) {
        this.renderer = renderer;
        this.schedulers = schedulers;
        this.safe = safe;
    }

    /// Tables, improvements over the baseline, explanations and findings as plain text; ends with a line feed.
    ///
    /// @param columns the widest line
    public String summary(ExperimentRecord experiment, int columns) {
        return TextReport.summary(experiment, schedulers, columns);
    }

    /// The report of one experiment as plain text; ends with a line feed.
    ///
    /// @param columns the widest line
    public String text(List<ExperimentRecord> experiments, int columns) {
        return TextReport.render(document(experiments, ReportOutline.USUAL), columns);
    }

    /// The same with host, user and paths.
    public Reports exact() {
        return new Reports(renderer, schedulers, TextAnonymizer.EXACT);
    }

    /// A report as the bytes of its file. Markdown has no pictures then; [#write] puts them beside it.
    ///
    /// @param experiments at least one
    public byte[] bytes(List<ExperimentRecord> experiments, ReportFormat format) {
        return bytes(experiments, ReportOutline.USUAL, format);
    }

    /// The same with chosen sections; CSV and JSON have all figures always.
    public byte[] bytes(List<ExperimentRecord> experiments, ReportOutline outline, ReportFormat format) {
        return bytes(experiments, outline, format, Map.of());
    }

    /// A comparison with chosen sections as the bytes of its file.
    ///
    /// @param command makes the same comparison
    /// @param format one of [#OF_COMPARISONS]
    public byte[] bytes(ResultComparison comparison, String command, ReportOutline outline, ReportFormat format) {
        return bytes(ComparisonDocument.of(comparison, command, outline, safe), format, Map.of());
    }

    /// Writes a report to a file atomically, with the pictures of Markdown in a folder beside it.
    ///
    /// @return the files written, the report first
    public List<Path> write(List<ExperimentRecord> experiments, ReportFormat format, Path file) throws IOException {
        return write(experiments, ReportOutline.USUAL, format, file);
    }

    /// The same with chosen sections.
    public List<Path> write(List<ExperimentRecord> experiments, ReportOutline outline, ReportFormat format, Path file)
            throws IOException {
        Map<String, String> pictures = new LinkedHashMap<>();
        List<Path> written = new ArrayList<>(List.of(file));
        if (format == ReportFormat.MD) {
            written.addAll(pictures(document(experiments, outline), file, pictures));
        }
        AtomicFile.write(file, bytes(experiments, outline, format, pictures));
        return written;
    }

    /// The formats of a comparison.
    public static final List<ReportFormat> OF_COMPARISONS =
            List.of(ReportFormat.HTML, ReportFormat.PDF, ReportFormat.MD, ReportFormat.TEXT);

    /// Writes a comparison to a file atomically; its headline and two charts come first. Pictures of Markdown are in a folder beside it.
    ///
    /// @param command makes the same comparison
    /// @param format one of [#OF_COMPARISONS]
    /// @return the files written, the report first
    public List<Path> write(ResultComparison comparison, String command, ReportFormat format, Path file)
            throws IOException {
        return write(comparison, command, ReportOutline.USUAL, format, file);
    }

    /// The same with chosen sections.
    public List<Path> write(ResultComparison comparison, String command, ReportOutline outline, ReportFormat format,
            Path file) throws IOException {
        ReportDocument document = ComparisonDocument.of(comparison, command, outline, safe);
        Map<String, String> pictures = new LinkedHashMap<>();
        List<Path> written = new ArrayList<>(List.of(file));
        if (format == ReportFormat.MD) {
            written.addAll(pictures(document, file, pictures));
        }
        AtomicFile.write(file, bytes(document, format, pictures));
        return written;
    }

    /// Writes the pictures of a Markdown file beside it.
    ///
    /// @param links gets the relative link of each by its file name
    private List<Path> pictures(ReportDocument document, Path file, Map<String, String> links) throws IOException {
        String name = file.getFileName().toString();
        String folder = (name.endsWith(".md") ? name.substring(0, name.length() - 3) : name) + "-charts";
        List<Path> written = charts(document, file.toAbsolutePath().resolveSibling(folder), ChartFormat.PNG);
        for (Path picture : written) {
            String pictureName = picture.getFileName().toString();
            links.put(pictureName, (folder + "/" + pictureName).replace(" ", "%20"));
        }
        return written;
    }

    /// Writes each chart as a file into the folder and returns the files in order. A missing folder appears when it is complete.
    public List<Path> charts(List<ExperimentRecord> experiments, Path folder, ChartFormat format) throws IOException {
        return charts(document(experiments, ReportOutline.USUAL), folder, format);
    }

    private List<Path> charts(ReportDocument document, Path folder, ChartFormat format) throws IOException {
        Map<String, byte[]> pictures = new LinkedHashMap<>();
        for (ReportDocument.Part part : document.parts()) {
            for (ChartSheet chart : part.charts()) {
                boolean alone = chart.across() == 1;
                pictures.put(pictureName(document, part, chart, format),
                        renderer.from(part.source()).draw(chart,
                                new Picture(format, alone ? PICTURE_WIDTH : PANEL_WIDTH,
                                        alone ? PICTURE_HEIGHT : PANEL_HEIGHT, PICTURE_SCALE,
                                        ChartRenderer.Shade.LIGHT)));
            }
        }
        return UnfinishedFolder.write(folder, pictures);
    }

    private byte[] bytes(List<ExperimentRecord> experiments, ReportOutline outline, ReportFormat format,
            Map<String, String> pictures) {
        return switch (format) {
            case CSV -> new FigureExport(experiments, schedulers, safe.with(experiments)).csv();
            case JSON -> new FigureExport(experiments, schedulers, safe.with(experiments)).json();
            case HTML, PDF, MD, TEXT -> bytes(document(experiments, outline), format, pictures);
        };
    }

    private byte[] bytes(ReportDocument document, ReportFormat format, Map<String, String> pictures) {
        return switch (format) {
            case HTML -> utf8(new HtmlReport(document, renderer).render());
            case PDF -> PdfReport.render(document, renderer);
            case MD -> markdown(document, pictures);
            case TEXT -> utf8(TextReport.render(document, TEXT_COLUMNS));
            case CSV, JSON -> throw new IllegalArgumentException(format.id() + " holds figures of experiments.");
        };
    }

    private static byte[] markdown(ReportDocument document, Map<String, String> pictures) {
        return utf8(new MarkdownReport(document,
                (part, chart) -> pictures.getOrDefault(pictureName(document, part, chart, ChartFormat.PNG), ""))
                .render());
    }

    private ReportDocument document(List<ExperimentRecord> experiments, ReportOutline outline) {
        return ReportDocument.of(experiments, outline, schedulers, safe.with(experiments));
    }

    private static String pictureName(ReportDocument document, ReportDocument.Part part, ChartSheet chart,
            ChartFormat format) {
        String prefix = document.parts().size() > 1 ? part.id().replaceAll("[^A-Za-z0-9_.-]", "_") + "-" : "";
        return prefix + chart.id() + "." + format.id();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
