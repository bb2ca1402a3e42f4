package org.inferometer.report.document;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
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

    /// The same with host, user and paths.
    public Reports exact() {
        return new Reports(renderer, schedulers, TextAnonymizer.EXACT);
    }

    /// The report of some experiments, at least one.
    public Report of(List<ExperimentRecord> experiments, ReportOutline outline) {
        return new Report(experiments,
                () -> ReportDocument.of(experiments, outline, schedulers, safe.with(experiments)));
    }

    /// The report of a comparison, in one of [#OF_COMPARISONS]; its headline and two charts come first.
    ///
    /// @param command makes the same comparison
    public Report of(ResultComparison comparison, String command, ReportOutline outline) {
        return new Report(List.of(), () -> ReportDocument.of(comparison, command, outline, safe));
    }

    /// The formats of a comparison.
    public static final List<ReportFormat> OF_COMPARISONS =
            List.of(ReportFormat.HTML, ReportFormat.PDF, ReportFormat.MD, ReportFormat.TEXT);

    /// One report with chosen sections; CSV and JSON have all figures always.
    public final class Report {
        private final List<ExperimentRecord> experiments; // none of a comparison
        private final Supplier<ReportDocument> document;

        private Report(List<ExperimentRecord> experiments, Supplier<ReportDocument> document) {
            this.experiments = experiments;
            this.document = document;
        }

        /// As plain text; ends with a line feed.
        ///
        /// @param columns the widest line
        public String text(int columns) {
            return TextReport.render(document.get(), columns);
        }

        /// The bytes of its file. Markdown has no pictures then; [#write] puts them beside it.
        public byte[] bytes(ReportFormat format) {
            return switch (format) {
                case CSV -> new FigureExport(experiments, schedulers, safe.with(experiments)).csv();
                case JSON -> new FigureExport(experiments, schedulers, safe.with(experiments)).json();
                case HTML -> utf8(new HtmlReport(document.get(), renderer).render());
                case PDF -> PdfReport.render(document.get(), renderer);
                case MD -> utf8(MarkdownReport.render(document.get(), (part, chart) -> ""));
                case TEXT -> utf8(text(TEXT_COLUMNS));
            };
        }

        /// Writes it to a file atomically, with the pictures of Markdown in a folder beside it.
        ///
        /// @return the files written, the report first
        public List<Path> write(ReportFormat format, Path file) throws IOException {
            if (format != ReportFormat.MD) {
                AtomicFile.write(file, bytes(format));
                return List.of(file);
            }
            ReportDocument shown = document.get();
            String name = file.getFileName().toString();
            String folder = (name.endsWith(".md") ? name.substring(0, name.length() - 3) : name) + "-charts";
            List<Path> written = new ArrayList<>(List.of(file));
            written.addAll(pictures(shown, file.toAbsolutePath().resolveSibling(folder), ChartFormat.PNG));
            AtomicFile.write(file, utf8(MarkdownReport.render(shown, (part,
                    chart) -> (folder + "/" + pictureName(shown, part, chart, ChartFormat.PNG)).replace(" ", "%20"))));
            return written;
        }

        /// Writes each chart as a file into the folder and returns the files in order. A missing folder appears when it is complete.
        public List<Path> charts(Path folder, ChartFormat format) throws IOException {
            return pictures(document.get(), folder, format);
        }
    }

    private List<Path> pictures(ReportDocument document, Path folder, ChartFormat format) throws IOException {
        Map<String, byte[]> pictures = new LinkedHashMap<>();
        for (ReportDocument.Part part : document.parts()) {
            for (ChartSheet chart : part.charts()) {
                boolean alone = chart.across() == 1;
                pictures.put(pictureName(document, part, chart, format),
                        renderer.draw(chart.from(part.source()),
                                new Picture(format, alone ? PICTURE_WIDTH : PANEL_WIDTH,
                                        alone ? PICTURE_HEIGHT : PANEL_HEIGHT, PICTURE_SCALE,
                                        ChartRenderer.Shade.LIGHT)));
            }
        }
        return UnfinishedFolder.write(folder, pictures);
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
