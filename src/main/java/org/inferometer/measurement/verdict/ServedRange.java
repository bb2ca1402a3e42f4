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
        OptionalInt not = IntStream.range(0, ascending.size())
                .filter(i -> ascending.get(i).outcome() == SloResult.Outcome.NOT_SERVED).findFirst();
        return new ServedRange(
                IntStream.range(0, not.orElse(ascending.size())).filter(i -> ascending.get(i).isServed()).max(), not);
    }
}
