package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Distribution of prompt or output lengths, in tokens. Written `64`, `1..20` or `lognormal(median, sigma, min..max)`.
public sealed interface LengthDistribution {
    /// One length, in tokens.
    int draw(RandomGenerator random);

    /// The smallest length that can be drawn.
    int smallest();

    /// The largest length that can be drawn.
    int largest();

    /// Always the same.
    record FixedLength(int tokens) implements LengthDistribution {
        @Override
        public int draw(RandomGenerator random) {
            return tokens;
        }

        @Override
        public int smallest() {
            return tokens;
        }

        @Override
        public int largest() {
            return tokens;
        }

        @Override
        @JsonValue
        public String toString() {
            return Integer.toString(tokens);
        }
    }

    /// UniformLength over the range, both ends included.
    record UniformLength(int min, int max) implements LengthDistribution {
        @Override
        public int draw(RandomGenerator random) {
            return random.nextInt(min, max + 1);
        }

        @Override
        public int smallest() {
            return min;
        }

        @Override
        public int largest() {
            return max;
        }

        @Override
        @JsonValue
        public String toString() {
            return min + ".." + max;
        }
    }

    /// exp(N(ln median, sigma²)), rounded and clamped to the range.
    record LognormalLength(double median, double sigma, int min, int max) implements LengthDistribution {
        @Override
        public int draw(RandomGenerator random) {
            double length = median * Math.exp(sigma * random.nextGaussian());
            return (int) Math.round(Math.clamp(length, min, max));
        }

        @Override
        public int smallest() {
            return min;
        }

        @Override
        public int largest() {
            return max;
        }

        @Override
        @JsonValue
        public String toString() {
            return "lognormal(" + median + ", " + sigma + ", " + min + ".." + max + ")";
        }
    }

    /// Reads the written form.
    ///
    /// @throws IllegalArgumentException with the expected form
    @JsonCreator
    static LengthDistribution parse(String text) {
        Matcher lognormal =
                Pattern.compile("lognormal\\(\\s*([\\d.]+)\\s*,\\s*([\\d.]+)\\s*,\\s*(\\d+)\\s*\\.\\.\\s*(\\d+)\\s*\\)")
                        .matcher(text.strip());
        Matcher range = Pattern.compile("(\\d{1,9})(?:\\s*\\.\\.\\s*(\\d{1,9}))?").matcher(text.strip());
        try {
            if (lognormal.matches()) {
                LognormalLength drawn = new LognormalLength(Double.parseDouble(lognormal.group(1)),
                        Double.parseDouble(lognormal.group(2)), Integer.parseInt(lognormal.group(3)),
                        Integer.parseInt(lognormal.group(4)));
                require(drawn.median > 0 && drawn.min >= 1 && drawn.min <= drawn.max, text);
                return drawn;
            }
            require(range.matches(), text);
            int min = Integer.parseInt(range.group(1));
            int max = range.group(2) == null ? min : Integer.parseInt(range.group(2));
            require(min >= 1 && min <= max, text);
            return range.group(2) == null ? new FixedLength(min) : new UniformLength(min, max);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected(text), e);
        }
    }

    private static void require(boolean valid, String text) {
        if (!valid) {
            throw new IllegalArgumentException(expected(text));
        }
    }

    private static String expected(String text) {
        return "\"" + text
                + "\" is not a token length. Write 64, 1..20 or lognormal(median, sigma, min..max), all at least 1.";
    }
}
