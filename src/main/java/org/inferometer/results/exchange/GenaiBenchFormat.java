package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;

/// genai-bench: a file per scenario and concurrency. `experiment_metadata.json` beside it names model and server.
final class GenaiBenchFormat {
    static final ForeignFormat FORMAT = new ForeignFormat("genai-bench",
            file -> !file.documents().isEmpty()
                    && file.documents().stream().allMatch(each -> each.path("aggregated_metrics").has("stats")),
            ForeignFormat.SEVERAL, GenaiBenchFormat::read);
    private static final List<FigureField> COUNTS =
            List.of(new FigureField("num_completed_requests", Metrics.REQUESTS_OK, 1),
                    new FigureField("num_error_requests", Metrics.REQUESTS_FAILED, 1),
                    new FigureField("requests_per_second", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("requests_per_minute", Metrics.REQUEST_THROUGHPUT, 1.0 / 60),
                    new FigureField("run_duration", Metrics.WINDOW, Summary.SECONDS));
    private static final List<FigureField> TOKENS =
            List.of(new FigureField("mean_output_throughput_tokens_per_s", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("mean_total_tokens_throughput_tokens_per_s", Metrics.TOTAL_THROUGHPUT, 1),
                    new FigureField("stats.num_input_tokens.sum", Metrics.PROMPT_TOKENS, 1),
                    new FigureField("stats.num_output_tokens.sum", Metrics.OUTPUT_TOKENS, 1));
    private static final List<String> LOAD = List.of("scenario", "num_concurrency", "batch_size", "iteration_type");
    private static final List<String> SERVER =
            List.of("server_engine", "server_version", "server_gpu_type", "server_gpu_count", "api_backend", "task");

    private GenaiBenchFormat() {}

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        ForeignFields experiment = file.beside("experiment_metadata.json");
        List<ForeignRun> runs = new ArrayList<>();
        for (ForeignFields run : ForeignFields.each(file, "run")) {
            runs.add(run(run, experiment));
        }
        return runs;
    }

    private static ForeignRun run(ForeignFields file, ForeignFields experiment) throws ResultFormatException {
        ForeignFields run = file.object("aggregated_metrics");
        int completed = run.count("num_completed_requests", 0);
        long kept = Math.round(run.number("stats.total_tokens.sum").orElse(0)
                / Math.max(1, run.number("stats.total_tokens.mean").orElse(1)));
        List<String> notes = new ArrayList<>(List.of(
                "Its E2E latency and TPOT include the time from the last token to the stream's end. They are only in the copy of the source."));
        Summary summary = new Summary(kept).add(COUNTS, run);
        if (kept >= completed) {
            summary.add(TOKENS, run);
        } else {
            notes.add("Latencies are of " + kept + " of " + completed
                    + " requests: warm-up and cool-down are cut. Token rates count the cut time, so they are left out.");
        }
        if (run.number("stats.tpot.mean").orElse(0) > 0) {
            double unit = file.text("_time_unit", "s").equals("ms") ? Summary.MS : Summary.SECONDS;
            summary.add(List.of(new FigureField("stats.ttft.%s", Metrics.SERVICE_TTFT, unit)), run);
        } else {
            notes.add("Without output tokens ttft is the end of the answer: it is left out.");
        }
        file.array("individual_request_metrics");
        if (experiment.has("model")) {
            notes.add("Model and server are those of experiment_metadata.json beside the file.");
        }
        return new ForeignRun.Builder("genai-bench", file)
                .named(experiment.text("model", ForeignRun.UNNAMED), experiment.text("server_engine", "genai-bench"),
                        run.text("scenario", "scenario"))
                .load(run.text("iteration_type", "num_concurrency").equals("num_concurrency")
                        ? run.count("num_concurrency", 0) : 1, OptionalDouble.empty())
                .summary(summary).note(notes.toArray(String[]::new))
                .settings(experiment.settings(SERVER::contains), run.settings(LOAD::contains)).build();
    }
}
