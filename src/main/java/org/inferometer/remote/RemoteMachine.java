package org.inferometer.remote;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.Recipe;
import org.inferometer.execution.Backend;
import org.inferometer.record.MachineDescription;

/// What experiments can use on another machine.
///
/// @param backends the default first
/// @param engines in the order of its catalogue
public record RemoteMachine(@JsonProperty("machine") MachineDescription machine,
        @JsonProperty("backends") List<OfferedBackend> backends, @JsonProperty("engines") List<OfferedEngine> engines) {
    /// A backend there.
    ///
    /// @param label "CPU (host), 2 cores"
    /// @param absence why it cannot be used there; empty if it can
    public record OfferedBackend(@JsonProperty("name") String name, @JsonProperty("label") String label,
            @JsonProperty("absence") String absence) {
        /// Whether engines can run on it.
        public boolean usable() {
            return absence.isEmpty();
        }
    }

    /// An engine there.
    ///
    /// @param precision "FP8"; empty if not known
    /// @param problem the fault of a damaged engine, else empty
    /// @param synthetic whether its weights are random
    /// @param weightBytes 0 before it is built
    public record OfferedEngine(@JsonProperty("name") String name, @JsonProperty("precision") String precision,
            @JsonProperty("state") EngineEntry.State state, @JsonProperty("problem") String problem,
            @JsonProperty("synthetic") boolean synthetic, @JsonProperty("weightBytes") long weightBytes) {}

    /// What this machine offers to others.
    public static RemoteMachine of(MachineDescription machine, List<Backend> backends, List<EngineEntry> engines) {
        return new RemoteMachine(machine,
                backends.stream().map(
                        backend -> new OfferedBackend(backend.name(), backend.label(), backend.absence().orElse("")))
                        .toList(),
                engines.stream().map(RemoteMachine::offered).toList());
    }

    private static OfferedEngine offered(EngineEntry entry) {
        Optional<EngineDescriptor> built = entry.descriptor();
        String precision = built.map(EngineDescriptor::precision)
                .or(() -> Optional.ofNullable(entry.recipe()).map(Recipe::precision)).map(Enum::name).orElse("");
        return new OfferedEngine(entry.name(), precision, entry.state(), entry.problem(),
                built.map(engine -> engine.origin().synthetic()).orElse(true),
                built.map(EngineDescriptor::weightBytes).orElse(0L));
    }

    /// Asks a machine; takes a second or more.
    ///
    /// @throws IOException in one sentence
    public static RemoteMachine ask(SshHost host) throws IOException {
        try (SshConnection connection = SshConnection.open(host, RemoteOrder.toLook());
                SshConnection.Deadline answer = connection.answerInTime()) {
            for (Optional<RemoteEvent> event = connection.next(); event.isPresent(); event = connection.next()) {
                if (event.get() instanceof RemoteEvent.Looked looked) {
                    return looked.offer();
                }
                if (event.get() instanceof RemoteEvent.Failed failed) {
                    throw new IOException(host.text() + ": " + failed.sentence());
                }
            }
            throw new IOException(connection.failure());
        }
    }
}
