package org.inferometer.engine;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.inferometer.engine.files.SideFile;
import org.inferometer.units.LetterCase;

/// How an engine's weights were rounded with the help of a text, and how much of the error that took away.
///
/// @param method "awq"
/// @param text name of its file
/// @param tokens that the model read
/// @param window tokens that it read at once
/// @param parts in the order of the model
public record EngineCalibration(@JsonProperty("method") String method, @JsonProperty("text") String text,
        @JsonProperty("textSha256") String textSha256, @JsonProperty("tokens") int tokens,
        @JsonProperty("window") int window, @JsonProperty("parts") List<Part> parts) {
    /// `calibration.json` in an engine's folder; absent if its weights were rounded without a text.
    public static final SideFile<EngineCalibration> FILE =
            new SideFile<>("calibration.json", EngineCalibration.class, "calibration", 1024, "Build the engine again.");

    public EngineCalibration {
        Objects.requireNonNull(method);
        Objects.requireNonNull(text);
        Objects.requireNonNull(textSha256);
        parts = List.copyOf(parts);
    }

    /// Projections that share their inputs.
    ///
    /// The errors are ‖(W' − W)x‖² / ‖Wx‖² over tokens that the search did not use.
    ///
    /// @param inputs "attention", "attention output", "feed-forward", "feed-forward output"
    /// @param strength exponent of the inputs' magnitudes in the scales; 0 for none
    /// @param nearestError with weights rounded to the nearest
    /// @param error with these weights
    public record Part(@JsonProperty("layer") int layer, @JsonProperty("inputs") String inputs,
            @JsonProperty("strength") double strength, @JsonProperty("nearestError") double nearestError,
            @JsonProperty("error") double error) {
        public Part {
            Objects.requireNonNull(inputs);
        }
    }

    /// Mean of the parts' errors with weights rounded to the nearest.
    public double meanNearestError() {
        return parts.stream().mapToDouble(Part::nearestError).average().orElse(0);
    }

    /// Mean of the parts' errors.
    public double meanError() {
        return parts.stream().mapToDouble(Part::error).average().orElse(0);
    }

    /// "AWQ on 512 tokens of notes.txt: …".
    public String sentence() {
        return String.format(Locale.ROOT,
                "%s on %d tokens of %s: mean squared error of the projections' outputs %.3g %% (rounded to the nearest: %.3g %%), on tokens that the search did not use.",
                LetterCase.upper(method), tokens, text, 100 * meanError(), 100 * meanNearestError());
    }
}
