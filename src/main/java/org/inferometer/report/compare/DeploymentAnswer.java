package org.inferometer.report.compare;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.measurement.verdict.ServedRange;
import org.inferometer.measurement.verdict.SloDecision;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.LoadEstimate;
import org.inferometer.record.SloResult;
import org.inferometer.record.SloResult.Outcome;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;
import org.inferometer.wording.HeadedText;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// Which candidate has the highest goodput within the SLO, at which cost, and how certain that is.
///
/// A load is served if the bounds of the share of its requests within the limits say so ([SloDecision]). Each candidate is represented by the
/// load of its highest goodput among those served; its highest served load is a range. Candidates are compared over runs, Holm-corrected.
public final class DeploymentAnswer {
    private static final double NEARLY = 0.9;
    private final ServiceObjective objective;
    private final LoadNames names;
    private final List<Candidate> ranked;
    /// What to do about INVALID runs; empty without one.
    private final String remedy;

    private DeploymentAnswer(ServiceObjective objective, LoadNames names, List<Candidate> ranked, String remedy) {
        this.objective = objective;
        this.names = names;
        this.ranked = ranked;
        this.remedy = remedy;
    }

    /// @param names of the loads of all candidates
    /// @param loads its loads in their order, with their results
    /// @param best the load of the highest goodput among those served
    /// @param closest the load with most requests within the limits
    /// @param estimate of its highest load, where that was searched
    private record Candidate(String name, LoadNames names, Map<ComparedCell, SloResult> loads,
            Optional<ComparedCell> best, ComparedCell closest, Optional<LoadEstimate> estimate) {
        double goodput() {
            return best.map(cell -> cell.required(Metrics.GOODPUT).mean()).orElse(-1.0);
        }

        /// The load of the highest goodput that cannot be told, if that is no less than a goodput by more than a tenth: "continuous at 16 req/s".
        Optional<String> undecided(double goodput) {
            return loads.keySet().stream().filter(cell -> is(loads.get(cell), Outcome.CANNOT_TELL))
                    .max(Comparator.comparingDouble(cell -> cell.required(Metrics.GOODPUT).mean()))
                    .filter(cell -> cell.required(Metrics.GOODPUT).mean() >= NEARLY * goodput)
                    .map(cell -> name + " at " + names.of(cell));
        }

        SloResult result(ComparedCell cell) {
            return Objects.requireNonNull(loads.get(cell));
        }

        /// "about 11.2 req/s [8.61, 12.6]; shown to be served: 8.57 req/s"; empty where the search gives no end of the interval.
        Optional<String> estimated() {
            return estimate.flatMap(found -> names.unit(closest).flatMap(unit -> {
                String shown = found.shownServed() == null ? "no load is shown to be served"
                        : "shown to be served: " + number(found.shownServed()) + " " + unit;
                String text = found.low() != null && found.high() != null ? "about " + number(found.estimate()) + " "
                        + unit + " [" + number(found.low()) + ", " + number(found.high()) + "]"
                        : found.low() != null ? "at least " + number(found.low()) + " " + unit
                        : found.high() != null ? "at most " + number(found.high()) + " " + unit
                        : "";
                return text.isEmpty() ? Optional.empty() : Optional.of(text + "; " + shown);
            }));
        }

        private static String number(double load) {
            return QuantityText.withoutTrailingZeros(QuantityText.significant(load));
        }

        /// "served up to 2 req/s, not served from 8 req/s"; empty if the loads do not rise or are not told apart.
        String range() {
            if (loads.size() < 2 || !rises(List.copyOf(loads.keySet()))) {
                return "";
            }
            List<ComparedCell> cells = List.copyOf(loads.keySet());
            ServedRange range = ServedRange.of(List.copyOf(loads.values()));
            if (range.highestServed().isEmpty() && range.lowestNotServed().isEmpty()) {
                return "";
            }
            if (best.isPresent() && cells.indexOf(best.get()) > range.highestServed().orElse(-1)) {
                return "served at " + names.of(best.get()) + ", not served at the lower load "
                        + names.of(cells.get(range.lowestNotServed().orElseThrow()));
            }
            String served = range.highestServed().stream().mapToObj(i -> "served up to " + names.of(cells.get(i)))
                    .findFirst().orElse("no load is shown to be served");
            return served + ", "
                    + range.lowestNotServed().stream().mapToObj(i -> "not served from " + names.of(cells.get(i)))
                            .findFirst().orElseGet(() -> above(cells, range.highestServed().orElseThrow()));
        }

        /// What is known above the highest load that is served, where none is shown to be too much.
        private String above(List<ComparedCell> cells, int served) {
            return served == cells.size() - 1 ? "the highest load that was tried"
                    : "undecided at " + names.of(cells.get(served + 1));
        }
    }

    /// The answer; empty if the experiments have no SLO or different ones.
    ///
    /// @param cells of the experiments
    public static Optional<DeploymentAnswer> of(List<ComparedCell> cells, List<ExperimentManifest> experiments) {
        List<ServiceObjective> objectives =
                experiments.stream().map(each -> each.spec().goal().objective()).distinct().toList();
        if (objectives.size() != 1 || objectives.getFirst().isEmpty()) {
            return Optional.empty();
        }
        ServiceObjective objective = objectives.getFirst();
        Map<String, List<ComparedCell>> byName = ComparedCell.grouped(
                cells.stream().filter(cell -> cell.figure(Metrics.GOODPUT).isPresent()).toList(), ComparedCell::name);
        if (byName.isEmpty()) {
            return Optional.empty();
        }
        List<Candidate> candidates = new ArrayList<>();
        LoadNames names = LoadNames.of(cells);
        byName.forEach((name, loads) -> candidates
                .add(candidate(name, names, loads, objective, estimate(loads, experiments))));
        candidates.sort(Comparator.comparingDouble(Candidate::goodput)
                .thenComparing(candidate -> met(candidate.closest())).reversed());
        String remedy = experiments.stream().flatMap(each -> Optional.ofNullable(each.verdict()).stream())
                .flatMap(verdict -> verdict.conditions().stream())
                .filter(condition -> condition.requirement() == Requirement.ALL_RUNS_VALID)
                .map(condition -> condition.remedy()).filter(text -> !text.isEmpty()).findFirst().orElse("");
        return Optional.of(new DeploymentAnswer(objective, names, List.copyOf(candidates), remedy));
    }

    private static Candidate candidate(String name, LoadNames names, List<ComparedCell> loads,
            ServiceObjective objective, Optional<LoadEstimate> estimate) {
        Map<ComparedCell, SloResult> results = new LinkedHashMap<>();
        loads.forEach(cell -> results.put(cell, result(cell, loads.size(), objective)));
        Optional<ComparedCell> best = loads.stream()
                .filter(cell -> Objects.requireNonNull(results.get(cell)).isServed() && !cell.hasInvalidRuns())
                .max(Comparator.comparingDouble(cell -> cell.required(Metrics.GOODPUT).mean()));
        return new Candidate(name, names, results, best,
                loads.stream().max(Comparator.comparingDouble(DeploymentAnswer::met)).orElseThrow(), estimate);
    }

    /// That of the one search which measured all of these loads.
    private static Optional<LoadEstimate> estimate(List<ComparedCell> loads, List<ExperimentManifest> experiments) {
        ComparedCell first = loads.getFirst();
        return experiments
                .stream().filter(
                        each -> each.id().equals(first.experiment()))
                .flatMap(each -> each.estimate(first.summary().cellIndex()).stream())
                .filter(found -> loads.stream().allMatch(load -> load.experiment().equals(first.experiment())
                        && found.cells().contains(load.summary().cellIndex())))
                .findFirst();
    }

    /// Older records have no result: it follows from the shares of their runs.
    private static SloResult result(ComparedCell cell, int loads, ServiceObjective objective) {
        SloResult recorded = cell.summary().slo();
        if (recorded != null) {
            return recorded;
        }
        CellFigure share = cell.required(Metrics.OBJECTIVE_MET);
        return new SloDecision(objective).result(share.runValues(), share.n(), loads);
    }

    private static boolean is(@Nullable SloResult result, Outcome outcome) {
        return result != null && result.outcome() == outcome;
    }

    /// Whether the loads are one workload under rising rates or concurrencies.
    private static boolean rises(List<ComparedCell> loads) {
        List<WorkloadSpec> workloads = loads.stream().map(ComparedCell::load).toList();
        return Arrays.stream(LoadSweep.Measure.values()).anyMatch(measure -> {
            List<OptionalDouble> strengths = workloads.stream().map(load -> measure.of(load.arrivals())).toList();
            return IntStream.range(0, strengths.size()).allMatch(i -> strengths.get(i).isPresent()
                    && (i == 0 || strengths.get(i).getAsDouble() > strengths.get(i - 1).getAsDouble()));
        });
    }

    /// Whether a load is shown to meet the SLO.
    public boolean isServed() {
        return ranked.getFirst().best().isPresent();
    }

    /// The answer in a sentence, and in up to two more how far it holds.
    public HeadedText answer() {
        Candidate first = ranked.getFirst();
        if (first.best().isEmpty()) {
            ComparedCell closest = ranked.stream().map(Candidate::closest)
                    .max(Comparator.comparingDouble(DeploymentAnswer::met)).orElseThrow();
            String estimate =
                    ranked.size() == 1 ? first.estimated().map(text -> "Estimate: " + text + ". ").orElse("") : "";
            String nearest = estimate + "Closest: " + closest.name() + " at " + names.of(closest)
                    + closest.figure(Metrics.OBJECTIVE_MET)
                            .map(met -> ", " + FigureText.figure(Optional.of(met)) + " % of requests").orElse("")
                    + ". ";
            List<SloResult> results = ranked.stream().flatMap(each -> each.loads().values().stream()).toList();
            if (results.stream().allMatch(result -> result.outcome() == Outcome.NOT_SERVED)) {
                return new HeadedText("No tested load meets the SLO (" + slo() + ").",
                        " " + nearest + "Lower the load.");
            }
            SloResult near = ranked.stream().filter(each -> each.loads().containsKey(closest)).findFirst().orElseThrow()
                    .result(closest);
            return new HeadedText("No tested load is shown to meet the SLO (" + slo() + ").",
                    " " + nearest + (is(near, Outcome.CANNOT_TELL)
                            ? sentence(cannotTell(closest, near)) + remedy(closest) : "Measure lower loads."));
        }
        ComparedCell best = first.best().get();
        String cost = best.figure(Metrics.COST_PER_MILLION)
                .map(figure -> ", " + FigureText.figure(Optional.of(figure)) + " per million output tokens").orElse("");
        String range = first.estimated().map(text -> "estimate: " + text).orElseGet(first::range);
        return new HeadedText(
                "Highest goodput within the SLO (" + slo() + "): " + best.name() + ", "
                        + FigureText.figure(best.figure(Metrics.GOODPUT)) + " req/s (" + runs(best.runs())
                        + ") at a load of " + names.of(best) + cost + ".",
                " " + (range.isEmpty() ? "" : sentence(range) + " ") + certainty(best));
    }

    /// One run has no interval.
    private static String runs(int count) {
        return count == 1 ? "1 run, no interval" : count + " runs";
    }

    private static String sentence(String text) {
        return LetterCase.capitalized(text) + ".";
    }

    private String cannotTell(ComparedCell load, SloResult result) {
        if (result.overloaded()) {
            return "some of its runs were not served as fast as asked";
        }
        if (load.hasInvalidRuns()) {
            return "a run " + names.circumstance(load) + " is INVALID";
        }
        if (load.figure(Metrics.OBJECTIVE_MET).isEmpty()) {
            return "users left too early to tell";
        }
        return result.requestsToTell() == 0 ? "no number of requests would tell" : "about "
                + rounded(result.requestsToTell()) + " requests would tell, " + result.requests() + " were measured";
    }

    /// " The load generator was late. Leave it a core." Empty for a load without an INVALID run.
    private String remedy(ComparedCell load) {
        return load.hasInvalidRuns() && !remedy.isEmpty() ? " " + remedy : "";
    }

    /// Two digits are enough for a number to plan with.
    private static String rounded(long requests) {
        return new BigDecimal(requests).round(new MathContext(2, RoundingMode.UP)).toPlainString();
    }

    private String slo() {
        List<String> limits = new ArrayList<>();
        objective.ttftNanos().ifPresent(limit -> limits.add("TTFT within " + QuantityText.latency(limit)));
        objective.tpotNanos().ifPresent(limit -> limits.add("TPOT within " + QuantityText.latency(limit)));
        objective.e2eNanos().ifPresent(limit -> limits.add("E2E within " + QuantityText.latency(limit)));
        return String.join(", ", limits) + " for " + FigureText.percent(objective.share()).replaceFirst("\\.0$", "")
                + " % of requests";
    }

    private String certainty(ComparedCell best) {
        List<String> undecided = ranked.stream().skip(1)
                .flatMap(candidate -> candidate.undecided(best.required(Metrics.GOODPUT).mean()).stream()).toList();
        if (!undecided.isEmpty()) {
            return "Whether it is the highest cannot be told: " + String.join(", ", undecided) + " may serve as much.";
        }
        List<ComparedCell> others = ranked.stream().skip(1).flatMap(candidate -> candidate.best().stream()).toList();
        if (ranked.size() == 1) {
            return "There is no other candidate.";
        }
        if (others.isEmpty()) {
            return "No other candidate meets the SLO.";
        }
        Optional<String> otherWork = OtherWork.among(Stream.concat(Stream.of(best), others.stream()).toList());
        if (otherWork.isPresent()) {
            return "Not ranked: " + otherWork.get();
        }
        List<Comparison> comparisons = Comparisons.withBest(
                Stream.concat(Stream.of(best), others.stream()).map(cell -> cell.required(Metrics.GOODPUT)).toList());
        if (comparisons.stream().anyMatch(each -> each.outcome() == Comparison.Outcome.TOO_FEW_RUNS)) {
            return "Not tested against the others: measure 3 runs per cell.";
        }
        List<String> equal =
                IntStream.range(0, others.size()).filter(i -> comparisons.get(i).outcome() != Comparison.Outcome.SLOWER)
                        .mapToObj(i -> others.get(i).name()).toList();
        return equal.isEmpty()
                ? "Higher than every other candidate (p ≤ 0.05" + (others.size() > 1 ? ", Holm-corrected)." : ").")
                : "No detectable difference to " + String.join(", ", equal) + ": choose by cost or add runs.";
    }

    /// One row a candidate, the best first.
    public ReportTable table() {
        List<Row> rows = new ArrayList<>();
        for (Candidate candidate : ranked) {
            ComparedCell shown = candidate.best().orElse(candidate.closest());
            rows.add(Row.of(List.of(candidate.name(), outcome(shown, candidate.result(shown)), names.of(shown),
                    FigureText.figure(shown.figure(Metrics.GOODPUT)),
                    FigureText.figure(shown.figure(Metrics.OBJECTIVE_MET)),
                    FigureText.figure(shown.figure(Metrics.OUTPUT_THROUGHPUT)), shown.figure(Metrics.COST_PER_MILLION)
                            .map(figure -> FigureText.figure(Optional.of(figure))).orElse(FigureText.NOT_APPLICABLE))));
        }
        return new ReportTable("Deployment", "SLO: " + slo(),
                List.of(Column.text("Candidate"), Column.text("SLO"), Column.text("Best load"),
                        Column.number("Goodput", "req/s"), Column.number("Within SLO", "%"),
                        Column.number("Output", "tok/s"), Column.number("Cost", "per 1M tokens")),
                rows, notes());
    }

    private static String outcome(ComparedCell load, SloResult result) {
        return switch (result.outcome()) {
            case SERVED -> "served";
            case SERVED_IN_ITS_RUNS -> "served in " + (load.runs() == 1 ? "1 run" : load.runs() + " runs");
            case NOT_SERVED -> result.overloaded() ? "overloaded" : "not served";
            case CANNOT_TELL -> "cannot tell";
        };
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("Each candidate at its highest goodput among served loads, else at its closest load.");
        notes.add(
                "Served: the lower bound of the share within the SLO is at the goal or above, with 95 % confidence for all"
                        + " loads together.");
        ranked.stream().flatMap(each -> each.best().map(each::result).stream())
                .filter(result -> result.outcome() == Outcome.SERVED_IN_ITS_RUNS)
                .map(result -> new SloDecision(objective).seeing(1 - result.confidence())).findFirst()
                .ifPresent(seeing -> notes
                        .add("These runs may have missed one bad run in five, or halts of 30 requests: " + seeing.runs()
                                + " runs with " + seeing.requests() + " requests in all would see them."));
        for (Candidate candidate : ranked) {
            String range = Stream.concat(candidate.estimated().stream(), Stream.of(candidate.range()))
                    .filter(text -> !text.isEmpty()).collect(Collectors.joining("; "));
            ComparedCell load = candidate.best().orElse(candidate.closest());
            SloResult shown = candidate.result(load);
            String tell = shown.outcome() == Outcome.CANNOT_TELL ? cannotTell(load, shown) : "";
            String text = range.isEmpty() ? tell : range + (tell.isEmpty() ? "" : "; " + tell);
            if (!text.isEmpty()) {
                notes.add(candidate.name() + ": " + text + "." + (tell.isEmpty() ? "" : remedy(load)));
            }
        }
        return List.copyOf(notes);
    }

    private static double met(ComparedCell cell) {
        return cell.figure(Metrics.OBJECTIVE_MET).map(CellFigure::mean).orElse(0.0);
    }
}
