package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.jspecify.annotations.Nullable;

/// Collects the figures of a file, each under our metric of the same meaning. The first value of a metric counts.
final class Summary {
    static final double MS = 1e6;
    static final double SECONDS = 1e9;
    /// Thirty years in nanoseconds, and more than any count.
    private static final double LARGEST = 1e18;
    /// The largest share, with what dividing loses.
    private static final double WHOLE = 1 + 1e-9;
    /// Families with a value for each gap: requests are fewer.
    private static final Set<MetricFamily> OF_GAPS = Set.of(Metrics.ITL, Metrics.INTER_CHUNK);
    /// Where requests were answered, 0 of these was not counted.
    private static final Set<Metric> COUNTED = Set.of(Metrics.REQUEST_THROUGHPUT, Metrics.OUTPUT_THROUGHPUT,
            Metrics.TOTAL_THROUGHPUT, Metrics.OUTPUT_TOKENS, Metrics.PROMPT_TOKENS);
    private static final Map<String, Double> TIMES = Map.of("ns", 1.0, "us", 1e3, "µs", 1e3, "ms", MS, "ms/token", MS,
            "s", SECONDS, "sec", SECONDS, "seconds", SECONDS, "s/token", SECONDS);
    private static final Map<String, Double> RATES = Map.of("tokens/s", 1.0, "tokens/sec", 1.0, "tokens/second", 1.0,
            "requests/s", 1.0, "requests/sec", 1.0, "requests/second", 1.0, "queries/s", 1.0, "requests/min", 1.0 / 60);
    private final List<Figure> figures = new ArrayList<>();
    private final List<String> placeholders = new ArrayList<>();
    private final List<String> unknownUnits = new ArrayList<>();
    private final long n;

    /// Where a file has a figure or those of a family, and in which unit.
    ///
    /// @param name of the value; `%s` stands for a statistic: "mean", "p50", or "unit" for the unit's name
    /// @param metric of the value, or of the mean
    /// @param unit the file's usual unit in that of the metric
    record FigureField(String name, Metric metric, @Nullable MetricFamily family, double unit) {
        private static final List<String> MEAN = List.of("mean", "avg", "average");

        FigureField(String name, Metric metric, double unit) {
            this(name, metric, null, unit);
        }

        FigureField(String name, MetricFamily family, double unit) {
            this(name, family.mean(), family, unit);
        }

        /// The rates and counts that vLLM and SGLang write under the same names.
        ///
        /// @param total the name of total throughput
        static List<FigureField> ofServing(String total) {
            return List.of(new FigureField("request_throughput", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("output_throughput", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField(total, Metrics.TOTAL_THROUGHPUT, 1),
                    new FigureField("duration", Metrics.WINDOW, SECONDS),
                    new FigureField("total_output_tokens", Metrics.OUTPUT_TOKENS, 1),
                    new FigureField("total_input_tokens", Metrics.PROMPT_TOKENS, 1),
                    new FigureField("completed", Metrics.REQUESTS_OK, 1),
                    new FigureField("failed", Metrics.REQUESTS_FAILED, 1));
        }

        private OptionalDouble mean(ForeignFields fields) {
            return first(fields, MEAN);
        }

        private OptionalDouble percentile(ForeignFields fields, int percent) {
            String word = "p" + percent;
            return first(fields, percent == 50 ? List.of(word, "median", "percentiles." + word, "quantiles_" + word)
                    : List.of(word, "percentiles." + word, "quantiles_" + word));
        }

        private OptionalDouble first(ForeignFields fields, List<String> words) {
            return words.stream().map(word -> fields.number(name.replace("%s", word))).filter(OptionalDouble::isPresent)
                    .findFirst().orElse(OptionalDouble.empty());
        }

        /// The unit that the file names; empty if it names none.
        private String unitName(ForeignFields fields) {
            String object = name.endsWith(".%s") ? name.substring(0, name.length() - 2) : "";
            return object.isEmpty() ? "" : fields.text(object + "unit", fields.text(object + "units", ""));
        }
    }

    /// @param n requests behind the figures; 0 if the file does not give it
    Summary(long n) {
        this.n = n;
    }

    /// A unit of time or of a rate in that of the metrics; empty if it is not known.
    ///
    /// @param usual the unit of a file that names none
    static OptionalDouble unit(String written, Metric.Unit of, double usual) {
        @Nullable Double known = switch (of) {
            case NANOSECONDS -> TIMES.get(written);
            case PER_SECOND_REQUESTS, PER_SECOND_TOKENS -> RATES.get(written);
            case FRACTION, BYTES, COUNT, JOULES_PER_TOKEN, PRICE_PER_MILLION_TOKENS, RATIO, WATTS -> usual;
        };
        return written.isEmpty() ? OptionalDouble.of(usual) : known == null ? OptionalDouble.empty()
                : OptionalDouble.of(known);
    }

    /// Adds a value if present and no placeholder.
    Summary add(Metric metric, OptionalDouble value, double scale) {
        add(metric, value, scale, true);
        return this;
    }

    /// Tools write a latency of exactly 0, or any figure of −1, where they have none. No share is above 1.
    private void add(Metric metric, OptionalDouble value, double scale, boolean enough) {
        if (value.isEmpty() || figures.stream().anyMatch(figure -> figure.metric().equals(metric))) {
            return;
        }
        double scaled = value.getAsDouble() * scale;
        if (scaled < 0 || scaled > LARGEST
                || (scaled == 0 && (metric.unit() == Metric.Unit.NANOSECONDS || (n > 0 && COUNTED.contains(metric))))
                || (scaled > WHOLE && metric.unit() == Metric.Unit.FRACTION)) {
            placeholders.add(metric.label());
        } else {
            figures.add(new Figure(metric, scaled, n, enough));
        }
    }

    /// Adds what the fields of a file hold.
    Summary add(List<FigureField> table, ForeignFields fields) {
        for (FigureField field : table) {
            String written = field.unitName(fields);
            OptionalDouble unit = unit(written, field.metric.unit(), field.unit);
            if (unit.isEmpty()) {
                unknownUnits.add(field.metric.label() + " in " + written);
                continue;
            }
            add(field.metric, field.mean(fields), unit.getAsDouble());
            MetricFamily family = field.family;
            if (family != null) {
                family.percentiles()
                        .forEach(percent -> add(family.percentile(percent), field.percentile(fields, percent),
                                unit.getAsDouble(),
                                n == 0 || OF_GAPS.contains(family) || Distribution.enough(n, percent)));
            }
        }
        return this;
    }

    /// Adds mean and percentiles of the values of answers, without those that are 0 or less.
    Summary add(MetricFamily family, List<ForeignFields> answers, String name, double unitNanos) {
        double[] nanos = answers.stream().mapToDouble(answer -> answer.number(name).orElse(0) * unitNanos)
                .filter(value -> value > 0 && value <= LARGEST).toArray();
        Distribution all = Distribution.taking(nanos, nanos.length);
        if (!all.isEmpty()) {
            figures.add(new Figure(family.mean(), all.mean(), all.n(), true));
            family.percentiles().forEach(percent -> figures.add(new Figure(family.percentile(percent),
                    all.percentile(percent), all.n(), Distribution.enough(all.n(), percent))));
        }
        return this;
    }

    /// The sum over answers.
    static double sum(List<ForeignFields> answers, String name) {
        return answers.stream().mapToDouble(answer -> answer.number(name).orElse(0)).sum();
    }

    /// What was left out; empty for nothing.
    Optional<String> note() {
        String left = placeholders.isEmpty() ? "" : "The file has placeholders, such as 0 or −1, for "
                + String.join(", ", placeholders) + ": they are left out.";
        String units =
                unknownUnits.isEmpty() ? "" : "Units that are not known: " + String.join(", ", unknownUnits) + ".";
        String note = (left + " " + units).strip();
        return note.isEmpty() ? Optional.empty() : Optional.of(note);
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }
}
