package org.inferometer.ui.timeline;

import java.util.Locale;

/// The colours of the timeline; the stylesheet defines them for both themes.
enum TimelineColor {
    GROUND, BAND, GRID, TEXT, QUIET_TEXT, FOCUS, LIT, MEASURE, PHASE, PREFILL, DECODE, TRANSFER, PADDING, QUEUED,
    UNSPLIT, PREEMPTED, MARKER, COUNTER;

    /// Its style class: `timeline-ink-quiet-text`.
    String styleClass() {
        return "timeline-ink-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
