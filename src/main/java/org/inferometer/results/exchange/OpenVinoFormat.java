package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;
import tools.jackson.databind.JsonNode;

/// OpenVINO GenAI's `llm_bench`: `--report_json` and `--report` (CSV). Each iteration is a run of its prompt; number 0 is the warm-up.
final class OpenVinoFormat {
    static final ForeignFormat FORMAT =
            new ForeignFormat("openvino", OpenVinoFormat::fits, ForeignFormat.SEVERAL, OpenVinoFormat::read);
    /// The names in JSON, then those in CSV.
    private static final List<FigureField> FIRST =
            List.of(new FigureField("first_latency", Metrics.SERVICE_TTFT.mean(), Summary.MS),
                    new FigureField("1st_latency(ms)", Metrics.SERVICE_TTFT.mean(), Summary.MS));
    private static final List<FigureField> OTHERS =
            List.of(new FigureField("second_avg_latency", Metrics.TPOT.mean(), Summary.MS),
                    new FigureField("2nd_avg_latency(ms)", Metrics.TPOT.mean(), Summary.MS));
    private static final List<FigureField> MEMORY =
            List.of(new FigureField("max_rss_mem", Metrics.REPORTED_HOST_MEMORY_PEAK, 1 << 20),
                    new FigureField("max_rss_mem(MiB)", Metrics.REPORTED_HOST_MEMORY_PEAK, 1 << 20));
    private static final List<FigureField> TOKENS = List.of(new FigureField("input_size", Metrics.PROMPT_TOKENS, 1),
            new FigureField("output_size", Metrics.OUTPUT_TOKENS, 1));
    private static final Set<String> SERVER = Set.of("framework", "device", "precision", "num_beams", "batch_size");
    private static final Set<String> LOAD = Set.of("input_size", "infer_count", "prompt_idx");

    private OpenVinoFormat() {}

    private static boolean fits(ForeignFile file) {
        return file.table().isEmpty()
                ? file.documents().size() == 1 && file.documents().getFirst().path("perfdata").path("results").isArray()
                : file.table().getFirst().containsAll(List.of("iteration", "infer_count", "2nd_avg_latency(ms)"));
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        List<ForeignRun> runs = new ArrayList<>();
        // Below the iterations of a table are rows of their mean, least and median, and remarks.
        for (ForeignFields row : file.table().isEmpty() ? List.<ForeignFields>of() : ForeignFields.each(file, "row")) {
            add(runs, row, row);
        }
        if (file.table().isEmpty()) {
            ForeignFields report = new ForeignFields(file, "", file.documents().getFirst());
            for (JsonNode result : report.array("perfdata.results")) {
                add(runs, report.object("metadata"), new ForeignFields(file, "result " + runs.size() + " ", result));
            }
        }
        if (runs.isEmpty()) {
            throw file.fault(
                    "it has no iteration behind the warm-up that wrote tokens. Run llm_bench with -n 1 or more.");
        }
        return runs;
    }

    private static void add(List<ForeignRun> runs, ForeignFields report, ForeignFields row) {
        if (!(row.number("iteration").orElse(0) >= 1) || !(row.number("output_size").orElse(0) > 0)) {
            return;
        }
        ForeignRun.Builder built = new ForeignRun.Builder("llm_bench", row)
                .note("llm_bench times calls of the engine in its own process; tokenizing may be left out.");
        Summary summary = new Summary(1).add(MEMORY, row);
        double millis = first(row, "generation_time", "generation_time(s)") * 1000;
        if (first(row, "second_avg_latency", "2nd_avg_latency(ms)") > millis
                || first(row, "first_latency", "1st_latency(ms)") > millis) {
            built.note("Its latencies contradict its generation_time: they are left out.");
        } else if (row.text("chat_idx", "").isEmpty()) {
            summary.add(FIRST, row).add(OTHERS, row);
        } else {
            summary.add(OTHERS, row);
            built.note("In a chat its first latency is divided by the prompt tokens: it is left out.");
        }
        if (report.number("batch_size").orElse(1) == 1) {
            summary.add(TOKENS, row);
        }
        runs.add(built.summary(summary)
                .named(report.text("model", ForeignRun.UNNAMED), "OpenVINO", "prompt " + row.text("prompt_idx", "0"))
                .load(1, OptionalDouble.empty())
                .settings(report.settings(SERVER::contains), row.settings(LOAD::contains))
                .started(FileDate.of(row.text("start", ""))).build());
    }

    /// The number in JSON or in CSV; not a number without either.
    private static double first(ForeignFields row, String json, String csv) {
        return row.number(json).orElse(row.number(csv).orElse(Double.NaN));
    }
}
