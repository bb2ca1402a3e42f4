package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import org.inferometer.options.Option;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.units.NearMisses;

/// When requests come. Written `closed:concurrency=8` or `poisson:rate=4`; the first request of each session where there are sessions.
public sealed interface ArrivalProcess {
    /// The names that [#parse] knows.
    List<String> NAMES = List.of("closed", "constant", "poisson", "gamma", "ramp", "trace");

    /// Requests come at instants that are fixed before the run, however the target fares.
    sealed interface OpenLoop extends ArrivalProcess {}

    /// A fixed number of requests in flight: each answer makes room for the next request.
    record ClosedLoop(
            @Option(name = "concurrency", aliases = "c", standard = "8", min = 1, max = 100_000, unit = "requests",
                    help = "Requests in flight; with sessions, sessions.") int concurrency)
            implements
                ArrivalProcess {
        @Override
        @JsonValue
        public String toString() {
            return "closed:concurrency=" + concurrency;
        }
    }

    /// Equal gaps, the first request at once.
    record Constant(@Option(name = "rate", aliases = "r", standard = "4", min = 0.001, max = 1_000_000,
            unit = "requests/s", help = "Arrivals a second.") double requestsPerSecond) implements OpenLoop {
        @Override
        @JsonValue
        public String toString() {
            return "constant:rate=" + requestsPerSecond;
        }
    }

    /// Independent arrivals: exponential gaps, uncut, with the given mean rate.
    record Poisson(@Option(name = "rate", aliases = "r", standard = "4", min = 0.001, max = 1_000_000,
            unit = "requests/s", help = "Mean arrivals a second.") double requestsPerSecond) implements OpenLoop {
        @Override
        @JsonValue
        public String toString() {
            return "poisson:rate=" + requestsPerSecond;
        }
    }

    /// Gaps from a gamma distribution whose shape is the burstiness: 1 is Poisson, less comes in bursts, more comes evenly, as vLLM means it.
    record Gamma(
            @Option(name = "rate", aliases = "r", standard = "4", min = 0.001, max = 1_000_000, unit = "requests/s",
                    help = "Mean arrivals a second.") double requestsPerSecond,
            @Option(name = "burstiness", aliases = "b", standard = "1", min = 0.01, max = 1_000,
                    help = "Shape of the gamma distribution: 1 is Poisson, smaller is burstier.") double burstiness)
            implements
                OpenLoop {
        @Override
        @JsonValue
        public String toString() {
            return "gamma:rate=" + requestsPerSecond + ",burstiness=" + burstiness;
        }
    }

    /// A rate that changes linearly and then stays.
    record Ramp(
            @Option(name = "from", standard = "1", min = 0, max = 1_000_000, unit = "requests/s",
                    help = "Rate at the start.") double fromPerSecond,
            @Option(name = "to", standard = "8", min = 0.001, max = 1_000_000, unit = "requests/s",
                    help = "Rate at the end of the ramp and after it.") double toPerSecond,
            @Option(name = "seconds", aliases = "s", standard = "60", min = 0.001, max = 1_000_000, unit = "s",
                    help = "How long the rate changes.") double seconds,
            @Option(name = "gaps", standard = "poisson",
                    help = "Whether arrivals are independent or evenly spaced in the growing rate.") Gaps gaps)
            implements
                OpenLoop {
        /// How arrivals lie within their rate.
        public enum Gaps {
            /// Independent of each other.
            POISSON,
            /// As regular as the rate allows.
            CONSTANT
        }

        @Override
        @JsonValue
        public String toString() {
            return "ramp:from=" + fromPerSecond + ",to=" + toPerSecond + ",seconds=" + seconds + ",gaps="
                    + gaps.name().toLowerCase(Locale.ROOT);
        }
    }

    /// The instants of a trace file.
    record Trace(@Option(name = "speed", standard = "1", min = 0.001, max = 100_000,
            help = "How many times as fast as recorded: 2 halves every gap.") double speed) implements OpenLoop {
        @Override
        @JsonValue
        public String toString() {
            return "trace:speed=" + speed;
        }
    }

    /// Reads the written form.
    ///
    /// @throws IllegalArgumentException with one sentence for each fault
    @JsonCreator
    static ArrivalProcess parse(String text) {
        Selection selection = Selection.parse(text);
        try {
            return OptionRecords.read(options(selection.name()), selection);
        } catch (OptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// The options record of a process, which describes what can be written after its name.
    ///
    /// @throws IllegalArgumentException with near misses when there is no such process
    @SuppressWarnings("unchecked")
    static <R extends Record & ArrivalProcess> Class<R> options(String name) {
        return (Class<R>) switch (name) {
            case "closed" -> ClosedLoop.class;
            case "constant" -> Constant.class;
            case "poisson" -> Poisson.class;
            case "gamma" -> Gamma.class;
            case "ramp" -> Ramp.class;
            case "trace" -> Trace.class;
            default -> throw new IllegalArgumentException(NearMisses.sentence("arrival process", name, NAMES));
        };
    }
}
