package org.inferometer.benchmark;

import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.measurement.RequestOutcome;
import org.inferometer.measurement.RunCircumstances;
import org.inferometer.measurement.RunExpectation;
import org.inferometer.measurement.RunWindow;
import org.inferometer.measurement.Verdict;
import org.inferometer.measurement.VerdictRules;
import org.inferometer.serving.TokenSource;

/// Judges one run by its record.
final class RunJudgement {
    private RunJudgement() {}

    /// The verdict of a run that has ended.
    ///
    /// @param askedRequests measured requests of the workload
    /// @param cancellations measured requests that their users were drawn to give up
    static Verdict of(RunRecord record, int askedRequests, int cancellations, long droppedSamples) {
        return VerdictRules.judge(
                record.observations(), RunExpectation.requests(askedRequests).cancelling(cancellations),
                new RunCircumstances(droppedSamples, shareOfCeiling(record), Optional.empty()));
    }

    /// The larger of the request rate and, over HTTP, the chunk rate, each as a share of what the harness reaches by itself.
    private static OptionalDouble shareOfCeiling(RunRecord record) {
        HarnessCeiling ceiling = record.manifest().plan().ceiling();
        Optional<RunWindow> window = RunWindow.of(record.observations().requests().stream().filter(request -> !request.warmUp()).toList());
        if (ceiling == null || window.isEmpty() || !(ceiling.requestsPerSecond() > 0)) {
            return OptionalDouble.empty();
        }
        long sent = 0;
        long chunks = 0;
        for (RequestOutcome request : record.observations().requests()) {
            sent += request.warmUp() ? 0 : 1;
            chunks += request.warmUp() || request.source() == TokenSource.ENGINE ? 0 : request.tokenNanos().length;
        }
        double ofGenerator = sent / window.get().seconds() / ceiling.requestsPerSecond();
        double ofClient = ceiling.chunksPerSecond() > 0 ? chunks / window.get().seconds() / ceiling.chunksPerSecond() : 0;
        return OptionalDouble.of(Math.max(ofGenerator, ofClient));
    }

    /// Why a run is a failure and no result: no measured request ended well. Empty for a result.
    static Optional<String> failure(RunRecord record) {
        return VerdictRules.failure(record.observations().requests());
    }
}
