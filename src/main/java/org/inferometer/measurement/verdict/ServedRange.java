package org.inferometer.measurement.verdict;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.inferometer.record.SloResult;

/// The highest load that a subject serves, as a range: the highest load that is served and the lowest that is not.
///
/// A load above one that is not served is not served either.
///
/// @param highestServed index of a load; empty if none is served
/// @param lowestNotServed index of a load; empty if none is refused
public record ServedRange(OptionalInt highestServed, OptionalInt lowestNotServed) {
    /// @param ascending results of loads of rising strength
    public static ServedRange of(List<SloResult> ascending) {
        OptionalInt not = indices(ascending, ascending.size(), SloResult.Outcome.NOT_SERVED).min();
        return new ServedRange(indices(ascending, not.orElse(ascending.size()), SloResult.Outcome.SERVED).max(), not);
    }

    private static IntStream indices(List<SloResult> ascending, int below, SloResult.Outcome outcome) {
        return IntStream.range(0, below).filter(i -> ascending.get(i).outcome() == outcome);
    }
}
