package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Metric;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.report.DifferenceText;
import org.inferometer.report.FigureText;
import org.inferometer.units.LetterCase;
import org.inferometer.wording.HeadedText;

/// The answer of an experiment by fixed rules: one comparison in a sentence, the others below it.
///
/// With an SLO it names the candidate of the highest goodput. Without one, or if no load is shown to meet it, it compares the cell of the
/// highest output throughput (under an open loop, which sets it: of the shortest time to the first token) with the baseline's scheduler or server of the same engine, then its system's narrowest precision with the
/// widest: under the last of the loads with most cells without INVALID runs. Over loads that ascend by a number, such as rates, it says the
/// differences at the lowest and the highest load. Differences are corrected for all that is judged, so that equal cells get one in at most 5 % of results.
record Headline(ExperimentManifest manifest, List<ComparedCell> cells) {
    private static final String NOT_RANKED = "Not ranked: ";
    private static final List<Metric> FIRST_TOKEN = List.of(Metrics.TTFT.p50(), Metrics.SERVICE_TTFT.p50(),
            Metrics.TTFT.mean(), Metrics.SERVICE_TTFT.mean(), Metrics.E2E.p50(), Metrics.E2E.mean());
    private static final List<Metric> THROUGHPUT = List.of(Metrics.OUTPUT_THROUGHPUT);
    private static final List<Metric> GAP =
            List.of(Metrics.ITL.p50(), Metrics.INTER_CHUNK.p50(), Metrics.TPOT.p50(), Metrics.TPOT.mean());

    /// The answer.
    ///
    /// @param ranks whether it names a cell, or why none is named
    record Answer(boolean ranks, HeadedText text) {}

    private static Answer ranked(HeadedText text) {
        return new Answer(true, text);
    }

    private static Answer notRanked(String reason) {
        return new Answer(false, new HeadedText(NOT_RANKED + reason, ""));
    }

    /// The answer; empty without figures.
    static Optional<Answer> of(ExperimentManifest manifest, List<ComparedCell> cells) {
        return new Headline(manifest, cells).answer();
    }

    private Optional<Answer> answer() {
        boolean invalid = isInvalid();
        if (runsAreMissing() || (invalid && !onlyRunsAreInvalid())) {
            return cells.isEmpty() ? Optional.empty()
                    : Optional.of(notRanked(invalid ? "INVALID." : "runs are missing."));
        }
        Optional<DeploymentAnswer> deployment = DeploymentAnswer.of(cells, List.of(manifest));
        if (deployment.isPresent()) {
            Optional<HeadedText> instead = deployment.get().isServed() || invalid || cells.size() == 1
                    || OtherWork.among(lastLoad()).isPresent() ? Optional.empty() : best().map(this::differences);
            return Optional
                    .of(ranked(deployment.get().answer().with(instead.map(sentences -> " " + sentences).orElse(""))));
        }
        Optional<String> otherWork = OtherWork.among(lastLoad());
        if (otherWork.isPresent()) {
            return Optional.of(notRanked(otherWork.get()));
        }
        return invalid && cells.stream().noneMatch(ComparedCell::hasInvalidRuns) ? Optional.of(notRanked("INVALID."))
                : best().map(best -> ranked(cells.size() == 1 ? figures(best) : differences(best))).or(this::invalid);
    }

    /// An interrupted experiment has no verdict.
    private boolean runsAreMissing() {
        return cells.size() > 1 && manifest.verdict() == null && manifest.status() == RunStatus.INTERRUPTED;
    }

    private boolean isInvalid() {
        Verdict verdict = manifest.verdict();
        return verdict != null && verdict.grade() == Verdict.Grade.INVALID;
    }

    /// Whether the other cells may be ranked: nothing but INVALID runs makes the experiment INVALID.
    private boolean onlyRunsAreInvalid() {
        Verdict verdict = manifest.verdict();
        return verdict == null
                || verdict.conditions().stream().filter(condition -> condition.state() == Verdict.State.BROKEN)
                        .allMatch(condition -> condition.requirement() == Requirement.ALL_RUNS_VALID);
    }

    private Optional<Answer> invalid() {
        int runs = cells.stream().mapToInt(ComparedCell::runs).sum();
        int invalid = cells.stream().map(cell -> cell.summary().invalidRuns()).filter(Objects::nonNull)
                .mapToInt(Integer::intValue).sum();
        return invalid == 0 || cells.size() < 2 ? Optional.empty() : Optional
                .of(notRanked(invalid + " of " + runs + " runs " + (invalid == 1 ? "is" : "are") + " INVALID."));
    }

    /// The highest output throughput under the load that is compared; where the load sets it, the shortest time to the first token.
    private Optional<ComparedCell> best() {
        List<ComparedCell> load =
                lastLoad().stream().filter(cell -> cell.figure(Metrics.OUTPUT_THROUGHPUT).isPresent()).toList();
        Optional<Metric> latency = FIRST_TOKEN.stream()
                .filter(metric -> load.stream().allMatch(cell -> cell.figure(metric).isPresent())).findFirst();
        return latency.filter(metric -> load.stream().allMatch(Headline::isSetByLoad))
                .map(metric -> load.stream().min(Comparator.comparingDouble(cell -> cell.required(metric).mean())))
                .orElseGet(() -> load.stream().max(Comparator.comparingDouble(Headline::throughput)));
    }

    private static boolean isSetByLoad(ComparedCell cell) {
        return cell.figure(Metrics.OUTPUT_THROUGHPUT).filter(CellFigure::setByLoad).isPresent();
    }

    private List<ComparedCell> lastLoad() {
        List<ComparedCell> widest = List.of();
        for (List<ComparedCell> load : loads()) {
            List<ComparedCell> valid = valid(load);
            widest = valid.size() >= widest.size() ? valid : widest;
        }
        return widest;
    }

    /// The cells of each load: ascending by a number, else in the order of the experiment.
    private List<List<ComparedCell>> loads() {
        return ascending().isEmpty() ? List.copyOf(ComparedCell.byLoad(cells).values()) : ascending();
    }

    private List<List<ComparedCell>> ascending() {
        return LoadNames.of(cells).ascending(ComparedCell.byLoad(cells).values());
    }

    private static List<ComparedCell> valid(List<ComparedCell> load) {
        return load.stream().filter(cell -> !cell.hasInvalidRuns()).toList();
    }

    private static HeadedText figures(ComparedCell cell) {
        Stream<Metric> shown = Stream.of(Stream.of(Metrics.OUTPUT_THROUGHPUT), present(FIRST_TOKEN, cell).limit(1),
                Stream.of(Metrics.TTFT.p95())
                        .filter(tail -> cell.figure(tail).filter(figure -> !figure.isMarked()).isPresent()),
                present(GAP, cell).limit(1)).flatMap(metrics -> metrics);
        List<CellFigure> figures = shown.map(metric -> cell.required(metric)).toList();
        boolean intervals = figures.stream().anyMatch(figure -> figure.interval().isPresent());
        List<String> texts =
                figures.stream().map(figure -> figure.metric().label() + " " + FigureText.withUnit(figure)).toList();
        int runs = cell.runs();
        return new HeadedText(cell.label() + ": " + texts.getFirst() + ".", " "
                + (texts.size() == 1 ? "" : String.join(", ", texts.subList(1, texts.size())) + ". ")
                + (runs == 1 ? "1 run: no intervals." : runs + " runs" + (intervals ? ", 95 % intervals." : ".")));
    }

    private static Stream<Metric> present(List<Metric> metrics, ComparedCell cell) {
        return metrics.stream().filter(metric -> cell.figure(metric).isPresent());
    }

    private HeadedText differences(ComparedCell best) {
        List<ComparedCell> others = lastLoad().stream().filter(cell -> cell != best).toList();
        Comparator<ComparedCell> baseFirst = Comparator.comparing((ComparedCell cell) -> !isBaseline(cell))
                .thenComparingDouble(Headline::throughput);
        List<ComparedCell> systems = others.stream().filter(
                cell -> same(best, cell, List.of(Headline::model, ComparedCell::precision, ComparedCell::setting)))
                .sorted(baseFirst).toList();
        List<Contrast> contrasts = new ArrayList<>();
        systems.stream().limit(1).forEach(base -> contrasts.add(contrast(best, base, systems)));
        Optional<Contrast> precision = precision(best);
        precision.ifPresent(contrasts::add);
        if (contrasts.isEmpty()) {
            others.stream().min(baseFirst).ifPresent(base -> contrasts.add(contrast(best, base, others)));
        }
        contrasts.removeIf(contrast -> contrast.comparisons().isEmpty());
        if (contrasts.isEmpty()) {
            return figures(best);
        }
        List<List<ComparedCell>> loads = compared(contrasts);
        boolean range = loads.size() > 1;
        List<List<Comparison>> judged = range ? judged(contrasts, loads) : judged(contrasts);
        LoadNames names = LoadNames.of(cells);
        ComparedCell last = range ? loads.getLast().getFirst() : best;
        String circumstance = ComparedCell.byLoad(cells).size() == 1 ? "" : names.circumstance(last) + ", ";
        Comparison first = judged.getFirst().get(range ? loads.size() - 1 : 0);
        String head = (circumstance.isEmpty() ? "" : LetterCase.capitalized(circumstance))
                + contrasts.getFirst().subject() + String.join(", ", DifferenceText.clauses(List.of(first))) + ".";
        String rest = (range ? overRange(contrasts, loads, judged, names) : further(contrasts, judged))
                + (isSetByLoad(best) ? " The load sets the throughput." : "")
                + quality(precision.stream().map(Contrast::candidate).toList());
        return new HeadedText(head, rest + runs(
                range ? loads.stream().flatMap(load -> contrasts.stream().map(each -> each.under(load).orElseThrow()))
                        .toList() : contrasts.stream().map(Contrast::sides).toList(),
                judged.stream().flatMap(List::stream).anyMatch(Headline::showsInterval)));
    }

    private static boolean showsInterval(Comparison comparison) {
        return comparison.outcome() != Comparison.Outcome.NO_DETECTABLE_DIFFERENCE && comparison.testResult()
                .map(Comparison.TestResult::interval).filter(interval -> interval.low() < interval.high()).isPresent();
    }

    /// The valid cells of the loads that every contrast has; those with a test alone if two have one.
    private List<List<ComparedCell>> compared(List<Contrast> contrasts) {
        List<List<ComparedCell>> both = ascending().stream().map(Headline::valid)
                .filter(load -> contrasts.stream().allMatch(contrast -> contrast.under(load).isPresent())).toList();
        List<List<ComparedCell>> tested = both.stream()
                .filter(load -> contrasts.stream().allMatch(contrast -> contrast.under(load).orElseThrow().isTested()))
                .toList();
        return tested.size() > 1 ? tested : both;
    }

    /// All differences are judged together.
    ///
    /// @return of each contrast its comparisons
    private static List<List<Comparison>> judged(List<Contrast> contrasts) {
        Iterator<Comparison> judged = Comparisons
                .corrected(contrasts.stream().flatMap(each -> each.comparisons().stream()).toList()).iterator();
        return contrasts.stream().map(contrast -> contrast.comparisons().stream().map(each -> judged.next()).toList())
                .toList();
    }

    /// The same at all of some loads.
    ///
    /// @return of each contrast the comparisons of its first metric at each load, then those of the next
    private static List<List<Comparison>> judged(List<Contrast> contrasts, List<List<ComparedCell>> loads) {
        List<List<Comparison>> all =
                contrasts.stream()
                        .map(contrast -> contrast.comparisons().stream().flatMap(metric -> loads.stream().flatMap(
                                load -> contrast.under(load).orElseThrow().compared(metric.metric(), load).stream()))
                                .toList())
                        .toList();
        Iterator<Comparison> judged = Comparisons.corrected(all.stream().flatMap(List::stream).toList()).iterator();
        return all.stream().map(each -> each.stream().map(comparison -> judged.next()).toList()).toList();
    }

    /// What is not in the first sentence.
    private static String further(List<Contrast> contrasts, List<List<Comparison>> judged) {
        StringBuilder sentences = new StringBuilder();
        for (int i = 0; i < contrasts.size(); i++) {
            List<Comparison> own = i == 0 ? judged.get(i).subList(1, judged.get(i).size()) : judged.get(i);
            String clauses = String.join(", ", DifferenceText.clauses(own));
            if (!clauses.isEmpty()) {
                sentences.append(' ')
                        .append(i == 0 ? LetterCase.capitalized(clauses) : contrasts.get(i).subject() + clauses)
                        .append('.');
            }
        }
        return sentences.toString();
    }

    /// " From 2 to 8 req/s: TTFT P50 ...", and the same of further contrasts with their names.
    private static String overRange(List<Contrast> contrasts, List<List<ComparedCell>> loads,
            List<List<Comparison>> judged, LoadNames names) {
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < contrasts.size(); i++) {
            List<RangeClause> clauses = new ArrayList<>();
            for (int from = 0; from < judged.get(i).size(); from += loads.size()) {
                List<RangeClause.Point> points = new ArrayList<>();
                for (int load = 0; load < loads.size(); load++) {
                    points.add(new RangeClause.Point(loads.get(load).getFirst(), judged.get(i).get(from + load)));
                }
                clauses.add(new RangeClause(names, points));
            }
            sentences
                    .add((i == 0 ? "" : contrasts.get(i).subject()) + String.join(", ", RangeClause.of(clauses)) + ".");
        }
        return " " + LetterCase.capitalized(names.range(loads.getFirst().getFirst(), loads.getLast().getFirst())) + ": "
                + String.join(" ", sentences);
    }

    /// " 3 runs each, 95 % intervals." A side of one run has no interval.
    private static String runs(List<Sides> sides, boolean intervals) {
        IntSummaryStatistics runs = sides.stream().flatMap(each -> Stream.of(each.candidate(), each.base()))
                .mapToInt(ComparedCell::runs).summaryStatistics();
        return " " + FigureText.runs(runs) + " each"
                + (runs.getMax() == 1 ? ": no intervals, differences may be chance."
                        : runs.getMin() == 1 ? ": differences without an interval may be chance."
                        : intervals ? ", 95 % intervals."
                        : ".");
    }

    /// The narrowest precision of the best system against the widest: what it saves, then what it gains. All memory is named where it
    /// differs the other way than weights and KV cache.
    private Optional<Contrast> precision(ComparedCell best) {
        List<ComparedCell> widest = lastLoad().stream()
                .filter(cell -> same(best, cell, List.of(Headline::model, Headline::system, ComparedCell::setting)))
                .filter(cell -> QuantisationImpact.PRECISIONS.contains(cell.precision()))
                .sorted(Comparator.comparingInt(cell -> QuantisationImpact.PRECISIONS.indexOf(cell.precision())))
                .toList();
        if (widest.isEmpty() || same(widest.getFirst(), widest.getLast(), List.of(ComparedCell::precision))) {
            return Optional.empty();
        }
        ComparedCell base = widest.getFirst();
        ComparedCell narrow = widest.getLast();
        Sides sides = new Sides(narrow, base, false);
        List<Comparison> memory =
                compared(sides, List.of(List.of(Metrics.MODEL_MEMORY_PEAK), List.of(Metrics.MEMORY_PEAK_TOTAL)));
        List<Comparison> saved = memory.size() == 2 && contradict(memory.getFirst(), memory.getLast()) ? memory
                : memory.stream().filter(each -> each.metric().equals(Metrics.MODEL_MEMORY_PEAK)).toList();
        List<Comparison> gained = compared(sides, List.of(THROUGHPUT, FIRST_TOKEN));
        return Optional.of(new Contrast(sides, LetterCase.upper(narrow.precision()), LetterCase.upper(base.precision()),
                (several(Headline::system) ? " under " + system(narrow) : "") + setting(narrow),
                Stream.concat(gained.stream(), saved.stream()).toList()));
    }

    /// Whether one is more and the other is less.
    private static boolean contradict(Comparison a, Comparison b) {
        return a.change().orElse(0.0) * b.change().orElse(0.0) < 0;
    }

    /// Whether cells of the compared load differ in a part.
    private boolean several(Function<ComparedCell, String> part) {
        return lastLoad().stream().map(part).distinct().count() > 1;
    }

    /// A narrower precision is never the answer without a word on its quality.
    private static String quality(List<ComparedCell> best) {
        return QualityText.clause(best).map(clause -> " " + clause).orElse("");
    }

    /// One cell against another.
    ///
    /// @param scope what both share and other cells do not: " with tiny-int4"; may be empty
    private record Contrast(Sides sides, String name, String baseName, String scope, List<Comparison> comparisons) {
        private ComparedCell candidate() {
            return sides.candidate();
        }

        private ComparedCell base() {
            return sides.base();
        }

        /// "continuous against naive with tiny-int4: ".
        String subject() {
            return name + " against " + baseName + scope
                    + (same(candidate(), base(), List.of(Headline::model)) ? "" : " (models differ)") + ": ";
        }

        /// The same two under another load; empty where one is missing or has not all of the metrics.
        Optional<Sides> under(List<ComparedCell> load) {
            Optional<ComparedCell> one = like(candidate(), load);
            Optional<ComparedCell> other = like(base(), load);
            return one.flatMap(mine -> other.map(theirs -> new Sides(mine, theirs, sides.baseIsChosen()))).filter(
                    both -> comparisons.stream().allMatch(each -> !both.compared(each.metric(), load).isEmpty()));
        }

        private static Optional<ComparedCell> like(ComparedCell side, List<ComparedCell> load) {
            return load.stream().filter(cell -> cell.subject().equals(side.subject())).findFirst();
        }
    }

    /// The two cells of a contrast under one load.
    ///
    /// @param baseIsChosen whether the base is the worst, not the baseline
    private record Sides(ComparedCell candidate, ComparedCell base, boolean baseIsChosen) {
        /// One run has no interval.
        boolean isTested() {
            return candidate.runs() > 1 && base.runs() > 1;
        }

        /// Their difference; empty where one has no figure or too few samples. All cells of the load are one family, as the best is the best of
        /// them; all pairs of them where the base was chosen by its figure as well.
        List<Comparison> compared(Metric metric, List<ComparedCell> load) {
            if (candidate.figure(metric).filter(CellFigure::enough).isEmpty()
                    || base.figure(metric).filter(CellFigure::enough).isEmpty()) {
                return List.of();
            }
            List<CellFigure> all = Stream
                    .concat(Stream.of(base, candidate), load.stream().filter(cell -> cell != candidate && cell != base))
                    .flatMap(cell -> cell.figure(metric).stream()).toList();
            List<CellFigure> bases = new ArrayList<>();
            List<CellFigure> candidates = new ArrayList<>();
            for (int i = 0; i < (baseIsChosen ? all.size() : 1); i++) {
                bases.addAll(Collections.nCopies(all.size() - i - 1, all.get(i)));
                candidates.addAll(all.subList(i + 1, all.size()));
            }
            return Comparisons.together(bases, candidates).subList(0, 1).stream()
                    .filter(each -> each.outcome() != Comparison.Outcome.SET_BY_LOAD).toList();
        }
    }

    /// @param others of which the base was chosen
    private Contrast contrast(ComparedCell best, ComparedCell base, List<ComparedCell> others) {
        Sides sides = new Sides(best, base, others.stream().filter(this::isBaseline).count() != 1);
        boolean systems = same(best, base, List.of(Headline::model, ComparedCell::precision, ComparedCell::setting))
                && !same(best, base, List.of(Headline::system));
        return new Contrast(sides, systems ? system(best) : best.name(), systems ? system(base) : base.name(),
                systems ? (several(Headline::engine) ? " with " + engine(best) : "") + setting(best) : "",
                compared(sides,
                        isSetByLoad(best) ? List.of(FIRST_TOKEN, THROUGHPUT) : List.of(THROUGHPUT, FIRST_TOKEN)));
    }

    /// " on host:threads=8" where other cells have another backend or other limits.
    private String setting(ComparedCell cell) {
        return several(ComparedCell::setting) ? " on " + ComparedCell.setting(cell) : "";
    }

    /// Of each group of metrics the first that both cells have.
    private List<Comparison> compared(Sides sides, List<List<Metric>> groups) {
        List<ComparedCell> load = lastLoad();
        return groups.stream()
                .flatMap(metrics -> metrics.stream().flatMap(metric -> sides.compared(metric, load).stream()).limit(1))
                .toList();
    }

    private static boolean same(ComparedCell a, ComparedCell b, List<Function<ComparedCell, String>> parts) {
        return parts.stream().allMatch(part -> part.apply(a).equals(part.apply(b)));
    }

    private boolean isBaseline(ComparedCell cell) {
        return manifest.spec().baselineSystem().filter(system(cell)::equals).isPresent();
    }

    private static String model(ComparedCell cell) {
        return cell.summary().model();
    }

    private static String engine(ComparedCell cell) {
        return cell.subject().model().orElse("");
    }

    private static String system(ComparedCell cell) {
        return cell.subject().system();
    }

    private static double throughput(ComparedCell cell) {
        return cell.figure(Metrics.OUTPUT_THROUGHPUT).map(CellFigure::mean).orElse(0.0);
    }
}
