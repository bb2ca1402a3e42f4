package org.inferometer.target;

import org.inferometer.record.TokenSource;

/// How many tokens a request had, and who says so.
///
/// @param promptTokens tokens of the prompt as the source counts them
/// @param outputTokens tokens of the answer as the source counts them
public record TokenCounts(int promptTokens, int outputTokens, TokenSource source) {}
