package org.inferometer.ui.timeline;

import java.util.Locale;
import org.inferometer.record.MemoryOwner;

/// The colours of the timeline; the stylesheet defines them for both themes.
enum TimelineColor {
    GROUND, BAND, GRID, TEXT, QUIET_TEXT, FOCUS, LIT, MEASURE, PHASE, PREFILL, DECODE, TRANSFER, PADDING, QUEUED,
    UNSPLIT, PREEMPTED, MARKER, COUNTER, MEMORY_WEIGHTS, MEMORY_KV_CACHE, MEMORY_ACTIVATIONS, MEMORY_WORKSPACE,
    MEMORY_JAVA_RUNTIME, MEMORY_UNATTRIBUTED;

    /// The colour of a memory owner, the same as in charts.
    static TimelineColor of(MemoryOwner owner) {
        return switch (owner) {
            case WEIGHTS -> MEMORY_WEIGHTS;
            case KV_CACHE -> MEMORY_KV_CACHE;
            case ACTIVATIONS -> MEMORY_ACTIVATIONS;
            case WORKSPACE -> MEMORY_WORKSPACE;
            case JAVA_RUNTIME -> MEMORY_JAVA_RUNTIME;
            case UNATTRIBUTED -> MEMORY_UNATTRIBUTED;
        };
    }

    /// Its style class: `timeline-ink-quiet-text`.
    String styleClass() {
        return "timeline-ink-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
