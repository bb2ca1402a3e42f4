package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/// The highest rates of the load generator and the HTTP client on a machine. Near them, a run does not measure the target.
///
/// @param requestsPerSecond the generator against a target that does nothing
/// @param chunksPerSecond streamed chunks stamped and kept over HTTP; 0 where that was not measured
public record HarnessCeiling(@JsonProperty("requestsPerSecond") double requestsPerSecond,
        @JsonProperty("chunksPerSecond") double chunksPerSecond) {
    /// The id of the check that yields the generator's ceiling.
    static final String GENERATOR = "generator_ceiling";
    /// The id of the check that yields the HTTP client's ceiling.
    public static final String HTTP = "http_chunk_ceiling";

    /// The ceiling from the results of a self-check; 0 for values that were not measured.
    public static HarnessCeiling of(List<SelfCheckResult> results) {
        return new HarnessCeiling(value(results, GENERATOR), value(results, HTTP));
    }

    private static double value(List<SelfCheckResult> results, String id) {
        return results.stream().filter(result -> result.id().equals(id)).flatMap(result -> result.value().stream())
                .findFirst().orElse(0.0);
    }
}
