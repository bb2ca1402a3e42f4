package org.inferometer.workload;

import java.util.List;

/// All requests of a run, drawn before it starts; where sending in a closed loop ends by the clock, the first of them.
///
/// @param warmUp ids from 0; sent in a closed loop before measuring
/// @param measured ids follow those of the warm-up
/// @param later ids follow those of the measured; drawn while the run goes on
/// @param hash SHA-256 over lengths, tokens, arrivals, patience and sampling of all requests drawn before the run: equal hashes mean
///     equal load, the later ones included, since they come from the same draw
/// @param notes what people should know of the draw, a sentence each
public record Workload(List<Request> warmUp, List<Request> measured, LaterRequests later, String hash,
        List<String> notes) {
    /// The longest prompt.
    public int largestPrompt() {
        return measured.stream().mapToInt(request -> request.promptTokens().length).max().orElse(0);
    }

    /// The most positions any request reaches.
    public int largestTotal() {
        return measured.stream().mapToInt(Request::totalPositions).max().orElse(0);
    }
}
