package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.workload.RequestId;

/// Preemptions, recomputed tokens and prefix hits, from the engine's events inside the window.
final class PreemptionFigures {
    private final RunObservations observations;
    private final Map<RequestId, Integer> promptTokens; // of measured requests that ended
    private final RunWindow window;
    private final long steps;
    private long promptsIn;
    private long admitted;
    private long cachedIn;
    private long preemptions;
    private long recomputed;

    private PreemptionFigures(RunObservations observations, List<RequestOutcome> measured, RunWindow window,
            long steps) {
        this.observations = observations;
        this.promptTokens = measured.stream()
                .collect(Collectors.toMap(RequestOutcome::id, RequestOutcome::promptTokens, (first, second) -> first));
        this.window = window;
        this.steps = steps;
    }

    /// Of a target without recorded steps the prefix hits that it reports.
    static List<Figure> of(RunObservations observations, List<RequestOutcome> measured, RunWindow window) {
        long steps = observations.steps().stream().filter(step -> window.contains(step.startNanos())).count();
        return steps == 0 ? ReportedPrefixHits.of(observations.events(), measured, window).stream().toList()
                : new PreemptionFigures(observations, measured, window, steps).figures();
    }

    private List<Figure> figures() {
        count();
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure(Metrics.PREEMPTIONS, preemptions, steps, true));
        figures.add(new Figure(Metrics.RECOMPUTED_TOKENS, recomputed, steps, true));
        prefixHitRate().ifPresent(figures::add);
        return figures;
    }

    private void count() {
        Map<RequestId, Integer> lost = new HashMap<>();
        for (RunEvent event : observations.events()) {
            switch (event) {
                case RunEvent.Preempted(long nanos, RequestId request, int positions) -> {
                    lost.put(request, positions);
                    preemptions += window.contains(nanos) ? 1 : 0;
                }
                case RunEvent.Admitted admission when admission.again() -> {
                    Integer before = lost.remove(admission.request());
                    boolean counts = before != null && window.contains(admission.nanos());
                    recomputed += counts ? Math.max(0, before - admission.cachedPositions()) : 0;
                }
                case RunEvent.Admitted admission -> firstAdmission(admission);
                case RunEvent.PhaseStarted _,RunEvent.Note _,RunEvent.KvTransferred _,RunEvent.Gauge _,RunEvent.HistogramGrew _,RunEvent.MemoryPeak _,RunEvent.TokenCountsContradicted _,RunEvent.ReportedTimes _,RunEvent.CachedPrompt _,RunEvent.PromptTexts _,RunEvent.RequestText _,RunEvent.RequestVariant _,RunEvent.TargetMessage _,RunEvent.EngineFailed _,RunEvent.ImportNote _ -> {
                    continue;
                }
            }
        }
    }

    private void firstAdmission(RunEvent.Admitted admission) {
        Integer prompt = promptTokens.get(admission.request());
        if (prompt != null && window.contains(admission.nanos())) {
            admitted++;
            promptsIn += prompt;
            // A first admission can hit the prompt only.
            cachedIn += Math.min(prompt, admission.cachedPositions());
        }
    }

    private Optional<Figure> prefixHitRate() {
        return observations.setup().reusesPrefixes() && promptsIn > 0
                ? Optional.of(new Figure(Metrics.PREFIX_HIT_RATE, (double) cachedIn / promptsIn, admitted, true))
                : Optional.empty();
    }
}
