package org.inferometer.ui.twin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.document.Reports;
import org.inferometer.report.document.SchedulerSuite;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.results.ResultTools;
import org.inferometer.units.EnvironmentVariables;

/// Writes results into a folder, where the program finds them.
public final class LibraryTwin {
    private static final byte[] PNG_HEAD = {(byte) 0x89, 'P', 'N', 'G'};
    private final Path folder;

    /// @param folder of the results
    public LibraryTwin(Path folder) {
        this.folder = folder;
    }

    /// The folder of the results.
    public Path folder() {
        return folder;
    }

    /// Writes an experiment into its folder.
    public void add(ExperimentRecord record) {
        try (ResultFiles files = new ResultFiles()) {
            for (RunRecord run : record.runs()) {
                add(files, record.folder().resolve(run.folderName()), run);
            }
            files.saveExperiment(record.folder(), record.manifest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(ResultFiles files, Path folder, RunRecord run) throws IOException {
        try (RecordSink sink = files.openRun(folder, run.manifest())) {
            for (RequestOutcome request : run.observations().requests()) {
                sink.request(request);
            }
            for (StepReport step : run.observations().steps()) {
                sink.step(step);
            }
            for (RunEvent event : run.events()) {
                sink.event(event);
            }
        }
    }

    /// Adds a result that cannot be read.
    public void addDamaged(String name) {
        try {
            Files.writeString(Files.createDirectories(folder.resolve(name)).resolve("experiment.json"), "{");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The results of the folder.
    public List<ResultLibrary.Entry> entries() {
        return new ResultLibrary(folder).list();
    }

    /// Reads the folder, and samples beside it; draws no charts.
    public ResultTools tools() {
        return tools(folder.resolveSibling("samples"));
    }

    private static byte[] drawn(ChartSheet sheet, Picture picture) {
        return switch (picture.format()) {
            case SVG -> "<svg></svg>".getBytes(StandardCharsets.UTF_8);
            case PDF -> new JFreeCharts().draw(sheet, picture);
            case PNG -> PNG_HEAD.clone();
        };
    }

    /// Reads the folder and samples; draws no charts.
    public ResultTools tools(Path samples) {
        SchedulerRegistry schedulers = SchedulerRegistry.standard();
        TextAnonymizer safe = TextAnonymizer.ofThisMachine(EnvironmentVariables.NONE);
        Reports reports = new Reports(LibraryTwin::drawn, schedulers, safe);
        return new ResultTools(folder, samples, reports, new SchedulerSuite(reports, LibraryTwin::drawn, safe),
                schedulers, safe, "1.2");
    }
}
