package org.inferometer.measurement.definitions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.definitions.DefinedFigure.Move;
import org.inferometer.measurement.definitions.Rule.Failures;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.workload.LoadKind;
import org.jspecify.annotations.Nullable;

/// The figures of a record under another tool's rules, and the effect of each rule.
///
/// Our rules are replaced by theirs one at a time, so the effects on a figure add up to its whole difference.
public final class Redefinition {
    private static final List<MetricFamily> FAMILIES = List.of(Metrics.TTFT, Metrics.TPOT, Metrics.ITL, Metrics.E2E);
    private static final double ROUNDING = 1e-12;
    private final RequestColumns measured;
    private final List<RequestOutcome> ok;
    private final LoadKind load;
    private final @Nullable ServiceObjective objective;

    private Redefinition(List<RequestOutcome> requests, LoadKind load, @Nullable ServiceObjective objective) {
        this.measured = RequestColumns.of(requests).measured();
        this.ok = measured.stream().filter(RequestOutcome::answered).toList();
        this.load = load;
        this.objective = objective;
    }

    /// Latencies (mean, percentiles, standard deviation), window, throughput and, given an objective, goodput under a definition.
    /// Figures that neither side has are left out.
    ///
    /// @param requests with warm-up, which no definition counts
    /// @param load how they arrived
    /// @param objective null for no goodput
    public static List<DefinedFigure> of(List<RequestOutcome> requests, LoadKind load, Definition definition,
            @Nullable ServiceObjective objective) {
        return new Redefinition(requests, load, objective).under(definition);
    }

    /// The standard deviation of a family of latencies; not part of the registry.
    public static Metric deviation(MetricFamily family) {
        return new Metric(family.id() + "_std", family.label() + " std", family.unit(), family.better(),
                "standard deviation of " + family.definition());
    }

    private List<DefinedFigure> under(Definition definition) {
        List<Rule> rules = new ArrayList<>(Definition.INFEROMETER.rules().ordered());
        List<Rule> theirs = definition.rules().ordered();
        Map<Metric, Double> ours = figures(Rules.of(rules));
        Map<Metric, Double> before = ours;
        Map<Metric, List<Move>> moves = new LinkedHashMap<>();
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = theirs.get(i);
            if (rules.set(i, rule) == rule) {
                continue;
            }
            Map<Metric, Double> after = withoutNoise(before, figures(Rules.of(rules)));
            for (Metric metric : union(before, after)) {
                Double was = before.get(metric);
                Double is = after.get(metric);
                if (!Objects.equals(was, is)) {
                    String text = definition.label() + " " + rule.text();
                    moves.computeIfAbsent(metric, key -> new ArrayList<>()).add(new Move(rule, text, was, is));
                }
            }
            before = after;
        }
        List<DefinedFigure> figures = new ArrayList<>();
        for (Metric metric : union(ours, before)) {
            List<Move> moved = List.copyOf(moves.getOrDefault(metric, List.of()));
            figures.add(
                    new DefinedFigure(metric, name(metric, definition), ours.get(metric), before.get(metric), moved));
        }
        return List.copyOf(figures);
    }

    /// Drops changes of the last digits, which come from the order of summation.
    private static Map<Metric, Double> withoutNoise(Map<Metric, Double> before, Map<Metric, Double> after) {
        after.replaceAll((metric, is) -> {
            Double was = before.get(metric);
            return was != null && Math.abs(was - is) <= ROUNDING * Math.abs(was) ? was : is;
        });
        return after;
    }

    private static List<Metric> union(Map<Metric, Double> one, Map<Metric, Double> other) {
        return Stream.concat(one.keySet().stream(), other.keySet().stream()).distinct().toList();
    }

    private static String name(Metric metric, Definition definition) {
        return FAMILIES.stream().filter(family -> metric.id().startsWith(family.id() + "_")).findFirst()
                .map(family -> definition.nameOf(family.id())).orElse(metric.label());
    }

    private Map<Metric, Double> figures(Rules rules) {
        Map<Metric, Double> figures = new LinkedHashMap<>();
        if (rules.failures() == Failures.RAISES && measured.stream().anyMatch(request -> !request.ok())) {
            return figures;
        }
        DefinedLatencies latencies = new DefinedLatencies(ok, rules);
        Map<MetricFamily, Function<DefinedLatencies, WeightedSamples>> families = new LinkedHashMap<>();
        families.put(Metrics.TTFT, DefinedLatencies::timeToFirstToken);
        families.put(Metrics.TPOT, DefinedLatencies::perToken);
        families.put(Metrics.ITL, DefinedLatencies::gaps);
        families.put(Metrics.E2E, DefinedLatencies::endToEnd);
        families.forEach((family, samples) -> add(figures, family, samples.apply(latencies), rules));
        figures.putAll(new DefinedRates(measured, ok, rules, load, objective).all());
        return figures;
    }

    private static void add(Map<Metric, Double> figures, MetricFamily family, WeightedSamples samples, Rules rules) {
        if (samples.isEmpty()) {
            return;
        }
        figures.put(family.mean(), samples.mean());
        family.percentiles().forEach(
                percent -> figures.put(family.percentile(percent), samples.percentile(percent, rules.quantile())));
        Double deviation = samples.deviation(rules.spread());
        if (deviation != null) {
            figures.put(deviation(family), deviation);
        }
    }
}
