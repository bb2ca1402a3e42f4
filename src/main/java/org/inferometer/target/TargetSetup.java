package org.inferometer.target;

import java.util.Optional;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// The collaborators of a target outside this process.
///
/// @param requests receives the events of requests, from one thread at a time
/// @param events receives gauges and messages
/// @param sampleEveryMillis interval of gauge readings
/// @param keepText whether the parts of answers are reported as text
/// @param promptSeed of the run, for targets whose caches outlive it; 0 leaves prompts as they were drawn
/// @param server that was started for the run; absent for targets that start none
public record TargetSetup(Clock clock, RequestListener requests, TargetListener events, long sampleEveryMillis,
        boolean keepText, long promptSeed, @Nullable StartedServer server) {
    /// Without texts and without a started server.
    public TargetSetup(Clock clock, RequestListener requests, TargetListener events, long sampleEveryMillis) {
        this(clock, requests, events, sampleEveryMillis, false, 0, null);
    }

    /// The server that was started for the run.
    public Optional<StartedServer> started() {
        return Optional.ofNullable(server);
    }
}
