package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;
import tools.jackson.databind.JsonNode;

/// LLMPerf's `token_benchmark_ray.py`: the summary, or the answers beside it (`individual_responses`). All times in seconds.
final class LlmPerfFormat {
    static final ForeignFormat FORMAT =
            new ForeignFormat("llmperf", LlmPerfFormat::fits, ForeignFormat.SEVERAL, LlmPerfFormat::read);
    private static final List<FigureField> FIGURES =
            List.of(new FigureField("results_ttft_s_%s", Metrics.SERVICE_TTFT, Summary.SECONDS),
                    new FigureField("results_mean_output_throughput_token_per_s", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField("results_num_completed_requests_per_min", Metrics.REQUEST_THROUGHPUT, 1.0 / 60),
                    new FigureField("results_num_completed_requests", Metrics.REQUESTS_OK, 1),
                    new FigureField("results_number_errors", Metrics.REQUESTS_FAILED, 1));
    private static final Set<String> NO_LOAD =
            Set.of("version", "name", "model", "timestamp", "num_concurrent_requests");
    private static final String SKIPPED =
            "Its end-to-end latency ends with the stream, and its inter_token_latency is (last token − sent) / tokens. They are only in the copy of the source.";
    private static final String COUNTS = "LLMPerf counts tokens with the tokenizer of Llama, whatever the model.";

    private LlmPerfFormat() {}

    private static boolean isSummary(JsonNode document) {
        return document.has("results_ttft_s_mean") || document.has("results_num_completed_requests");
    }

    private static boolean fits(ForeignFile file) {
        return !file.documents().isEmpty() && (file.documents().stream().allMatch(LlmPerfFormat::isSummary)
                || file.documents().stream().allMatch(each -> each.has("ttft_s") && each.has("end_to_end_latency_s")));
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        if (!isSummary(file.documents().getFirst())) {
            return List.of(answers(file));
        }
        List<ForeignRun> runs = new ArrayList<>();
        for (ForeignFields run : ForeignFields.each(file, "run")) {
            runs.add(summary(run));
        }
        return runs;
    }

    private static ForeignRun summary(ForeignFields run) throws ResultFormatException {
        double completed = run.number("results_num_completed_requests").orElse(0);
        double perMinute = run.number("results_num_completed_requests_per_min").orElse(0);
        OptionalDouble saved = run.number("timestamp");
        // The file is named after the run has ended.
        OptionalDouble began = saved.isPresent() && perMinute > 0
                ? OptionalDouble.of(saved.getAsDouble() - completed / perMinute * 60) : OptionalDouble.empty();
        return new ForeignRun.Builder("LLMPerf", run).named(run.text("model", ForeignRun.UNNAMED), "LLMPerf", "random")
                .load(run.count("num_concurrent_requests", 0), OptionalDouble.empty())
                .summary(new Summary(run.count("results_num_completed_requests", 0)).add(FIGURES, run))
                .note(SKIPPED, COUNTS)
                .settings(Map.of(), run.settings(name -> !name.startsWith("results_") && !NO_LOAD.contains(name)))
                .started(FileDate.ofEpochSeconds(began).map(instant -> new FileDate(instant, true))).build();
    }

    private static ForeignRun answers(ForeignFile file) {
        List<ForeignFields> all = ForeignFields.each(file, "answer");
        List<ForeignFields> ok = all.stream().filter(answer -> answer.text("error_code", "").isEmpty()).toList();
        Summary summary = new Summary(ok.size()).add(Metrics.SERVICE_TTFT, ok, "ttft_s", Summary.SECONDS)
                .add(Metrics.REQUESTS_OK, OptionalDouble.of(ok.size()), 1)
                .add(Metrics.REQUESTS_FAILED, OptionalDouble.of(all.size() - ok.size()), 1)
                .add(Metrics.PROMPT_TOKENS, OptionalDouble.of(Summary.sum(ok, "number_input_tokens")), 1)
                .add(Metrics.OUTPUT_TOKENS, OptionalDouble.of(Summary.sum(ok, "number_output_tokens")), 1);
        return new ForeignRun.Builder("LLMPerf", all.getFirst()).named(ForeignRun.UNNAMED, "LLMPerf", "answers")
                .summary(summary)
                .note("The answers have no instants: import the summary beside them for rates, model and load.",
                        SKIPPED, COUNTS)
                .build();
    }
}
