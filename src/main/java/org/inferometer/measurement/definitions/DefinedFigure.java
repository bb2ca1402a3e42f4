package org.inferometer.measurement.definitions;

import java.util.List;
import java.util.Optional;
import org.inferometer.record.Metric;
import org.jspecify.annotations.Nullable;

/// One figure of a run under our rules and under another tool's, and the rules that lead from one to the other.
///
/// @param name what the tool calls it; empty where it has no such figure
/// @param ours raw value in the metric's unit; absent where the record does not give it
/// @param theirs raw value in the metric's unit; absent where the tool has no such figure
/// @param moves each rule that moved it, in the order taken: the first starts from our value, the last ends at theirs
public record DefinedFigure(Metric metric, String name, @Nullable Double ours, @Nullable Double theirs,
        List<Move> moves) {
    /// One rule and what it did to the figure while those before it were already theirs.
    ///
    /// @param words the rule behind the tool's name: "vLLM starts the clock when ..."
    /// @param before absent where there was no figure before
    /// @param after absent where there is none after
    public record Move(Rule rule, String words, @Nullable Double before, @Nullable Double after) {}

    /// Our value.
    public Optional<Double> here() {
        return Optional.ofNullable(ours);
    }

    /// The other tool's value.
    public Optional<Double> there() {
        return Optional.ofNullable(theirs);
    }
}
