package org.inferometer.ui.goals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.goals.WindowFigure.Statistic;
import org.inferometer.ui.results.OpenedExperiment;
import org.inferometer.ui.results.ResultExport;

/// Draws every chart of a large result as a picture, writes its report and its data, and watches the window meanwhile.
final class ExportCheck {
    private static final String GOAL = "G11";
    private static final String DATA = "aiperf";
    private final MeasuredWindow window;
    private final WindowCheck.Length options;
    private final List<Double> stalls = new ArrayList<>();
    private final Map<String, List<Double>> seconds = new TreeMap<>();
    private final Map<String, String> failures = new TreeMap<>();

    ExportCheck(MeasuredWindow window, WindowCheck.Length options) {
        this.window = window;
        this.options = options;
    }

    List<WindowFigure> measure() throws InterruptedException {
        OpenedExperiment opened = window.open();
        ExperimentRecord record = opened.record();
        Path folder = window.large().resolveSibling("exports");
        Path report = folder.resolve("report.html");
        for (int i = 0; i < options.times(); i++) {
            Path data = folder.resolve("data-" + i);
            for (ChartData chart : opened.charts()) {
                timed("png", () -> draw(chart, ChartFormat.PNG));
                timed("svg", () -> draw(chart, ChartFormat.SVG));
            }
            timed("report", () -> {
                Files.createDirectories(folder);
                window.services().results().reports().of(List.of(record), ReportOutline.USUAL).write(ReportFormat.HTML,
                        report);
                return report;
            });
            timed("data", () -> ResultExport.write(record, DATA, data));
        }
        window.close();
        String charts = opened.charts().size() + " charts of " + String.format(Locale.ROOT, "%,d", options.requests())
                + " requests.";
        return List.of(samples("png", "PNG, 1600×900 at 2×", 0.4, charts), samples("svg", "SVG, 1600×900", 0.3, ""),
                samples("report", "HTML report with all charts", 3.0, ""), size(report),
                samples("data", "requests as " + ResultExport.label(DATA) + " JSON", 4.0,
                        "There is no CSV of requests."),
                new WindowFigure(GOAL, "export_stall", "longest stall while one is written", "ms", Statistic.MAX, 16.0,
                        stalls.stream().mapToDouble(Double::doubleValue).toArray(), ""));
    }

    private byte[] draw(ChartData chart, ChartFormat format) {
        return window.services().renderer().draw(chart, new Picture(format, 1600, 900, 2, Shade.LIGHT));
    }

    private void timed(String what, Callable<?> export) throws InterruptedException {
        long began = window.probe().clock().nanos();
        CompletableFuture<Object> written = CompletableFuture.supplyAsync(() -> {
            try {
                return export.call();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        FxProbe.Reached done = window.probe().until(what + " written", written::isDone);
        if (written.isCompletedExceptionally()) {
            failures.put(what, ErrorText.sentence(written.exceptionNow()));
            return;
        }
        seconds.computeIfAbsent(what, key -> new ArrayList<>()).add((done.nanos() - began) / 1e9);
        stalls.add(done.stallNanos() / 1e6);
    }

    private WindowFigure samples(String what, String name, double target, String note) {
        String failure = failures.get(what);
        return failure != null ? WindowFigure.notMeasured(GOAL, "export_" + what, name, failure)
                : new WindowFigure(GOAL, "export_" + what, name, "s", Statistic.MEDIAN, target,
                        seconds.getOrDefault(what, List.of()).stream().mapToDouble(Double::doubleValue).toArray(),
                        note);
    }

    private static WindowFigure size(Path report) {
        try {
            return new WindowFigure(GOAL, "export_report_size", "size of the report", "MB", Statistic.MAX, 3.0,
                    new double[]{Files.size(report) / 1e6}, "");
        } catch (IOException e) {
            return WindowFigure.notMeasured(GOAL, "export_report_size", "size of the report", "It was not written.");
        }
    }
}
