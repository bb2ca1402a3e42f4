package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import org.inferometer.options.Option;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.units.NearMisses;

/// When requests come. Written `closed:concurrency=8` or `poisson:rate=4`.
public sealed interface ArrivalProcess {
    /// The names that [#parse] knows.
    List<String> NAMES = List.of("closed", "poisson");

    /// A fixed number of requests in flight: each answer makes room for the next request.
    record ClosedLoop(
            @Option(name = "concurrency", aliases = "c", standard = "8", min = 1, max = 100_000, unit = "requests", help = "Requests in flight.")
                    int concurrency)
            implements ArrivalProcess {
        @Override
        @JsonValue
        public String toString() {
            return "closed:concurrency=" + concurrency;
        }
    }

    /// Independent arrivals: exponential gaps, uncut, with the given mean rate.
    record Poisson(
            @Option(name = "rate", aliases = "r", standard = "4", min = 0.001, max = 1_000_000, unit = "requests/s", help = "Mean arrivals a second.")
                    double requestsPerSecond)
            implements ArrivalProcess {
        @Override
        @JsonValue
        public String toString() {
            return "poisson:rate=" + requestsPerSecond;
        }
    }

    /// Reads the written form.
    ///
    /// @throws IllegalArgumentException with one sentence for each fault
    @JsonCreator
    static ArrivalProcess parse(String text) {
        Selection selection = Selection.parse(text);
        try {
            return switch (selection.name()) {
                case "closed" -> OptionRecords.read(ClosedLoop.class, selection);
                case "poisson" -> OptionRecords.read(Poisson.class, selection);
                default -> throw new IllegalArgumentException(NearMisses.sentence("arrival process", selection.name(), NAMES));
            };
        } catch (OptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
