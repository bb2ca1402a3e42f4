package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// How far the measured engine's predictions were from a reference engine's when it ran. Judged apart from the run.
///
/// @param reference name of the reference engine
/// @param text name of the text's file
/// @param tokens that were predicted
/// @param perplexity of the engine
/// @param logLikelihoodLoss mean loss against the reference, in nats a token; its exp is the ratio of the perplexities
/// @param divergence mean Kullback-Leibler divergence from the reference, in nats a token
/// @param topAgreement share of tokens with the same likeliest token
public record MeasuredQuality(@JsonProperty("reference") String reference, @JsonProperty("text") String text,
        @JsonProperty("textSha256") String textSha256, @JsonProperty("tokens") int tokens,
        @JsonProperty("window") int window, @JsonProperty("stride") int stride,
        @JsonProperty("perplexity") double perplexity, @JsonProperty("logLikelihoodLoss") TokenMean logLikelihoodLoss,
        @JsonProperty("divergence") TokenMean divergence, @JsonProperty("topAgreement") TokenMean topAgreement) {
    /// A mean over tokens.
    ///
    /// @param halfWidth of its 95 % interval; absent with few tokens
    public record TokenMean(@JsonProperty("mean") double mean, @JsonProperty("halfWidth") @Nullable Double halfWidth) {}

    /// Whether two engines were judged alike, so that their figures can be compared.
    public boolean isJudgedAs(MeasuredQuality other) {
        return reference.equals(other.reference) && textSha256.equals(other.textSha256) && tokens == other.tokens
                && window == other.window && stride == other.stride;
    }
}
