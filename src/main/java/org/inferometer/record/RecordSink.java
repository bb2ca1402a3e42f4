package org.inferometer.record;

import java.io.IOException;

/// Writes the record of a run during the run. Instants are nanoseconds since the run's anchor.
///
/// Called by one writer thread, never by a measured thread. After `flush` all data are on disk and readable even if the
/// process dies. The writer closes it.
public interface RecordSink extends AutoCloseable {
    /// A request ended.
    void request(RequestOutcome request) throws IOException;

    /// A step ended.
    void step(StepReport step) throws IOException;

    /// A telemetry sample was taken.
    void telemetry(TelemetrySample sample) throws IOException;

    /// An event occurred.
    void event(RunEvent event) throws IOException;

    /// Flushes all data to the files.
    void flush() throws IOException;

    /// Replaces the run's manifest, atomically.
    void manifest(RunManifest manifest) throws IOException;

    /// Whether the folder of the run is where it was created: not if it was moved or deleted.
    default boolean isInPlace() {
        return true;
    }

    @Override
    void close() throws IOException;
}
