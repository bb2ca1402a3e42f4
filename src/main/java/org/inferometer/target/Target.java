package org.inferometer.target;

import java.util.Optional;
import org.inferometer.record.ServerIdentity;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// The system under test. The caller closes it; closing cancels requests in flight.
public interface Target extends AutoCloseable {
    /// The name in records and reports.
    String description();

    /// What the server says about itself; empty for targets that are no servers.
    default Optional<ServerIdentity> server() {
        return Optional.empty();
    }

    /// Sends a request and returns at once; its events go to the listener of the target.
    void send(Request request);

    /// Cancels a request. No effect if it has ended or is unknown.
    void cancel(RequestId request);

    /// Declares that no further request is sent in this phase, so that batching need not wait.
    void arrivalsEnded();

    @Override
    void close();
}
