package org.inferometer.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.ResultLibrary;

/// Results in memory, and a desk whose documents are one line.
public final class FakeResults implements ResultServices.Shelf, ResultServices.Desk {
    final Map<Path, ExperimentRecord> records = new LinkedHashMap<>();
    final List<Path> deleted = new ArrayList<>();
    final List<String> shared = new ArrayList<>();
    final List<ResultLibrary.Entry> unreadable = new ArrayList<>();

    public void add(ExperimentRecord record) {
        records.put(record.folder(), record);
    }

    @Override
    public List<ResultLibrary.Entry> list(Path folder) {
        List<ResultLibrary.Entry> entries = new ArrayList<>();
        records.forEach((path, record) -> {
            if (path.startsWith(folder)) {
                entries.add(new ResultLibrary.Entry(path, Optional.of(record.manifest()), ""));
            }
        });
        unreadable.stream().filter(entry -> entry.folder().startsWith(folder)).forEach(entries::add);
        return entries;
    }

    @Override
    public ExperimentRecord open(Path folder, Path experiment) throws IOException {
        ExperimentRecord record = records.get(experiment);
        if (record == null) {
            throw new IOException(experiment + ": nothing can be read.");
        }
        return record;
    }

    @Override
    public void share(ExperimentRecord experiment, Path folder) {
        shared.add(experiment.manifest().id() + " to " + folder);
    }

    @Override
    public void delete(ResultLibrary.Entry experiment) {
        deleted.add(experiment.folder());
    }

    @Override
    public String summary(ExperimentRecord experiment, int columns) {
        return "(tables of " + experiment.manifest().id() + " in " + columns + " columns)\n";
    }

    @Override
    public byte[] report(List<ExperimentRecord> experiments, org.inferometer.report.document.ReportFormat format) {
        String ids = experiments.stream().map(record -> record.manifest().id()).collect(Collectors.joining(", "));
        return (format.word() + " of " + ids + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public List<Path> schedulerSuite(ExperimentRecord experiment, Path folder) {
        return List.of(folder.resolve("benchmark_summaries.csv"));
    }

    @Override
    public List<Path> charts(List<ExperimentRecord> experiments, Path folder) {
        return List.of(folder.resolve("throughput.png"), folder.resolve("ttft.png"));
    }
}
