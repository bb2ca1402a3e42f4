package org.inferometer.report.timeline;

import org.inferometer.record.Phase;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunMarker;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.OneLine;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.RequestId;

/// An event of a run with its text.
///
/// @param nanos since the run's anchor
/// @param request its request, or [#NO_REQUEST]
/// @param text "32 tokens cached, lane 0"
public record RunTimelineEvent(long nanos, Kind kind, int request, String text) {
    /// The request of an event of the run.
    public static final int NO_REQUEST = -1;

    private static final int MOST_SHOWN = 80;

    /// An event of a record with its text.
    public static RunTimelineEvent of(RunEvent event) {
        return switch (event) {
            case RunEvent.Admitted(long nanos, RequestId request, LaneId lane, boolean again, int cached) ->
                new RunTimelineEvent(nanos, again ? Kind.READMITTED : cached > 0 ? Kind.CACHE_HIT : Kind.ADMITTED,
                        request.index(), (cached > 0 ? cached + " tokens cached, " : "") + "lane " + lane.index());
            case RunEvent.Preempted(long nanos, RequestId request, int lost) ->
                new RunTimelineEvent(nanos, Kind.PREEMPTED, request.index(), lost + " tokens lost");
            case RunEvent.KvTransferred(long nanos, RequestId request, PoolId from, PoolId to, int tokens, long bytes, long duration) ->
                new RunTimelineEvent(nanos, Kind.MOVED, request.index(),
                        "pool " + from.index() + " to pool " + to.index() + ": " + tokens + " tokens, "
                                + QuantityText.bytes(bytes) + " in " + QuantityText.latency(duration));
            case RunEvent.PhaseStarted(long nanos, Phase phase, int requests, long duration) ->
                ofRun(nanos, Kind.PHASE, phase.label() + (requests > 0 ? ", " + requests + " requests" : "")
                        + (duration > 0 ? ", " + QuantityText.latency(duration) : ""));
            case RunEvent.EngineFailed(long nanos, String reason) -> ofRun(nanos, Kind.FAILED, reason);
            case RunEvent.Note(long nanos, Phase phase, String text) ->
                ofRun(nanos, Kind.OTHER, phase.label() + ": " + text);
            case RunEvent.Gauge(long nanos, String name, double value) -> ofRun(nanos, Kind.OTHER, name + " " + value);
            case RunEvent.HistogramGrew(long nanos, String name, var first, var added) ->
                ofRun(nanos, Kind.OTHER, OneLine.of(name + " " + (first ? "" : "+") + added, MOST_SHOWN));
            case RunEvent.MemoryPeak(long nanos, boolean ofHost, double bytes) -> ofRun(nanos, Kind.OTHER,
                    "peak " + (ofHost ? "host" : "GPU") + " memory " + QuantityText.bytes((long) bytes));
            case RunEvent.TokenCountsContradicted(long nanos, RequestId request, int counted, int seen) ->
                new RunTimelineEvent(nanos, Kind.OTHER, request.index(),
                        "the server counts " + counted + " output tokens after " + seen);
            case RunEvent.ReportedTimes(long nanos, RequestId request, long prefill, long decode) ->
                new RunTimelineEvent(nanos, Kind.OTHER, request.index(), "the server reports prefill "
                        + QuantityText.latency(prefill) + ", decode " + QuantityText.latency(decode));
            case RunEvent.CachedPrompt(long nanos, RequestId request, int cached) -> new RunTimelineEvent(nanos,
                    Kind.OTHER, request.index(), "the server had " + cached + " prompt tokens cached");
            case RunEvent.PromptTexts(long nanos, int different) ->
                ofRun(nanos, Kind.OTHER, different + " different prompts");
            case RunEvent.RequestText(long nanos, RequestId request, String prompt, String answer) ->
                new RunTimelineEvent(nanos, Kind.OTHER, request.index(), OneLine.of(answer, MOST_SHOWN));
            case RunEvent.RequestVariant(long nanos, RequestId request, String variant) ->
                new RunTimelineEvent(nanos, Kind.OTHER, request.index(), "kind " + variant);
            case RunEvent.TargetMessage(long nanos, String text) -> ofRun(nanos, Kind.OTHER, text);
            case RunEvent.ImportNote(long nanos, String tool, String text) ->
                ofRun(nanos, Kind.OTHER, tool + ": " + text);
        };
    }

    /// A moment that a person marked.
    public static RunTimelineEvent of(RunMarker marker) {
        return ofRun(marker.nanos(), Kind.MARKER, marker.text());
    }

    private static RunTimelineEvent ofRun(long nanos, Kind kind, String text) {
        return new RunTimelineEvent(nanos, kind, NO_REQUEST, text);
    }

    /// The kind of event, by importance: the first is drawn if several fall on one pixel.
    public enum Kind {
        /// The engine failed.
        FAILED("engine failed"),
        /// A person marked the moment.
        MARKER("marker"),
        /// A request lost its KV blocks.
        PREEMPTED("preempted"),
        /// KV blocks were copied to another pool.
        MOVED("moved"),
        /// A preempted request was admitted again.
        READMITTED("readmitted"),
        /// A request was admitted with a prefix hit.
        CACHE_HIT("prefix hit"),
        /// A phase began.
        PHASE("phase"),
        /// A request was admitted.
        ADMITTED("admitted"),
        /// A note, a message, a gauge or any other event.
        OTHER("note");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /// The name of the kind.
        public String label() {
            return label;
        }
    }
}
