package org.inferometer.selfcheck;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.inferometer.record.SelfCheckResult;

/// Measures the limits of this machine and this program: clock, load generator, engine loop, HTTP client and
/// backends.
public final class SelfCheck {
    private final List<CheckPart> parts;

    /// A measurement of one part.
    @FunctionalInterface
    public interface BackendParts {
        /// Runs the checks on the calling thread.
        ///
        /// @param begun receives the name of each check at its start
        List<SelfCheckResult> run(Consumer<String> begun);
    }

    /// Checks that run together.
    ///
    /// @param ids with which the ids of their results begin
    public record CheckPart(List<String> ids, BackendParts checks) {
        public CheckPart {
            ids = List.copyOf(ids);
        }

        private boolean has(String only) {
            return ids.stream().anyMatch(id -> near(id, only));
        }
    }

    /// @param client checks of the HTTP client
    /// @param backends run last, in this order
    public SelfCheck(HarnessChecks harness, LoopCheck loop, CheckPart client, List<CheckPart> backends) {
        this(Stream.concat(Stream.of(one("timer_grain", "timer grain", harness::timerGrain),
                one("wake_up_lateness", "wake-up lateness", harness::wakeUpLateness),
                one("noise", "noise of this machine", harness::noise),
                one("telemetry", "telemetry", harness::telemetryShare),
                one("generator_ceiling", "load generator", harness::generatorCeiling),
                one("send_lateness", "load generator", harness::sendLateness), client,
                one("loop_steps", "engine loop", loop::pace)), backends.stream()).toList());
    }

    /// A self-check of these parts, in this order.
    public SelfCheck(List<CheckPart> parts) {
        this.parts = List.copyOf(parts);
    }

    private static CheckPart one(String id, String name, Supplier<SelfCheckResult> check) {
        return new CheckPart(List.of(id), begun -> {
            begun.accept(name);
            return List.of(check.get());
        });
    }

    /// The prefixes of the ids of all results, in order.
    private List<String> ids() {
        return parts.stream().flatMap(part -> part.ids().stream()).toList();
    }

    /// A message if no check's id begins so.
    public Optional<String> fault(String only) {
        return parts.stream().anyMatch(part -> part.has(only)) ? Optional.empty()
                : Optional.of("No check begins with \"" + only + "\"; there are " + String.join(", ", ids()) + ".");
    }

    /// Runs the checks whose ids start with a prefix, on the calling thread; all take one to two minutes.
    ///
    /// @param only beginning of the ids; empty for every check
    /// @param begun receives the name of each check at its start
    public List<SelfCheckResult> run(String only, Consumer<String> begun) {
        return parts.stream().filter(part -> part.has(only)).flatMap(part -> part.checks().run(begun).stream())
                .filter(result -> near(result.id(), only)).toList();
    }

    /// True if one begins with the other: a part that could not run has a shorter id than its results.
    private static boolean near(String id, String only) {
        return id.startsWith(only) || only.startsWith(id);
    }
}
