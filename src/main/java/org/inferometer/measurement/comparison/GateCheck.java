package org.inferometer.measurement.comparison;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.measurement.comparison.MarginCheck.Outcome;
import org.inferometer.measurement.statistics.Holm;
import org.inferometer.measurement.statistics.Moments;
import org.jspecify.annotations.Nullable;

/// One check of a gate: of a margin against the base, or of a limit.
public sealed interface GateCheck permits MarginCheck, LimitCheck {
    /// One-sided probability of a regression at least as large if there were none; absent with fewer than two runs on a side.
    @Nullable
    Double pValue();

    /// The result.
    Outcome outcome();

    /// Runs that would decide in 4 of 5 experiments if the figures stay as they are; absent where the check is decided, and above 1000.
    @Nullable
    Integer runsToTell();

    /// The same check after correction.
    GateCheck corrected(double pValue, Outcome outcome);

    /// The checks with regressions corrected after Holm, so that the chance of any false alarm is that of one check. Passing is not
    /// corrected.
    static List<GateCheck> together(List<? extends GateCheck> checks) {
        List<Double> tested = new ArrayList<>();
        for (GateCheck check : checks) {
            Double pValue = check.pValue();
            if (pValue != null) {
                tested.add(pValue);
            }
        }
        double[] corrected = Holm.corrected(tested.stream().mapToDouble(Double::doubleValue).toArray());
        List<GateCheck> judged = new ArrayList<>();
        int at = 0;
        for (GateCheck check : checks) {
            if (check.pValue() == null) {
                judged.add(check);
                continue;
            }
            double pValue = corrected[at++];
            boolean rejected = check.outcome() == Outcome.REGRESSION && pValue > (1 - Moments.CONFIDENCE) / 2;
            judged.add(check.corrected(pValue, rejected ? Outcome.CANNOT_TELL : check.outcome()));
        }
        return List.copyOf(judged);
    }
}
