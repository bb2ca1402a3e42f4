package org.inferometer.serving;

import java.util.List;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;

/// Answers whether the step after a lane's running one may be queued behind it.
///
/// It may if it is certain before the running one has ended: it repeats the running one, each request one position later. So the
/// running step must decode only, and none of its requests may end with it. The scheduler then decides from the counts of tokens,
/// whose values are not known. Nothing is queued that could become void, so no position is computed in vain unless a request is
/// cancelled.
final class NextStep {
    private final Scheduler scheduler;
    private final EngineState state;

    NextStep(Scheduler scheduler, EngineState state) {
        this.scheduler = scheduler;
        this.state = state;
    }

    /// The answer for one running step.
    sealed interface Answer {
        /// The step may be queued. Its requests are one token ahead until the running step has ended.
        record Certain(Work.Compute work, KvPlan plan, String reason) implements Answer {}

        /// Nothing is queued, and nothing has changed.
        enum Uncertain implements Answer {
            /// The scheduler does not decide ahead.
            SCHEDULER,
            /// The running step computes a part of a prompt, or copies.
            NOT_DECODING,
            /// A request ends with the running step, or its token can end it.
            REQUEST_MAY_END,
            /// The scheduler chooses another step, or none.
            ANOTHER_STEP
        }
    }

    /// @param running the running step of a lane without a queued one
    Answer after(InFlightStep running) {
        if (!scheduler.decidesAhead()) {
            return Answer.Uncertain.SCHEDULER;
        }
        if (!(running.work() instanceof Work.Compute work) || !running.counts().onlyDecodes(work.slices().size())) {
            return Answer.Uncertain.NOT_DECODING;
        }
        List<LiveRequest> requests = running.requests();
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).ended || requests.get(i).mayEndWithNextToken()) {
                return Answer.Uncertain.REQUEST_MAY_END;
            }
        }
        requests.forEach(LiveRequest::lookAhead);
        boolean certain = false;
        try {
            if (scheduler.decide(running.lane(),
                    state) instanceof Decision.Run(Work.Compute next, KvPlan plan, String reason)
                    && repeats(work.slices(), next.slices()) && keepsRunning(plan)) {
                certain = true;
                return new Answer.Certain(next, plan, reason);
            }
            return Answer.Uncertain.ANOTHER_STEP;
        } finally {
            if (!certain) {
                requests.forEach(LiveRequest::lookBack);
            }
        }
    }

    private static boolean repeats(List<Slice> slices, List<Slice> next) {
        if (next.size() != slices.size()) {
            return false;
        }
        for (int i = 0; i < next.size(); i++) {
            Slice slice = next.get(i);
            if (slice.count() != 1 || !slice.request().equals(slices.get(i).request())) {
                return false;
            }
        }
        return true;
    }

    /// Whether a plan neither preempts nor admits.
    private boolean keepsRunning(KvPlan plan) {
        return plan.evicted().isEmpty()
                && plan.allocations().stream().noneMatch(allocation -> state.isWaiting(allocation.request()));
    }
}
