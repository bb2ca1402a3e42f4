package org.inferometer.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.record.StepReport;

/// How the load generator and the engine's mailbox took their time in one run.
///
/// @param wakeNanos from the instant at which a request was due until it was sent, where the generator had nothing else to do
/// @param spacingNanos between two requests that were due together
/// @param arrivalNanos from sending until an idle lane decided on the first of the requests that it then took
public record ObservedSends(long[] wakeNanos, long[] spacingNanos, long[] arrivalNanos) {
    // A scheduler that collects a batch waits longer, and a mailbox does not.
    private static final long MOST_ARRIVAL_NANOS = 2_000_000;

    /// Of the measured phase of a run.
    static ObservedSends of(RunObservations observations) {
        RequestColumns requests = observations.requests().measured();
        List<RequestOutcome> sent = requests.stream().filter(request -> request.sentNanos() != RequestOutcome.ABSENT)
                .sorted(Comparator.comparingLong(RequestOutcome::sentNanos)).toList();
        List<Long> wake = new ArrayList<>();
        List<Long> spacing = new ArrayList<>();
        long before = Long.MIN_VALUE;
        for (RequestOutcome request : sent) {
            if (before == Long.MIN_VALUE || request.intendedNanos() >= before) {
                wake.add(Math.max(0, request.sentNanos() - request.intendedNanos()));
            } else {
                spacing.add(request.sentNanos() - before);
            }
            before = request.sentNanos();
        }
        return new ObservedSends(array(wake), array(spacing), array(arrivals(observations, sent)));
    }

    /// Of several runs together.
    static ObservedSends joined(List<ObservedSends> runs) {
        return new ObservedSends(join(runs.stream().map(ObservedSends::wakeNanos)),
                join(runs.stream().map(ObservedSends::spacingNanos)),
                join(runs.stream().map(ObservedSends::arrivalNanos)));
    }

    private static List<Long> arrivals(RunObservations observations, List<RequestOutcome> sent) {
        Map<Integer, Integer> laneOf = new HashMap<>();
        for (RunEvent event : observations.events()) {
            if (event instanceof RunEvent.Admitted admitted && !admitted.again()) {
                laneOf.put(admitted.request().index(), admitted.lane().index());
            }
        }
        List<Long> found = new ArrayList<>();
        long before = Long.MIN_VALUE;
        for (RequestOutcome request : sent) {
            // Those admitted together came out of the mailbox with the first of them.
            boolean first = request.admittedNanos() != before;
            before = request.admittedNanos();
            int lane = laneOf.getOrDefault(request.id().index(), -1);
            long nanos = request.admittedNanos() - request.sentNanos();
            if (first && nanos >= 0 && nanos <= MOST_ARRIVAL_NANOS
                    && isIdle(observations.steps(), lane, request.sentNanos(), request.admittedNanos())) {
                found.add(nanos);
            }
        }
        return found;
    }

    /// Whether a lane ran no step meanwhile, and no other lane ended one, so that the request alone made the scheduler decide.
    private static boolean isIdle(List<StepReport> steps, int lane, long from, long until) {
        return steps.stream().noneMatch(step -> step.endNanos() > from
                && (step.lane().index() == lane ? step.startNanos() < until : step.endNanos() <= until));
    }

    private static long[] array(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    private static long[] join(Stream<long[]> parts) {
        return parts.flatMapToLong(Arrays::stream).toArray();
    }
}
