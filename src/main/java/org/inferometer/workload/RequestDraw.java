package org.inferometer.workload;

import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;
import org.jspecify.annotations.Nullable;

/// Makes requests of prompts: adds arrivals, sampling and deadlines. One thread.
final class RequestDraw {
    private final WorkloadSpec spec;
    private final PromptSource prompts;
    private final TokenBudget budget;
    private final @Nullable ArrivalOffsets offsets;
    private final DeadlineDistribution deadlineDistribution;
    private final RandomGenerator cancellations;
    private final Seed phase;
    private final int firstId;
    private final long most;
    private int index;

    /// @param spec of the phase
    /// @param most requests
    RequestDraw(WorkloadSpec spec, PromptSource prompts, TokenBudget budget, Seed phase, int firstId, long most) {
        this.spec = spec;
        this.prompts = prompts;
        this.budget = budget;
        this.offsets = switch (spec.arrivals()) {
            case ArrivalProcess.ClosedLoop closed -> null;
            case ArrivalProcess.Trace trace -> null;
            case ArrivalProcess.OpenLoop open -> ArrivalOffsets.of(open, phase.part("arrivals").generator());
        };
        this.deadlineDistribution = spec.refinements().deadlines();
        this.cancellations = phase.part("patience").generator();
        this.phase = phase;
        this.firstId = firstId;
        this.most = most;
    }

    /// The next request; null if there is no further one or it would arrive after the load's duration.
    @Nullable
    Request next() {
        if (index >= most) {
            return null;
        }
        RequestId id = new RequestId(firstId + index);
        PromptSource.DrawnPrompt asked = prompts.next(id);
        if (asked == null) {
            return null;
        }
        Arrival arrival = arrival(asked.arrival());
        long duration = spec.refinements().durationNanos();
        if (duration > 0 && arrival instanceof Arrival.At(long offset) && offset >= duration) {
            return null;
        }
        Sampling sampling =
                spec.temperature() == 0 ? Sampling.GREEDY : new Sampling(spec.temperature(), spec.refinements().topK(),
                        topP(spec), phase.part("sampling").part(index).value(), spec.refinements().answers());
        index++;
        budget.takeRequest(asked.outputTokens());
        return new Request(id, asked.promptTokens(), new StopRule(asked.outputTokens(), spec.refinements().earlyEnd()),
                arrival, sampling, deadlines(), asked.text());
    }

    private static double topP(WorkloadSpec spec) {
        return spec.refinements().topP() == 0 ? 1 : spec.refinements().topP();
    }

    private Arrival arrival(@Nullable Arrival own) {
        if (own instanceof Arrival.AfterTurn) {
            return own;
        }
        return switch (spec.arrivals()) {
            case ArrivalProcess.ClosedLoop closed -> new Arrival.WhenFree(0);
            case ArrivalProcess.Trace(double speed) -> {
                if (own instanceof Arrival.At(long recorded)) {
                    yield new Arrival.At(Math.round(recorded / speed));
                }
                throw new IllegalArgumentException(
                        "The prompts of " + spec.name() + " have no instants to replay. Choose other arrivals, such as"
                                + " closed:concurrency=8 or poisson:rate=4.");
            }
            case ArrivalProcess.OpenLoop open -> new Arrival.At(offsets == null ? 0 : offsets.nextNanos());
        };
    }

    /// Every request draws as much, so that another rate moves no other request.
    private RequestDeadlines deadlines() {
        if (deadlineDistribution.equals(DeadlineDistribution.NONE)) {
            return RequestDeadlines.NONE;
        }
        boolean isCancelled = cancellations.nextDouble() < deadlineDistribution.cancelRate();
        // At least 1, because 0 means no cancellation.
        long after = Math.max(1, deadlineDistribution.cancelAfter().drawNanos(cancellations));
        return new RequestDeadlines(deadlineDistribution.timeoutNanos(), isCancelled ? after : 0);
    }
}
