package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The limits that one cell's engine is asked to keep; 0 takes the default for the workload.
///
/// @param maxBatchRows requests in a step; the default is the engine's, else what the workload can use
/// @param maxStepPositions positions in a step
/// @param maxSequencePositions positions of a request; the default is the engine's, else what the workload can reach
/// @param kvBytes size of the KV memory; the default is what the workload's concurrency can use, up to half the free memory
public record EngineLimits(@JsonProperty("maxBatchRows") int maxBatchRows,
        @JsonProperty("maxStepPositions") int maxStepPositions,
        @JsonProperty("maxSequencePositions") int maxSequencePositions, @JsonProperty("kvBytes") long kvBytes) {
    /// All defaults.
    public static final EngineLimits DEFAULTS = new EngineLimits(0, 0, 0, 0);

    /// The limits that are asked for, by the names of their fields: "max_batch_size=8"; empty for the defaults.
    public String text() {
        return asked().entrySet().stream().map(limit -> limit.getKey() + "=" + limit.getValue())
                .collect(Collectors.joining(","));
    }

    /// The values that are asked for by the names of their fields; empty for the defaults.
    public Map<String, String> asked() {
        Map<String, String> asked = new LinkedHashMap<>();
        texts().forEach((name, text) -> text.ifPresent(value -> asked.put(name, value)));
        return asked;
    }

    /// The names of all limits.
    public static Set<String> names() {
        return DEFAULTS.texts().keySet();
    }

    private Map<String, Optional<String>> texts() {
        Map<String, Optional<String>> texts = new LinkedHashMap<>();
        put(texts, "max_batch_size", maxBatchRows, String::valueOf);
        put(texts, "max_num_tokens", maxStepPositions, String::valueOf);
        put(texts, "max_length", maxSequencePositions, String::valueOf);
        put(texts, "kv_memory", kvBytes, ExperimentFields.KV_MEMORY.type()::write);
        return texts;
    }

    private static void put(Map<String, Optional<String>> texts, String name, long value, Function<Long, String> text) {
        texts.put(name, value == 0 ? Optional.empty() : Optional.of(text.apply(value)));
    }
}
