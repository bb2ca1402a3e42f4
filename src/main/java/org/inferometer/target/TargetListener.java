package org.inferometer.target;

import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.units.Clock;
import org.inferometer.workload.RequestId;

/// Receives the events of a target besides those of requests. Called from any thread; implementations return at once.
public interface TargetListener {
    /// A reading of a gauge of the target.
    ///
    /// @param name given by the target: "vllm:num_requests_running"
    void gauge(long nanos, String name, double value);

    /// Values that a histogram of the target counted since its last reading.
    ///
    /// @param first whether these are all its counts: it was read first, or began at 0 again
    /// @param added values in each bucket alone by its upper end: of all buckets first, then of those that grew
    default void histogram(long nanos, String name, boolean first, SortedMap<Double, Long> added) {}

    /// The peak memory of a process of the target.
    ///
    /// @param ofHost true for host memory; false for GPU or shared memory
    void memoryPeak(long nanos, boolean ofHost, double bytes);

    /// The token counts of a server contradict what arrived. Called at most once per request.
    ///
    /// @param countedTokens output tokens that the server counts
    /// @param seenTokens output tokens that its events hold: at least, or exactly if all ids arrived
    default void countsContradicted(RequestId request, long nanos, int countedTokens, int seenTokens) {}

    /// The times of a request by the target's own clock. Called at most once per request.
    ///
    /// @param prefillNanos of its prompt
    /// @param decodeNanos of its output
    default void reportedTimes(RequestId request, long nanos, long prefillNanos, long decodeNanos) {}

    /// The prompt tokens of a request that the target took from its prefix cache. Called at most once per request.
    default void cachedPrompt(RequestId request, long nanos, int cachedTokens) {}

    /// A request is of a kind that was chosen for it. Called at most once per request.
    ///
    /// @param variant the kind's name
    default void variant(RequestId request, long nanos, String variant) {}

    /// The target can serve no request: the run ends.
    ///
    /// @param sentence why, and what to do
    default void unusable(long nanos, String sentence) {}

    /// A message for the user.
    void message(long nanos, String sentence);

    /// Reports each message once. Thread-safe.
    final class DistinctMessages {
        private static final int MOST = 1000;

        private final Clock clock;
        private final TargetListener events;
        private final Set<String> reported = ConcurrentHashMap.newKeySet();

        /// @param events receives the messages
        public DistinctMessages(Clock clock, TargetListener events) {
            this.clock = clock;
            this.events = events;
        }

        /// Reports a message unless it was reported before.
        public void report(String message) {
            if (reported.size() < MOST && reported.add(message)) {
                events.message(clock.nanos(), message);
            }
        }
    }
}
