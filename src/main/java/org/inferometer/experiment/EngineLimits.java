package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The limits that one cell's engine is asked to keep; 0 takes the default for the workload.
///
/// @param maxBatchRows requests in a step; the default is what the workload can use
/// @param maxStepPositions positions in a step
/// @param maxSequencePositions positions of a request; the default is what the workload can reach
/// @param kvBytes size of the KV memory; the default is what the workload's concurrency can use, up to half the free memory
public record EngineLimits(@JsonProperty("maxBatchRows") int maxBatchRows,
        @JsonProperty("maxStepPositions") int maxStepPositions,
        @JsonProperty("maxSequencePositions") int maxSequencePositions, @JsonProperty("kvBytes") long kvBytes) {
    /// All defaults.
    public static final EngineLimits DEFAULTS = new EngineLimits(0, 0, 0, 0);

    /// The limits that are asked for, by the names of their fields: "max_batch_size=8"; empty for the defaults.
    public String text() {
        List<String> asked = new ArrayList<>();
        add(asked, "max_batch_size", maxBatchRows, String::valueOf);
        add(asked, "max_num_tokens", maxStepPositions, String::valueOf);
        add(asked, "max_length", maxSequencePositions, String::valueOf);
        add(asked, "kv_memory", kvBytes, ExperimentFields.KV_MEMORY.type()::write);
        return String.join(",", asked);
    }

    private static void add(List<String> asked, String name, long value, Function<Long, String> text) {
        if (value != 0) {
            asked.add(name + "=" + text.apply(value));
        }
    }
}
