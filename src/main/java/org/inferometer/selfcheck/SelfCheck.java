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
    private final String kind;
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
    /// @param small the same on the smallest sizes, with results that say so; absent if they have none
    public record CheckPart(List<String> ids, BackendParts checks, Optional<BackendParts> small) {
        public CheckPart {
            ids = List.copyOf(ids);
        }

        /// Checks without a small size.
        public CheckPart(List<String> ids, BackendParts checks) {
            this(ids, checks, Optional.empty());
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
        this("check", parts);
    }

    private SelfCheck(String kind, List<CheckPart> parts) {
        this.kind = kind;
        this.parts = List.copyOf(parts);
    }

    /// The checks that have a small size, on it: to see that they run. Nothing is measured by them.
    public SelfCheck small() {
        return new SelfCheck("check with a small size", parts.stream()
                .flatMap(part -> part.small().map(checks -> new CheckPart(part.ids(), checks)).stream()).toList());
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
        return parts.stream().anyMatch(part -> part.has(only)) ? Optional.empty() : Optional
                .of("No " + kind + " begins with \"" + only + "\"; there are " + String.join(", ", ids()) + ".");
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
