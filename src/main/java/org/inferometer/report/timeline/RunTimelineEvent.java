package org.inferometer.report.timeline;

/// Something that happened beside steps, in words.
///
/// @param nanos since the run's anchor
/// @param request the request it happened to, or [#NO_REQUEST]
/// @param words "32 positions found in the cache, on lane 0"; empty when the kind says it all
public record RunTimelineEvent(long nanos, Kind kind, int request, String words) {
    /// Stands where an event belongs to no request.
    public static final int NO_REQUEST = -1;

    /// What happened; the order is that of importance where several fall on one pixel.
    public enum Kind {
        /// The engine ended.
        FAILED("engine failed"),
        /// A request lost its blocks.
        PREEMPTED("preempted"),
        /// Keys and values went from one pool to another.
        MOVED("moved"),
        /// A request was let in again after it had lost its blocks.
        READMITTED("readmitted"),
        /// A request was let in, part of its prompt found in the cache.
        CACHE_HIT("prefix found"),
        /// A phase began.
        PHASE("phase"),
        /// A person marked the moment.
        MARKER("marker"),
        /// A request was let in.
        ADMITTED("admitted"),
        /// Anything else that the record holds.
        OTHER("other");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /// The word people read.
        public String label() {
            return label;
        }
    }
}
