package org.inferometer.run.worker;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.inferometer.measurement.FailureReasons;
import org.inferometer.measurement.RunWindow;
import org.inferometer.measurement.verdict.RunCircumstances;
import org.inferometer.measurement.verdict.RunExpectation;
import org.inferometer.measurement.verdict.VerdictRules;
import org.inferometer.record.HarnessCeiling;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
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
    /// A timed closed loop must send until its duration has passed; this is checked unless think times or a request count
    /// may end the load earlier. Turns of sessions are not checked if the duration cuts sessions.
    ///
    /// @param drawn measured requests drawn before the run
    static RunExpectation expectation(WorkloadSpec load, int drawn) {
        return amount(load, drawn).endingEarly(!load.refinements().earlyEnd().isNone());
    }

    private static RunExpectation amount(WorkloadSpec load, int drawn) {
        Refinements refined = load.refinements();
        if (refined.durationNanos() == 0) {
            return RunExpectation.requests(drawn);
        }
        if (load.arrivals() instanceof ArrivalProcess.ClosedLoop && refined.trace() == null) {
            boolean byClockAlone = refined.sessions() == null && load.requests() == 0 && load.promptFile() == null;
            return RunExpectation.requests(1)
                    .lasting(byClockAlone ? Math.round(refined.durationNanos() * LASTING_SHARE) : 0);
        }
        return RunExpectation.requests(refined.hasSessions() ? 1 : Math.max(1, drawn));
    }

    /// The verdict of a run that has ended.
    ///
    /// @param otherGpuProcess whether another process computed on its GPU; empty if unknown
    static Verdict of(RunRecord record, RunExpectation expectation, long droppedSamples,
            Optional<Boolean> otherGpuProcess) {
        return VerdictRules.judge(record.observations(), expectation,
                new RunCircumstances(droppedSamples, shareOfCeiling(record), otherGpuProcess, otherPrograms(record)));
    }

    private static OptionalDouble otherPrograms(RunRecord record) {
        MachineDescription.Environment environment = record.manifest().machine().environment();
        Double load = environment == null ? null : environment.backgroundLoad();
        return load == null ? OptionalDouble.empty() : OptionalDouble.of(load);
    }

    /// The load of the harness: request rate, or chunk rate over HTTP if larger, as a share of its measured limit.
    private static OptionalDouble shareOfCeiling(RunRecord record) {
        HarnessCeiling ceiling = record.manifest().plan().ceiling();
        Optional<RunWindow> window = RunWindow.of(record.observations().requests().measured());
        if (ceiling == null || window.isEmpty() || !(ceiling.requestsPerSecond() > 0)) {
            return OptionalDouble.empty();
        }
        long sent = 0;
        long chunks = 0;
        for (RequestOutcome request : record.observations().requests()) {
            sent += request.warmUp() ? 0 : 1;
            chunks += request.warmUp() || request.source() == TokenSource.ENGINE ? 0 : request.eventNanos().length;
        }
        double ofGenerator = sent / window.get().seconds() / ceiling.requestsPerSecond();
        double ofClient =
                ceiling.chunksPerSecond() > 0 ? chunks / window.get().seconds() / ceiling.chunksPerSecond() : 0;
        return OptionalDouble.of(Math.max(ofGenerator, ofClient));
    }

    /// The failed requests of a run that ended early, counted by reason, as a further sentence; empty if the failure names the reason.
    static String failedRequests(RunRecord record, String failure) {
        List<RequestOutcome> failed =
                record.observations().requests().stream()
                        .filter(request -> !request.ok() && request.status() != RequestStatus.CANCELLED
                                && request.status() != RequestStatus.GAVE_UP && !failure.contains(request.reason()))
                        .toList();
        return failed.isEmpty() ? "" : " Failed requests: " + FailureReasons.of(failed).text() + ".";
    }

    /// The failure of a run in which no measured request succeeded; else empty.
    static Optional<String> failure(RunRecord record) {
        return VerdictRules.failure(record.observations().requests());
    }
}
