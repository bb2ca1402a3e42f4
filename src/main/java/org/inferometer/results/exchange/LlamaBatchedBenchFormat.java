package org.inferometer.results.exchange;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;

/// llama-batched-bench as JSON lines, or as the Markdown table that it prints: a row per number of prompt tokens, output tokens and
/// sequences computed together. All sequences of a row begin and end together.
final class LlamaBatchedBenchFormat {
    static final ForeignFormat FORMAT = ForeignFormat.ofRows("llama-batched-bench", LlamaBatchedBenchFormat::fits,
            file -> true, "row", LlamaBatchedBenchFormat::run);
    private static final Set<String> NO_SETTING =
            Set.of("pp", "tg", "pl", "n_kv", "t_pp", "speed_pp", "t_tg", "speed_tg", "t", "speed", "PP", "TG", "B",
                    "N_KV", "T_PP s", "S_PP t/s", "T_TG s", "S_TG t/s", "T s", "S t/s");

    private LlamaBatchedBenchFormat() {}

    private static boolean fits(ForeignFile file) {
        return printed(file) || (!file.documents().isEmpty() && file.documents().getFirst().has("t_pp")
                && file.documents().getFirst().has("speed_tg"));
    }

    private static boolean printed(ForeignFile file) {
        return !file.table().isEmpty() && file.table().getFirst().containsAll(List.of("PP", "TG", "B", "S t/s"));
    }

    private static ForeignRun run(ForeignFields row) throws ResultFormatException {
        boolean printed = printed(row.file());
        int sequences = row.count(printed ? "B" : "pl", 0);
        String workload = "pp" + row.count(printed ? "PP" : "pp", 0) + "+tg" + row.count(printed ? "TG" : "tg", 0)
                + " × " + sequences;
        OptionalDouble seconds = row.number(printed ? "T s" : "t");
        if (seconds.isEmpty()) {
            throw row.file().fault(workload + " has no time.");
        }
        Summary summary = new Summary(sequences);
        summary.add(Metrics.TOTAL_THROUGHPUT, row.number(printed ? "S t/s" : "speed"), 1)
                .add(Metrics.PREFILL_LATENCY.mean(), row.number(printed ? "T_PP s" : "t_pp"), Summary.SECONDS)
                .add(Metrics.DECODE_LATENCY.mean(), row.number(printed ? "T_TG s" : "t_tg"), Summary.SECONDS)
                .add(Metrics.WINDOW, seconds, Summary.SECONDS);
        return new ForeignRun("llama-batched-bench", ForeignRun.UNNAMED, "llama.cpp", workload, sequences, 0, List.of(),
                summary.figures(),
                List.of("llama-batched-bench does not name the model, and excludes tokenizing and sampling.",
                        "Each row is one run; its figures cannot be recomputed."),
                new ForeignRun.Settings(row.settings(name -> !NO_SETTING.contains(name)), Map.of()), row.unread(),
                null);
    }
}
