package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.units.QuantityText;

/// Distribution of durations, such as think times. Written `2s`, `exponential(2s)` or `lognormal(2s, 0.8)`.
public sealed interface TimeDistribution {
    /// No time at all.
    TimeDistribution NONE = new FixedTime(0);

    /// The longest duration that is drawn: a day.
    long LONGEST_NANOS = 24L * 3600 * 1_000_000_000L;

    /// One time, in nanoseconds, 0 to [#LONGEST_NANOS].
    long drawNanos(RandomGenerator random);

    /// Always the same.
    record FixedTime(long nanos) implements TimeDistribution {
        @Override
        public long drawNanos(RandomGenerator random) {
            return nanos;
        }

        @Override
        @JsonValue
        public String toString() {
            return nanos + "ns";
        }
    }

    /// ExponentialTime with a mean.
    record ExponentialTime(long meanNanos) implements TimeDistribution {
        @Override
        public long drawNanos(RandomGenerator random) {
            return bounded(-Math.log1p(-random.nextDouble()) * meanNanos);
        }

        @Override
        @JsonValue
        public String toString() {
            return "exponential(" + meanNanos + "ns)";
        }
    }

    /// exp(N(ln median, sigma²)), which fits human pauses.
    record LognormalTime(long medianNanos, double sigma) implements TimeDistribution {
        @Override
        public long drawNanos(RandomGenerator random) {
            return bounded(medianNanos * Math.exp(sigma * random.nextGaussian()));
        }

        @Override
        @JsonValue
        public String toString() {
            return "lognormal(" + medianNanos + "ns, " + sigma + ")";
        }
    }

    /// Reads the written form; a number without a unit is seconds.
    ///
    /// @throws IllegalArgumentException with the expected form
    @JsonCreator
    static TimeDistribution parse(String text) {
        Matcher exponential = Pattern.compile("exponential\\(([^,()]{1,40})\\)").matcher(text.strip());
        Matcher lognormal = Pattern.compile("lognormal\\(([^,()]{1,40}),\\s*(\\d{1,3}(?:\\.\\d{1,12})?)\\s*\\)")
                .matcher(text.strip());
        try {
            if (exponential.matches()) {
                return new ExponentialTime(atMostADay(exponential.group(1)));
            }
            return lognormal.matches()
                    ? new LognormalTime(atMostADay(lognormal.group(1)), Double.parseDouble(lognormal.group(2)))
                    : new FixedTime(atMostADay(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text
                    + "\" is not a duration. Write 2s, 250ms, exponential(2s) or lognormal(median, sigma), at most a day.",
                    e);
        }
    }

    private static long atMostADay(String text) {
        long nanos = QuantityText.parseNanos(text);
        if (nanos > LONGEST_NANOS) {
            throw new IllegalArgumentException("longer than a day");
        }
        return nanos;
    }

    private static long bounded(double nanos) {
        return (long) Math.min(nanos, LONGEST_NANOS);
    }
}
