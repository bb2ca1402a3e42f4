package org.inferometer.ui.twin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.CellExplanation;
import org.inferometer.report.SchedulerExplanations;
import org.inferometer.report.charts.ChartData;
import org.inferometer.results.ResultLibrary;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.results.ExperimentDesk;
import org.inferometer.ui.results.ExperimentReading;
import org.inferometer.ui.results.HeadlineFigures;
import org.inferometer.ui.results.SchedulerDesk;
import org.inferometer.ui.results.TextTable;

/// A library in memory that is also the desk at which experiments are read; what lies in its folder on disk is listed and read as well.
/// Reports are really written.
public final class LibraryTwin implements ExperimentDesk, SchedulerDesk {
    private final Path folder;
    private final List<ExperimentRecord> records = new ArrayList<>();
    private final List<ResultLibrary.Entry> damaged = new ArrayList<>();
    private List<ChartData> charts = List.of();

    /// @param folder where results would lie
    public LibraryTwin(Path folder) {
        this.folder = folder;
    }

    /// Where results would lie.
    public Path folder() {
        return folder;
    }

    /// Adds an experiment.
    public synchronized void add(ExperimentRecord record) {
        records.add(record);
    }

    /// Adds one that cannot be read.
    public synchronized void addDamaged(String name, String problem) {
        damaged.add(new ResultLibrary.Entry(folder.resolve(name), Optional.empty(), problem));
    }

    /// Shows these charts with every experiment.
    public synchronized void showCharts(List<ChartData> wanted) {
        charts = List.copyOf(wanted);
    }

    /// All entries.
    public synchronized List<ResultLibrary.Entry> entries() {
        List<ResultLibrary.Entry> entries = new ArrayList<>(damaged);
        records.forEach(
                record -> entries.add(new ResultLibrary.Entry(record.folder(), Optional.of(record.manifest()), "")));
        entries.addAll(new ResultLibrary(folder).list());
        return entries;
    }

    @Override
    public synchronized ExperimentRecord open(Path wanted) throws IOException {
        Optional<ExperimentRecord> known =
                records.stream().filter(record -> record.folder().equals(wanted)).findFirst();
        if (known.isEmpty() && Files.isDirectory(wanted)) {
            return new ResultLibrary(folder).open(wanted);
        }
        return known.orElseThrow(() -> new IOException(wanted + " holds no experiment.json. Choose a result folder."));
    }

    @Override
    public synchronized ExperimentReading read(ExperimentRecord experiment) {
        List<List<String>> rows = new ArrayList<>();
        experiment.manifest().cells()
                .forEach(cell -> rows.add(List.of(cell.cell().label(),
                        HeadlineFigures.words(HeadlineFigures.of(cell, HeadlineFigures.OUTPUT_THROUGHPUT)),
                        HeadlineFigures.words(HeadlineFigures.of(cell, HeadlineFigures.TTFT_P50)),
                        HeadlineFigures.words(HeadlineFigures.of(cell, HeadlineFigures.ITL_P50)))));
        return new ExperimentReading(List.of(
                "continuous serves tiny-int4 4.9 times as many output tokens a second as naive serves tiny-fp8 (1043 against 212 tok/s).",
                "INT4 needs 0.58 of the weight memory of FP8.",
                "The queue dominates TTFT under naive: 83 % of the time to the first token is waiting."),
                new TextTable(List.of("Cell", "Output throughput", "TTFT P50", "ITL P50"), rows), charts);
    }

    @Override
    public List<CellExplanation> explain(ExperimentRecord experiment) {
        return SchedulerExplanations.of(experiment, SchedulerRegistry.standard());
    }

    @Override
    public List<Path> export(ExperimentRecord experiment, Path into) throws IOException {
        Files.createDirectories(into);
        return List.of(Files.writeString(into.resolve("benchmark_report.txt"), experiment.manifest().id() + "\n"));
    }

    @Override
    public void saveReport(ExperimentRecord experiment, Path file) throws IOException {
        Files.writeString(file, "# " + experiment.manifest().id() + "\n");
    }
}
