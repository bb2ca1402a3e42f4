package org.inferometer.results.exchange;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.PooledTails;
import org.inferometer.measurement.RunFigures;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Figure;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Unrecorded;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.OneLine;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.WorkloadSpec;

/// Imports result files of other tools as experiments: requests if the file has them, else its figures. Notes of the runs name what was not
/// imported. The folder holds a copy of the file.
public final class Importer {
    private static final List<ForeignFormat> FORMATS = List.of(VllmFormat.FORMAT, SglangFormat.FORMAT,
            AiperfFormat.FORMAT, GuideLlmFormat.FORMAT, InferencePerfFormat.FORMAT, GenaiBenchFormat.FORMAT,
            LlmPerfFormat.FORMAT, LoadGenFormat.FORMAT, LlmdFormat.FORMAT, InferencexFormat.FORMAT,
            LlamaBenchFormat.FORMAT, LlamaBatchedBenchFormat.FORMAT, LlamaServerFormat.FORMAT, TrtllmBenchFormat.FORMAT,
            OpenVinoFormat.FORMAT, BenchmarkTablesFormat.FORMAT, FigureTableFormat.FORMAT);
    private static final int SHOWN_NAMES = 12;
    static final int MOST_RUNS = 10_000;
    private final Path results;

    /// @param results folder for the new experiments
    public Importer(Path results) {
        this.results = results;
    }

    /// The formats, in the order of recognition.
    static List<ForeignFormat> known() {
        return FORMATS;
    }

    /// The ids of the formats.
    public static List<String> formats() {
        return FORMATS.stream().map(ForeignFormat::id).toList();
    }

    /// An imported file.
    ///
    /// @param folder of the new experiment
    /// @param format id of the format
    /// @param requests number of imported requests
    /// @param notes on what was not imported, each once
    public record Imported(Path folder, String format, int runs, int requests, List<String> notes) {}

    /// Reads a file and writes an experiment.
    ///
    /// @param format an id of [#formats]; empty to detect it from the content
    /// @param now part of the name of the experiment
    /// @throws UnsupportedFormatException if the format is not known
    /// @throws ResultFormatException if the file violates its format
    public Imported read(Path file, Optional<String> format, Instant now) throws IOException {
        try {
            return imported(file, format, now);
        } catch (OutOfMemoryError e) {
            throw HeapLimit.exceeded(file);
        }
    }

    private Imported imported(Path file, Optional<String> format, Instant now) throws IOException {
        ForeignFile foreign = ForeignFile.read(file);
        ForeignFormat known =
                FORMATS.stream().filter(each -> format.map(each.id()::equals).orElseGet(() -> each.fits(foreign)))
                        .findFirst().orElseThrow(() -> new UnsupportedFormatException(file));
        if (!known.fits(foreign)) {
            throw foreign.fault(
                    "this is not a file of " + known.id() + ". Leave out the format to detect it from the content.");
        }
        List<ForeignRun> runs = known.read(foreign);
        if (runs.stream().allMatch(run -> run.requests().isEmpty() && run.figures().isEmpty())) {
            throw foreign
                    .fault("it has no figure that this program knows. Give the file with the results of the tool.");
        }
        if (known.goesByLines(foreign) && foreign.endsOpen()) {
            runs = runs.stream()
                    .map(run -> run.withNote("The file's last line has no line end. The file may be incomplete."))
                    .toList();
        }
        if (foreign.logged()) {
            runs = runs.stream().map(run -> run.withNote("Lines around the result were left out.")).toList();
        }
        return written(known.id(), foreign, runs, now);
    }

    private Imported written(String format, ForeignFile foreign, List<ForeignRun> runs, Instant now)
            throws IOException {
        if (runs.size() > MOST_RUNS || ForeignMatrix.cellCount(runs) > ExperimentSpec.MOST_CELLS) {
            throw foreign.fault("the file has " + runs.size() + " runs in " + ForeignMatrix.cellCount(runs)
                    + " combinations of server and load; at most " + MOST_RUNS + " runs in " + ExperimentSpec.MOST_CELLS
                    + " are allowed. Split the file.");
        }
        Path folder = free(now, format);
        try (UnfinishedFolder unfinished = UnfinishedFolder.beside(folder)) {
            write(unfinished.content(), String.valueOf(folder.getFileName()), foreign, runs, now);
            unfinished.publish();
        } catch (FileAlreadyExistsException e) {
            throw new IOException(folder + " was created during the import. Import again.", e);
        }
        Set<String> notes = new TreeSet<>();
        runs.forEach(run -> notes.addAll(sentences(run)));
        int requests = runs.stream().mapToInt(run -> run.requests().size()).sum();
        return new Imported(folder, format, runs.size(), requests, List.copyOf(notes));
    }

    private Path free(Instant now, String format) {
        String stamp = now.toString().replaceAll("\\.\\d+", "").replace("T", "_").replaceAll("[:Z]", "");
        Path folder = results.resolve(stamp + "_imported-" + format);
        for (int again = 2; Files.exists(folder); again++) {
            folder = results.resolve(stamp + "_imported-" + format + "-" + again);
        }
        return folder;
    }

    /// @param id of the experiment: the final name of its folder
    private static void write(Path folder, String id, ForeignFile file, List<ForeignRun> runs, Instant now)
            throws IOException {
        ForeignMatrix matrix = ForeignMatrix.of(id, runs);
        Map<Integer, List<List<Figure>>> figures = new LinkedHashMap<>();
        Map<Integer, List<RequestColumns>> requests = new HashMap<>();
        List<RunPlan> plans = matrix.plans();
        Map<Integer, String> models = new HashMap<>();
        try (ResultFiles files = new ResultFiles()) {
            for (int i = 0; i < runs.size(); i++) {
                writeRun(files, folder.resolve(plans.get(i).folderName()), plans.get(i), runs.get(i));
                models.put(plans.get(i).index().cell(), model(runs.get(i)));
                requests.computeIfAbsent(plans.get(i).index().cell(), cell -> new ArrayList<>())
                        .add(RequestColumns.of(runs.get(i).requests()));
                figures.computeIfAbsent(plans.get(i).index().cell(), cell -> new ArrayList<>())
                        .add(figures(runs.get(i), load(plans.get(i).workload())));
            }
            List<ExperimentManifest.CellSummary> cells = new ArrayList<>();
            List<Cell> all = matrix.spec().cells();
            figures.forEach((index, ofCell) -> cells.add(new ExperimentManifest.CellSummary(index, all.get(index),
                    models.getOrDefault(index, ""), Unrecorded.TEXT, ofCell.size(),
                    CellFigures.under(load(all.get(index).workload()),
                            PooledTails.with(CellFigures.of(ofCell), requests.getOrDefault(index, List.of()))))));
            files.saveExperiment(folder, new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, id, matrix.spec(),
                    plans, MachineDescription.NOT_KNOWN,
                    new ExperimentManifest.ExperimentTimes(started(runs).orElse(null), null, now),
                    new ExperimentManifest.ExperimentOutcome(RunStatus.COMPLETE, "", List.copyOf(cells), null), false));
        }
        AtomicFile.write(folder.resolve(RecordFiles.source(file.ending())), file.bytes());
    }

    private static LoadKind load(WorkloadSpec workload) {
        return ReportedArrivals.in(workload).isPresent() ? LoadKind.of(workload) : LoadKind.UNKNOWN;
    }

    private static String model(ForeignRun run) {
        return run.model().equals(ForeignRun.UNNAMED) ? Unrecorded.TEXT : run.model();
    }

    /// The earliest recorded start.
    private static Optional<Instant> started(List<ForeignRun> runs) {
        return runs.stream().map(ForeignRun::started).filter(Objects::nonNull).min(Comparator.naturalOrder());
    }

    /// The figures of the requests, then those of the file that the requests do not give.
    private static List<Figure> figures(ForeignRun run, LoadKind load) {
        List<Figure> figures = new ArrayList<>();
        if (!run.requests().isEmpty()) {
            // Closed loops of other tools may have any window.
            figures.addAll(RunFigures.of(new RunObservations(run.requests(), List.of(), List.of(),
                    new RunObservations.Setup(0, 0, 0, 0).arriving(load.setsRates() ? load : LoadKind.UNKNOWN))));
        }
        run.figures().stream().filter(figure -> RunFigures.find(figures, figure.metric()).isEmpty())
                .forEach(figures::add);
        return List.copyOf(figures);
    }

    private static void writeRun(ResultFiles files, Path folder, RunPlan plan, ForeignRun run) throws IOException {
        RunManifest.SystemUnderTest system = new RunManifest.SystemUnderTest("imported from " + run.tool(),
                Unrecorded.TEXT, model(run), Unrecorded.TEXT, false, RunManifest.Pools.UNKNOWN);
        RunManifest manifest = RunManifest.started(plan, MachineDescription.NOT_KNOWN, system, "", run.started());
        try (RecordSink sink = files.openRun(folder, manifest)) {
            for (RequestOutcome request : run.requests()) {
                sink.request(request);
            }
            for (String sentence : sentences(run)) {
                sink.event(new RunEvent.ImportNote(0, run.tool(), sentence));
            }
            sink.manifest(manifest.ended(RunManifest.RunOutcome.of(RunStatus.COMPLETE, "")));
        }
    }

    private static List<String> sentences(ForeignRun run) {
        List<String> sentences = new ArrayList<>();
        sentences.add("Imported from " + run.tool() + ". The conditions of a verdict were not measured.");
        sentences.addAll(run.notes());
        run.settings().sentence().ifPresent(sentences::add);
        if (!run.unread().isEmpty()) {
            List<String> names = run.unread().stream().limit(SHOWN_NAMES).map(OneLine::of)
                    .map(name -> name.length() > 60 ? "…" + name.substring(name.length() - 60) : name).toList();
            sentences.add("Only in the copy of the source: " + String.join(", ", names)
                    + (run.unread().size() > SHOWN_NAMES ? " and " + (run.unread().size() - SHOWN_NAMES) + " more" : "")
                    + ".");
        }
        return List.copyOf(sentences);
    }
}
