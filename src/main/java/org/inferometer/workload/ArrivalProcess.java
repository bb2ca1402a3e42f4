package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import org.inferometer.options.Option;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.units.NearMisses;

/// When requests arrive; with sessions, when their first requests arrive. Written `closed:concurrency=8` or `poisson:rate=4`.
public sealed interface ArrivalProcess {
    /// The names that [#parse] knows.
    List<String> NAMES = List.of("closed", "constant", "poisson", "gamma", "ramp", "trace", "offline");

    /// Requests arrive at instants that are fixed before the run, whatever the target does.
    sealed interface OpenLoop extends ArrivalProcess {}

    /// A fixed number of requests in flight; each end starts the next request.
    record ClosedLoop(@Option(name = "concurrency", aliases = "c", standard = "8", min = 1, max = 100_000,
            unit = "requests", help = "Requests in flight; with sessions: sessions in flight.") int concurrency)
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
            unit = "requests/s", help = "Arrivals per second.") double requestsPerSecond) implements OpenLoop {
        @Override
        @JsonValue
        public String toString() {
            return "constant:rate=" + requestsPerSecond;
        }
    }

    /// Independent arrivals: exponential gaps, uncut, with the given mean rate.
    record Poisson(@Option(name = "rate", aliases = "r", standard = "4", min = 0.001, max = 1_000_000,
            unit = "requests/s", help = "Mean arrivals per second.") double requestsPerSecond) implements OpenLoop {
        @Override
        @JsonValue
        public String toString() {
            return "poisson:rate=" + requestsPerSecond;
        }
    }

    /// Gaps from a gamma distribution; the shape is the burstiness as in vLLM: 1 is Poisson, less is burstier, more is smoother.
    record Gamma(
            @Option(name = "rate", aliases = "r", standard = "4", min = 0.001, max = 1_000_000, unit = "requests/s",
                    help = "Mean arrivals per second.") double requestsPerSecond,
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

    /// A rate that changes linearly and then stays constant.
    record Ramp(
            @Option(name = "from", standard = "1", min = 0, max = 1_000_000, unit = "requests/s",
                    help = "Rate at the start.") double fromPerSecond,
            @Option(name = "to", standard = "8", min = 0.001, max = 1_000_000, unit = "requests/s",
                    help = "Rate at the end of the ramp and after it.") double toPerSecond,
            @Option(name = "seconds", aliases = "s", standard = "60", min = 0.001, max = 1_000_000, unit = "s",
                    help = "Duration of the ramp.") double seconds,
            @Option(name = "gaps", standard = "poisson",
                    help = "Gaps between arrivals: independent (poisson) or even (constant).") Gaps gaps)
            implements
                OpenLoop {
        /// The distribution of gaps at the current rate.
        public enum Gaps {
            /// Exponential gaps.
            POISSON,
            /// Even gaps.
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
            help = "Replay speed: 2 halves every gap.") double speed) implements OpenLoop {
        @Override
        @JsonValue
        public String toString() {
            return "trace:speed=" + speed;
        }
    }

    /// All requests at once, as in MLPerf's offline scenario: throughput at saturation.
    record Offline() implements OpenLoop {
        @Override
        @JsonValue
        public String toString() {
            return "offline";
        }
    }

    /// Reads the written form.
    ///
    /// @throws IllegalArgumentException with all faults
    @JsonCreator
    static ArrivalProcess parse(String text) {
        Selection selection = Selection.parse(text);
        return OptionRecords.parse(options(selection.name()), selection);
    }

    /// The options record of a process.
    ///
    /// @throws IllegalArgumentException with near misses if there is no such process
    @SuppressWarnings("unchecked")
    static <R extends Record & ArrivalProcess> Class<R> options(String name) {
        return (Class<R>) switch (name) {
            case "closed" -> ClosedLoop.class;
            case "constant" -> Constant.class;
            case "poisson" -> Poisson.class;
            case "gamma" -> Gamma.class;
            case "ramp" -> Ramp.class;
            case "trace" -> Trace.class;
            case "offline" -> Offline.class;
            default -> throw new IllegalArgumentException(NearMisses.sentence("arrival process", name, NAMES));
        };
    }
}
