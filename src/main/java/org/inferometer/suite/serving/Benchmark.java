package org.inferometer.suite.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The load of a test.
///
/// @param mode what is measured; empty if it is no known word
/// @param concurrencies requests in flight at a time, one round of runs for each
/// @param rounds requests of a round are concurrency × rounds
/// @param ratio of random lengths
public record Benchmark(Optional<Mode> mode, boolean streaming, List<Integer> concurrencies,
        Optional<Integer> inputLength, Optional<Integer> outputLength, Optional<Integer> rounds, Optional<Double> ratio,
        String datasetFile, Section section) {
    /// What a list of concurrencies has.
    static final String NUMBERS = "whole numbers divided by blanks";
    private static final Set<String> KEYS =
            Set.of("mode", "use_nv_sa_benchmark", "multi_round", "benchmark_ratio", "streaming", "concurrency_list",
                    "input_length", "output_length", "dataset_file", "enable_benchmark", "env_var", "metrics");

    /// What a test measures.
    public enum Mode {
        /// Context and generation.
        E2E("e2e"),
        /// Generation, with contexts from context servers.
        GEN_ONLY("gen_only"),
        /// Generation alone.
        GEN_ONLY_NO_CONTEXT("gen_only_no_context"),
        /// Context alone.
        CTX_ONLY("ctx_only");

        private final String word;

        Mode(String word) {
            this.word = word;
        }

        /// As files write it.
        public String word() {
            return word;
        }
    }

    static Benchmark read(Section section) {
        section.noteUnknown(KEYS);
        String word = section.text("mode");
        Optional<Mode> mode = List.of(Mode.values()).stream().filter(each -> each.word.equals(word)).findFirst();
        if (mode.isEmpty() && !word.isEmpty()) {
            section.error("mode", "The mode is not known.", word, "e2e, gen_only, gen_only_no_context or ctx_only");
        }
        if (section.scalar("concurrency_list").contains(",")) {
            section.error("concurrency_list", "The framework divides the list at blanks alone. Leave the commas out.",
                    section.scalar("concurrency_list"), NUMBERS);
        }
        List<Integer> concurrencies = new ArrayList<>();
        for (String each : section.words("concurrency_list")) {
            try {
                concurrencies.add(Integer.valueOf(each));
            } catch (NumberFormatException e) {
                section.error("concurrency_list", "A concurrency is no whole number.", each, NUMBERS);
            }
        }
        return new Benchmark(mode, section.flag("streaming").orElse(false), List.copyOf(concurrencies),
                section.whole("input_length"), section.whole("output_length"), section.whole("multi_round"),
                section.decimal("benchmark_ratio"), section.text("dataset_file"), section);
    }
}
