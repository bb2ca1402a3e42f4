package org.inferometer.run;

import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.measurement.RunCircumstances;
import org.inferometer.measurement.RunExpectation;
import org.inferometer.measurement.RunWindow;
import org.inferometer.measurement.VerdictRules;
import org.inferometer.record.HarnessCeiling;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.record.TokenSource;
import org.inferometer.record.Verdict;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Refinements;
import org.inferometer.workload.WorkloadSpec;

/// Judges one run by its record.
final class RunVerdict {
    private static final double LASTING_SHARE = 0.95;

    private RunVerdict() {}

    /// The conditions of a complete run.
    ///
    /// A closed loop that ends by the clock has as many requests as fit, and each place in it ends with a request that was under way when the
    /// time was up; so its window is as long as was asked, but for the first sending and for what a stream takes to close. Where turns are
    /// thought over or a count can end the load first, nothing is said of time; where the clock cuts sessions, nothing of their turns.
    ///
    /// @param drawn measured requests drawn before the run
    static RunExpectation expectation(WorkloadSpec load, int drawn) {
        Refinements refined = load.refinements();
        if (refined.durationNanos() == 0) {
            return RunExpectation.requests(drawn);
        }
        if (load.arrivals() instanceof ArrivalProcess.ClosedLoop && refined.trace() == null) {
            boolean byClockAlone = refined.sessions() == null && load.requests() == 0 && load.promptFile() == null;
            return RunExpectation.requests(1)
                    .lasting(byClockAlone ? Math.round(refined.durationNanos() * LASTING_SHARE) : 0);
        }
        return RunExpectation.requests(refined.sessions() == null ? Math.max(1, drawn) : 1);
    }

    /// The verdict of a run that has ended.
    ///
    /// @param otherGpuProcess whether another process computed on its GPU; empty if unknown
    static Verdict of(RunRecord record, RunExpectation expectation, long droppedSamples,
            Optional<Boolean> otherGpuProcess) {
        return VerdictRules.judge(record.observations(), expectation,
                new RunCircumstances(droppedSamples, shareOfCeiling(record), otherGpuProcess));
    }

    /// The larger of the request rate and, over HTTP, the chunk rate, each as a share of the harness's own limit.
    private static OptionalDouble shareOfCeiling(RunRecord record) {
        HarnessCeiling ceiling = record.manifest().plan().ceiling();
        Optional<RunWindow> window =
                RunWindow.of(record.observations().requests().stream().filter(request -> !request.warmUp()).toList());
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
        double ofClient =
                ceiling.chunksPerSecond() > 0 ? chunks / window.get().seconds() / ceiling.chunksPerSecond() : 0;
        return OptionalDouble.of(Math.max(ofGenerator, ofClient));
    }

    /// Why a run is a failure and no result: no measured request ended well. Empty for a result.
    static Optional<String> failure(RunRecord record) {
        return VerdictRules.failure(record.observations().requests());
    }
}
