package org.inferometer.record;

import java.io.IOException;

/// Takes in the record of one run while it happens. All instants are nanoseconds since the run's anchor.
///
/// Called by one writer thread, never by the thread that is measured. Everything given is on disk after `flush`, and readable
/// even if the process dies afterwards. The writer closes it.
public interface RecordSink extends AutoCloseable {
    /// A request ended.
    void request(RequestOutcome request) throws IOException;

    /// A step ended.
    void step(StepReport step) throws IOException;

    /// A telemetry sample was taken.
    void telemetry(TelemetrySample sample) throws IOException;

    /// Something happened.
    void event(RunEvent event) throws IOException;

    /// Writes everything so far through to the files.
    void flush() throws IOException;

    /// Replaces the run's manifest, atomically.
    void manifest(RunManifest manifest) throws IOException;

    @Override
    void close() throws IOException;
}
