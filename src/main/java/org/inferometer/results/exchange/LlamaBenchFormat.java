package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;

/// llama-bench as JSON, JSON lines or CSV: one row per test, with any columns. Each sample of a test becomes a run.
final class LlamaBenchFormat implements ForeignFormat {
    @Override
    public String id() {
        return "llama-bench";
    }

    @Override
    public boolean fits(ForeignFile file) {
        return table(file) || (!file.documents().isEmpty() && file.documents().getFirst().has("n_prompt")
                && file.documents().getFirst().has("avg_ts"));
    }

    private static boolean table(ForeignFile file) {
        return !file.table().isEmpty() && file.table().getFirst().containsAll(List.of("n_prompt", "n_gen", "avg_ts"));
    }

    @Override
    public List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        List<ForeignRun> runs = new ArrayList<>();
        for (ForeignFields row : ForeignFields.each(file, "row")) {
            runs.addAll(runs(row));
        }
        if (runs.isEmpty()) {
            throw file.fault("the file has no test.");
        }
        return runs;
    }

    private static List<ForeignRun> runs(ForeignFields row) throws ResultFormatException {
        int prompt = row.count("n_prompt", 0);
        int output = row.count("n_gen", 0);
        int depth = row.count("n_depth", 0);
        String workload = (prompt > 0 ? "pp" + prompt : "") + (prompt > 0 && output > 0 ? "+" : "")
                + (output > 0 ? "tg" + output : "") + (depth > 0 ? " at " + depth : "");
        String path = row.text("model_filename", row.text("model_type", ForeignRun.UNNAMED));
        String model = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        List<OptionalDouble> samples = new ArrayList<>();
        row.array("samples_ts").forEach(sample -> samples.add(ForeignFields.number(sample)));
        OptionalDouble mean = row.number("avg_ts");
        List<String> notes = new ArrayList<>(List.of(
                "llama-bench excludes tokenizing and sampling. Its rate is (n_prompt + n_gen) / time and cannot be recomputed."));
        if (samples.isEmpty()) {
            samples.add(mean);
            notes.add("The file has no samples. The mean is one run without an interval.");
        }
        String server = row.text("backends", "llama.cpp");
        Optional<FileDate> started = FileDate.of(row.text("test_time", ""));
        started.filter(date -> !date.zoned()).ifPresent(date -> notes.add(FileDate.NO_ZONE));
        List<ForeignRun> runs = new ArrayList<>();
        for (OptionalDouble sample : samples) {
            Summary summary = new Summary(1);
            summary.add(Metrics.TOTAL_THROUGHPUT, sample, 1);
            if (prompt == 0) {
                summary.add(Metrics.OUTPUT_THROUGHPUT, sample, 1);
            }
            runs.add(new ForeignRun("llama-bench", model, server, workload, 1, 0, List.of(), summary.figures(),
                    List.copyOf(notes), row.unread(), started.map(FileDate::instant).orElse(null)));
        }
        return runs;
    }
}
