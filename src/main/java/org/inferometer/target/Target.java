package org.inferometer.target;

import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// What a benchmark drives. Whoever opened it closes it; closing ends what is in flight as cancelled.
public interface Target extends AutoCloseable {
    /// What it is, for people and records.
    String description();

    /// Hands a request over and returns at once; what becomes of it is told to the listener the target was made with.
    void send(Request request);

    /// Gives a request up; it ends as cancelled unless it ended before. Unknown ids are ignored.
    void cancel(RequestId request);

    /// Says that no further request will be sent in this phase, so that batching need not wait for more.
    void arrivalsEnded();

    @Override
    void close();
}
