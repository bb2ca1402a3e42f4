package org.inferometer.workload;

import java.util.List;
import java.util.Objects;

/// All requests of a run, drawn before it starts; of a closed loop that ends by time, the first of them.
///
/// @param warmUp ids from 0; sent in a closed loop before measuring
/// @param measured ids follow those of the warm-up
/// @param later ids follow those of the measured; drawn during the run
/// @param hash SHA-256 over lengths, tokens, arrivals, deadlines and sampling of all requests drawn before the run; equal hashes mean
///     equal load, later requests included
/// @param notes about the draw, for the user
public record Workload(List<Request> warmUp, List<Request> measured, LaterRequests later, String hash,
        List<String> notes) {
    /// How many measured prompts that are texts of a file differ; 0 if they are drawn.
    public int differentTexts() {
        return (int) measured.stream().map(Request::promptText).filter(Objects::nonNull).distinct().count();
    }

    /// The longest prompt.
    public int largestPrompt() {
        return measured.stream().mapToInt(request -> request.promptTokens().length).max().orElse(0);
    }

    /// The most positions any request reaches.
    public int largestTotal() {
        return measured.stream().mapToInt(Request::totalPositions).max().orElse(0);
    }
}
