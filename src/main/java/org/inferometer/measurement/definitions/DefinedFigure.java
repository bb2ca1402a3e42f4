package org.inferometer.measurement.definitions;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.Metric;
import org.jspecify.annotations.Nullable;

/// One figure of a run under our rules and under another tool's, and the rules that change it.
///
/// @param name its name in the tool; empty if the tool has none
/// @param ours raw value in the metric's unit; absent if the record does not give it
/// @param theirs raw value in the metric's unit; absent if the tool has none
/// @param moves the rules that change it, in order: the first starts from our value, the last ends at theirs
public record DefinedFigure(Metric metric, String name, @Nullable Double ours, @Nullable Double theirs,
        List<Move> moves) {
    /// The effect of one rule, after the rules before it.
    ///
    /// @param text the rule behind the tool's name: "vLLM starts the clock when ..."
    /// @param before absent if there was no figure
    /// @param after absent if there is none
    public record Move(Rule rule, @JsonProperty("words") String text, @Nullable Double before,
            @Nullable Double after) {}

    /// Our value.
    public Optional<Double> here() {
        return Optional.ofNullable(ours);
    }

    /// The other tool's value.
    public Optional<Double> there() {
        return Optional.ofNullable(theirs);
    }
}
