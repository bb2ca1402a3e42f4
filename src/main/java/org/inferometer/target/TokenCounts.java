package org.inferometer.target;

import org.inferometer.record.TokenSource;

/// The token counts of a request and their source.
///
/// @param promptTokens prompt tokens as counted by the source
/// @param outputTokens output tokens as counted by the source
public record TokenCounts(int promptTokens, int outputTokens, TokenSource source) {}
