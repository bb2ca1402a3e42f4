package org.inferometer.results.exchange;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import tools.jackson.databind.node.StringNode;

/// llama-bench in any of its formats: JSON, JSON lines, CSV, SQL, or the Markdown table that it prints. One row per test, with any
/// columns. Each sample of a test becomes a run. Every column that is no result is a setting.
final class LlamaBenchFormat {
    static final ForeignFormat FORMAT =
            new ForeignFormat("llama-bench", LlamaBenchFormat::fits, ForeignFormat.SEVERAL, LlamaBenchFormat::read);
    private static final Set<String> NO_SETTING =
            Set.of("model_filename", "n_prompt", "n_gen", "n_depth", "test_time", "avg_ns", "stddev_ns", "avg_ts",
                    "stddev_ts", "samples_ns", "samples_ts", "backends", "model", "backend", "test", "t/s");
    private static final String EXCLUDES =
            "llama-bench excludes tokenizing and sampling. Its rate is (n_prompt + n_gen) / time.";
    /// JSON has true and false where CSV and SQL have 1 and 0.
    private static final Set<String> SWITCHES = Set.of("cpu_strict", "no_kv_offload", "flash_attn", "use_mmap",
            "embeddings", "no_op_offload", "no_host", "use_direct_io");
    private static final String NO_SAMPLES = "The file has no samples. The mean is one run without an interval.";
    private static final Pattern BUILD = Pattern.compile("(?m)^build: (\\w{1,40}) \\((\\d{1,9})\\)");
    private static final Pattern TEST = Pattern.compile("((?:pp\\d+)?\\+?(?:tg\\d+)?)(?: @ d(\\d+))?");

    private LlamaBenchFormat() {}

    private static boolean fits(ForeignFile file) {
        return table(file) || printed(file) || (!file.documents().isEmpty()
                && file.documents().getFirst().has("n_prompt") && file.documents().getFirst().has("avg_ts"));
    }

    private static boolean table(ForeignFile file) {
        return !file.table().isEmpty() && file.table().getFirst().containsAll(List.of("n_prompt", "n_gen", "avg_ts"));
    }

    /// Whether it is the Markdown table.
    private static boolean printed(ForeignFile file) {
        return !file.table().isEmpty() && file.table().getFirst().containsAll(List.of("model", "test", "t/s"));
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        if (file.table().size() > Importer.MOST_RUNS) {
            throw file.fault("it has more than " + Importer.MOST_RUNS + " rows, which are runs. Split the file.");
        }
        List<ForeignRun> runs = new ArrayList<>();
        Map<String, String> build = printed(file) ? build(file) : Map.of();
        for (ForeignFields row : ForeignFields.each(file, "row")) {
            runs.addAll(printed(file) ? List.of(printed(row, build)) : runs(row));
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
        List<String> notes = new ArrayList<>(List.of(EXCLUDES));
        if (samples.isEmpty()) {
            samples.add(mean);
            notes.add(NO_SAMPLES);
        }
        Optional<FileDate> started = FileDate.of(row.text("test_time", ""));
        Map<String, String> written = new LinkedHashMap<>(row.settings(name -> !NO_SETTING.contains(name)));
        written.replaceAll((name, value) -> !SWITCHES.contains(name) ? value : value.equals("1") ? "true"
                : value.equals("0") ? "false"
                : value);
        return samples
                .stream().map(sample -> run(row, model, row.text("backends", "llama.cpp"), workload, sample)
                        .started(started).note(notes.toArray(String[]::new)).settings(written, Map.of()).build())
                .toList();
    }

    /// A run at a rate, of output tokens where no prompt was computed.
    private static ForeignRun.Builder run(ForeignFields row, String model, String server, String workload,
            OptionalDouble rate) {
        Summary summary = new Summary(1).add(Metrics.TOTAL_THROUGHPUT, rate, 1);
        if (workload.startsWith("tg")) {
            summary.add(Metrics.OUTPUT_THROUGHPUT, rate, 1);
        }
        return new ForeignRun.Builder("llama-bench", row).named(model, server, workload).load(1, OptionalDouble.empty())
                .requests(List.of(), summary.figures()).note(summary.note());
    }

    /// The build that is printed below the Markdown table.
    private static Map<String, String> build(ForeignFile file) {
        Matcher build = BUILD.matcher(new String(file.bytes(), StandardCharsets.UTF_8));
        return build.find() ? Map.of("build_commit", build.group(1), "build_number", build.group(2)) : Map.of();
    }

    /// A row of the Markdown table: the mean and standard deviation of its samples.
    private static ForeignRun printed(ForeignFields row, Map<String, String> build) throws ResultFormatException {
        Matcher test = TEST.matcher(row.text("test", ""));
        String[] rate = row.text("t/s", "").split("±", 2);
        OptionalDouble mean = ForeignFields.number(StringNode.valueOf(rate[0]));
        if (!test.matches() || test.group(1).isEmpty() || mean.isEmpty()) {
            throw row.file()
                    .fault("the row of test \"" + row.text("test", "") + "\" has no test or rate of llama-bench.");
        }
        String workload = test.group(1) + (test.group(2) == null ? "" : " at " + test.group(2));
        Map<String, String> settings = new LinkedHashMap<>(row.settings(name -> !NO_SETTING.contains(name)));
        settings.putAll(new TreeMap<>(build));
        return run(row, row.text("model", ForeignRun.UNNAMED), row.text("backend", "llama.cpp"), workload, mean)
                .note(EXCLUDES, NO_SAMPLES).settings(settings, Map.of()).build();
    }
}
