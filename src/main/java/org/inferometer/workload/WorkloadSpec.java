package org.inferometer.workload;

import org.jspecify.annotations.Nullable;

/// The shape of a load: what is asked, how much is answered, and when.
///
/// @param name the preset it came from, or its own: "chat"
/// @param promptTokens lengths of prompts; unused where prompts come from a file
/// @param promptFile one prompt a line (or JSON lines with "prompt" and "output_tokens"); absent for synthetic token ids
/// @param sharedPrefixTokens tokens every synthetic prompt of the run begins with, as a system prompt does
/// @param requests measured requests
public record WorkloadSpec(
        String name,
        LengthDistribution promptTokens,
        LengthDistribution outputTokens,
        @Nullable String promptFile,
        int sharedPrefixTokens,
        ArrivalProcess arrivals,
        int requests,
        double temperature) {

    /// The same shape arriving differently.
    public WorkloadSpec withArrivals(ArrivalProcess changed) {
        return new WorkloadSpec(name, promptTokens, outputTokens, promptFile, sharedPrefixTokens, changed, requests, temperature);
    }

    /// The same shape under another name.
    public WorkloadSpec named(String changed) {
        return new WorkloadSpec(changed, promptTokens, outputTokens, promptFile, sharedPrefixTokens, arrivals, requests, temperature);
    }

    /// The same shape with another number of requests.
    public WorkloadSpec withRequests(int changed) {
        return new WorkloadSpec(name, promptTokens, outputTokens, promptFile, sharedPrefixTokens, arrivals, changed, temperature);
    }
}
