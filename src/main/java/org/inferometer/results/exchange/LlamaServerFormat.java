package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;

/// Saved answers of llama-server with `timings`: one per document, or one per line. The server's own clock, without queue and network.
final class LlamaServerFormat {
    static final ForeignFormat FORMAT = new ForeignFormat("llama-server",
            file -> !file.documents().isEmpty()
                    && file.documents().stream().allMatch(answer -> answer.path("timings").has("predicted_ms")),
            ForeignFormat.SEVERAL, LlamaServerFormat::read);

    private LlamaServerFormat() {}

    /// The sums over all answers.
    private static final class Sums {
        private final List<Double> prefills = new ArrayList<>();
        private final List<Double> decodes = new ArrayList<>();
        private double computed;
        private double cached;
        private double output;
        private double drafted;
        private double accepted;

        private void add(ForeignFields timings) throws ResultFormatException {
            time(timings, "prompt_ms", prefills);
            time(timings, "predicted_ms", decodes);
            computed += timings.count("prompt_n", 0);
            cached += timings.count("cache_n", 0);
            output += timings.count("predicted_n", 0);
            drafted += timings.count("draft_n", 0);
            accepted += timings.count("draft_n_accepted", 0);
        }

        private static void time(ForeignFields timings, String name, List<Double> nanos) throws ResultFormatException {
            double millis = timings.number(name).orElse(0);
            if (millis > 0) {
                nanos.add((double) timings.nanos(name, millis, Summary.MS));
            }
        }
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        Sums sums = new Sums();
        Set<String> unread = new TreeSet<>();
        boolean countsCache = true;
        List<ForeignFields> answers = ForeignFields.each(file, "answer");
        for (ForeignFields answer : answers) {
            sums.add(answer.object("timings"));
            countsCache &= answer.has("timings.cache_n");
            unread.addAll(answer.unread());
        }
        Summary summary = new Summary(answers.size()).add(Metrics.REPORTED_PREFILL, sums.prefills)
                .add(Metrics.REPORTED_DECODE, sums.decodes)
                .add(Metrics.REQUESTS_OK, OptionalDouble.of(answers.size()), 1)
                .add(Metrics.OUTPUT_TOKENS, OptionalDouble.of(sums.output), 1);
        if (countsCache && sums.computed + sums.cached > 0) {
            summary.add(Metrics.PROMPT_TOKENS, OptionalDouble.of(sums.computed + sums.cached), 1)
                    .add(Metrics.PREFIX_HIT_RATE, OptionalDouble.of(sums.cached), 1 / (sums.computed + sums.cached));
        }
        Speculation.add(summary, OptionalDouble.of(sums.accepted), OptionalDouble.of(sums.drafted));
        ForeignRun.Builder built = new ForeignRun.Builder("llama-server", answers.getFirst())
                .named(answers.getFirst().text("model", ForeignRun.UNNAMED), "llama.cpp", "answers").summary(summary)
                .unread(unread)
                .note("The answers have no instants: there are times by the server's clock and no rates.");
        if (sums.drafted > 0) {
            built.note("Speculative decoding: " + Math.round(sums.drafted) + " draft tokens, of which "
                    + Math.round(sums.accepted) + " were accepted.");
        }
        return List.of(built.build());
    }
}
