package org.inferometer.results.exchange;

import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.measurement.Metrics;

/// Saved answers of llama-server with `timings`: one per document, or one per line. The server's own clock, without queue and network.
final class LlamaServerFormat {
    static final ForeignFormat FORMAT = new ForeignFormat("llama-server",
            file -> !file.documents().isEmpty()
                    && file.documents().stream().allMatch(answer -> answer.path("timings").has("predicted_ms")),
            ForeignFormat.SEVERAL, LlamaServerFormat::read);

    private LlamaServerFormat() {}

    private static List<ForeignRun> read(ForeignFile file) {
        List<ForeignFields> answers = ForeignFields.each(file, "answer");
        double drafted = Summary.sum(answers, "timings.draft_n");
        double accepted = Summary.sum(answers, "timings.draft_n_accepted");
        double cached = Summary.sum(answers, "timings.cache_n");
        double prompt = cached + Summary.sum(answers, "timings.prompt_n");
        Summary summary =
                new Summary(answers.size()).add(Metrics.REPORTED_PREFILL, answers, "timings.prompt_ms", Summary.MS)
                        .add(Metrics.REPORTED_DECODE, answers, "timings.predicted_ms", Summary.MS)
                        .add(Metrics.REQUESTS_OK, OptionalDouble.of(answers.size()), 1)
                        .add(Metrics.OUTPUT_TOKENS, OptionalDouble.of(Summary.sum(answers, "timings.predicted_n")), 1);
        if (prompt > 0 && answers.stream().allMatch(answer -> answer.has("timings.cache_n"))) {
            summary.add(Metrics.PROMPT_TOKENS, OptionalDouble.of(prompt), 1).add(Metrics.PREFIX_HIT_RATE,
                    OptionalDouble.of(cached), 1 / prompt);
        }
        Speculation.add(summary, OptionalDouble.of(accepted), OptionalDouble.of(drafted));
        ForeignRun.Builder built = new ForeignRun.Builder("llama-server", answers.getFirst())
                .named(answers.getFirst().text("model", ForeignRun.UNNAMED), "llama.cpp", "answers").summary(summary)
                .note("The answers have no instants: there are times by the server's clock and no rates.");
        if (drafted > 0) {
            built.note("Speculative decoding: " + Math.round(drafted) + " draft tokens, of which "
                    + Math.round(accepted) + " were accepted.");
        }
        return List.of(built.build());
    }
}
