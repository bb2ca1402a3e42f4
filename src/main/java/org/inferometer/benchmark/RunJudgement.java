package org.inferometer.benchmark;

import java.util.Optional;
import org.inferometer.measurement.RunCircumstances;
import org.inferometer.measurement.RunExpectation;
import org.inferometer.measurement.Verdict;
import org.inferometer.measurement.VerdictRules;

/// Judges one run by its record.
final class RunJudgement {
    private RunJudgement() {}

    /// The verdict of a run that has ended.
    ///
    /// @param askedRequests measured requests of the workload
    static Verdict of(RunRecord record, int askedRequests, long droppedSamples) {
        return VerdictRules.judge(
                record.observations(), RunExpectation.requests(askedRequests), RunCircumstances.dropped(droppedSamples));
    }

    /// Why a run is a failure and no result: no measured request ended well. Empty for a result.
    static Optional<String> failure(RunRecord record) {
        return VerdictRules.failure(record.observations().requests());
    }
}
