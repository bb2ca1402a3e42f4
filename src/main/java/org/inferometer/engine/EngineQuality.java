package org.inferometer.engine;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.SideFile;
import org.jspecify.annotations.Nullable;

/// How far an engine's predictions are from a reference engine's on the same tokens.
///
/// @param reference name of the reference engine
/// @param tokens that were predicted
/// @param perplexity exp of the mean negative log-likelihood
/// @param logLikelihoodLoss mean of the engine's negative log-likelihood minus the reference's, in nats a token; its exp is the ratio of the
///     perplexities
/// @param divergence mean Kullback-Leibler divergence from the reference, in nats a token
/// @param divergenceP99 of the tokens
/// @param topAgreement share of tokens for which both have the same likeliest token
public record EngineQuality(@JsonProperty("reference") String reference,
        @JsonProperty("referenceSha256") String referenceSha256, @JsonProperty("weightsSha256") String weightsSha256,
        @JsonProperty("text") Reading text, @JsonProperty("tokens") int tokens,
        @JsonProperty("measured") Instant measured, @JsonProperty("perplexity") double perplexity,
        @JsonProperty("referencePerplexity") double referencePerplexity,
        @JsonProperty("logLikelihoodLoss") Mean logLikelihoodLoss, @JsonProperty("divergence") Mean divergence,
        @JsonProperty("divergenceP99") double divergenceP99, @JsonProperty("topAgreement") Mean topAgreement) {
    /// `quality.json` in an engine's folder: the newest judgement of its weights.
    public static final SideFile<EngineQuality> FILE =
            new SideFile<>("quality.json", EngineQuality.class, "quality file", 64, "Measure the quality again.");

    /// The quality of these weights; empty if it was not measured, or if other weights were judged.
    ///
    /// @throws EngineFormatException if the file is broken
    public static Optional<EngineQuality> read(Path folder, EngineDescriptor engine) throws EngineFormatException {
        return FILE.read(folder).filter(quality -> quality.weightsSha256().equals(engine.weightsSha256()));
    }

    public EngineQuality {
        // Files may come from others.
        for (Object part : List.of(reference, referenceSha256, weightsSha256, text, measured, logLikelihoodLoss,
                divergence, topAgreement)) {
            Objects.requireNonNull(part);
        }
    }

    /// The text and how it was read.
    ///
    /// @param name of its file
    /// @param window tokens that are read at once
    /// @param stride tokens between the begins of windows
    public record Reading(@JsonProperty("name") String name, @JsonProperty("sha256") String sha256,
            @JsonProperty("window") int window, @JsonProperty("stride") int stride) {
        public Reading {
            Objects.requireNonNull(name);
            Objects.requireNonNull(sha256);
        }
    }

    /// A mean over tokens.
    ///
    /// @param halfWidth of its 95 % interval; absent with few tokens
    public record Mean(double mean, @Nullable Double halfWidth) {
        private static final Set<String> FIELDS = Set.of("mean", "halfWidth");

        /// Reads a mean; its interval may be null, which no other field of the file may be.
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Mean read(Map<String, @Nullable Double> fields) {
            Double mean = fields.get("mean");
            if (mean == null || !fields.keySet().equals(FIELDS)) {
                throw new IllegalArgumentException("a mean needs \"mean\" and \"halfWidth\" alone");
            }
            return new Mean(mean, fields.get("halfWidth"));
        }
    }

    /// Perplexity divided by the reference's.
    public double perplexityRatio() {
        return Math.exp(logLikelihoodLoss.mean());
    }
}
