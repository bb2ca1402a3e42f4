package org.inferometer.results.exchange;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.inferometer.measurement.Metrics;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.exchange.Summary.FigureField;

/// llama-batched-bench as JSON lines, or as the Markdown table that it prints: a row per number of prompt tokens, output tokens and
/// sequences computed together. All sequences of a row begin and end together.
final class LlamaBatchedBenchFormat {
    static final ForeignFormat FORMAT = ForeignFormat.ofRows("llama-batched-bench", LlamaBatchedBenchFormat::fits,
            file -> true, "row", LlamaBatchedBenchFormat::run);
    private static final Set<String> NO_SETTING =
            Set.of("pp", "tg", "pl", "n_kv", "t_pp", "speed_pp", "t_tg", "speed_tg", "t", "speed", "PP", "TG", "B",
                    "N_KV", "T_PP s", "S_PP t/s", "T_TG s", "S_TG t/s", "T s", "S t/s");

    private static final List<FigureField> WRITTEN = figures("speed", "t_pp", "t_tg", "t");
    private static final List<FigureField> PRINTED = figures("S t/s", "T_PP s", "T_TG s", "T s");

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
        return new ForeignRun.Builder("llama-batched-bench", row).named(ForeignRun.UNNAMED, "llama.cpp", workload)
                .load(sequences, OptionalDouble.empty())
                .summary(new Summary(sequences).add(printed ? PRINTED : WRITTEN, row))
                .note("llama-batched-bench does not name the model, and excludes tokenizing and sampling.",
                        "Each row is one run.")
                .settings(row.settings(name -> !NO_SETTING.contains(name)), Map.of()).build();
    }

    private static List<FigureField> figures(String total, String prefill, String decode, String time) {
        return List.of(new FigureField(total, Metrics.TOTAL_THROUGHPUT, 1),
                new FigureField(prefill, Metrics.PREFILL_LATENCY.mean(), Summary.SECONDS),
                new FigureField(decode, Metrics.DECODE_LATENCY.mean(), Summary.SECONDS),
                new FigureField(time, Metrics.WINDOW, Summary.SECONDS));
    }
}
