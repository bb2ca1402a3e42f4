package org.inferometer.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;

/// The steps of the measured phase of a run, in the order of their ends.
///
/// @param copies transfers between KV pools
public record ObservedRun(List<ObservedStep> steps, List<ObservedCopy> copies, ObservedSends sends) {
    /// A measured transfer.
    public record ObservedCopy(int positions, long nanos) {}

    /// Reads the steps of a record.
    public static ObservedRun of(RunRecord run) {
        return new Reader(run.observations()).read();
    }

    private static final class Reader {
        private final RunObservations observations;
        private final Map<Integer, Integer> prompts = new HashMap<>();
        private final Map<Integer, long[]> instants = new HashMap<>();

        private Reader(RunObservations observations) {
            this.observations = observations;
            RequestColumns requests = observations.requests();
            for (int i = 0; i < requests.size(); i++) {
                prompts.put(requests.number(i), requests.promptTokens(i));
                if (requests.events(i) == requests.outputTokens(i)) {
                    long[] ofRequest = new long[requests.events(i)];
                    requests.eventNanos(i, ofRequest);
                    instants.put(requests.number(i), ofRequest);
                }
            }
        }

        private ObservedRun read() {
            long from = measuredFrom();
            List<ObservedStep> steps = new ArrayList<>();
            List<ObservedRun.ObservedCopy> copies = new ArrayList<>();
            Map<Integer, List<StepReport>> byLane = new HashMap<>();
            for (StepReport step : observations.steps()) {
                if (step.startNanos() < from) {
                    continue;
                }
                if (observations.setup().isTransfer(step)) {
                    copies.add(new ObservedRun.ObservedCopy(
                            step.slices().toList().stream().mapToInt(slice -> slice.count()).sum(),
                            step.endNanos() - step.startNanos()));
                } else {
                    byLane.computeIfAbsent(step.lane().index(), lane -> new ArrayList<>()).add(step);
                }
            }
            byLane.forEach((lane, ofLane) -> {
                for (int i = 0; i < ofLane.size(); i++) {
                    StepReport step = ofLane.get(i);
                    long delivered = delivered(step);
                    steps.add(new ObservedStep(StepWork.of(step, request -> prompts.getOrDefault(request, 0)),
                            step.endNanos() - step.startNanos(), otherLanes(step, lane, byLane),
                            delivered == ObservedStep.UNKNOWN ? delivered : delivered - step.endNanos(),
                            i + 1 == ofLane.size() ? ObservedStep.UNKNOWN
                                    : startDelay(step, delivered, ofLane.get(i + 1), lane, byLane)));
                }
            });
            return new ObservedRun(List.copyOf(steps), List.copyOf(copies), ObservedSends.of(observations));
        }

        private long measuredFrom() {
            return observations.events().stream()
                    .filter(event -> event instanceof RunEvent.PhaseStarted started && started.phase() == Phase.MEASURE)
                    .mapToLong(RunEvent::nanos).findFirst().orElse(0);
        }

        /// The first instant at which a token of the step was delivered.
        private long delivered(StepReport step) {
            StepSlices slices = step.slices();
            for (int i = 0; i < slices.size(); i++) {
                long[] ofRequest = instants.get(slices.request(i));
                int token = slices.from(i) + slices.count(i) - prompts.getOrDefault(slices.request(i), 0);
                if (ofRequest != null && token >= 0 && token < ofRequest.length
                        && ofRequest[token] >= step.endNanos()) {
                    return ofRequest[token];
                }
            }
            return ObservedStep.UNKNOWN;
        }

        /// Only where the next step goes on with a request of this one and no other lane ended a step meanwhile, so that the
        /// scheduler waited for nothing.
        private static long startDelay(StepReport step, long delivered, StepReport next, int lane,
                Map<Integer, List<StepReport>> byLane) {
            if (delivered == ObservedStep.UNKNOWN || next.startNanos() < delivered || !goesOn(step, next)) {
                return ObservedStep.UNKNOWN;
            }
            for (Map.Entry<Integer, List<StepReport>> other : byLane.entrySet()) {
                int after = firstEndingAfter(other.getValue(), step.endNanos());
                if (other.getKey() != lane && after < other.getValue().size()
                        && other.getValue().get(after).endNanos() <= next.startNanos()) {
                    return ObservedStep.UNKNOWN;
                }
            }
            return next.startNanos() - delivered;
        }

        private static boolean goesOn(StepReport step, StepReport next) {
            StepSlices before = step.slices();
            StepSlices after = next.slices();
            for (int i = 0; i < before.size(); i++) {
                for (int k = 0; k < after.size(); k++) {
                    if (before.request(i) == after.request(k) && before.from(i) + before.count(i) == after.from(k)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private static double otherLanes(StepReport step, int lane, Map<Integer, List<StepReport>> byLane) {
            long busy = 0;
            for (Map.Entry<Integer, List<StepReport>> other : byLane.entrySet()) {
                if (other.getKey() != lane) {
                    busy += overlap(step, other.getValue());
                }
            }
            long nanos = Math.max(1, step.endNanos() - step.startNanos());
            return (double) busy / nanos;
        }

        private static long overlap(StepReport step, List<StepReport> others) {
            long sum = 0;
            for (int i = firstEndingAfter(others, step.startNanos()); i < others.size()
                    && others.get(i).startNanos() < step.endNanos(); i++) {
                sum += Math.min(step.endNanos(), others.get(i).endNanos())
                        - Math.max(step.startNanos(), others.get(i).startNanos());
            }
            return sum;
        }

        /// The index of the first step that ends after an instant.
        private static int firstEndingAfter(List<StepReport> steps, long nanos) {
            int low = 0;
            int high = steps.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (steps.get(middle).endNanos() <= nanos) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }
}
