package org.inferometer.workload;

import java.util.List;

/// All requests of a run, drawn before it starts.
///
/// @param warmUp ids from 0; sent in a closed loop before measuring
/// @param measured ids follow those of the warm-up
/// @param hash SHA-256 over lengths, tokens, arrivals and sampling of all requests: equal hashes mean equal load
public record Workload(List<Request> warmUp, List<Request> measured, String hash) {
    /// The longest prompt.
    public int largestPrompt() {
        return measured.stream().mapToInt(request -> request.promptTokens().length).max().orElse(0);
    }

    /// The most positions any request reaches.
    public int largestTotal() {
        return measured.stream().mapToInt(Request::totalPositions).max().orElse(0);
    }
}
