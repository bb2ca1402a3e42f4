package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.inferometer.finding.Advice;
import org.inferometer.measurement.FailureReasons;
import org.inferometer.measurement.LatencyFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.statistics.Drift;
import org.inferometer.measurement.verdict.SloDecision;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunPlan.RunIndex;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.WindowUse;
import org.inferometer.report.FigureText;
import org.inferometer.report.Finding;
import org.inferometer.wording.Voice;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// The findings of an experiment as short sentences: first an end before its time with the answer, before which INVALID cells are named, or
/// with why it is INVALID; then at most five on its verdict, failures, best cells and limits. A finding names the charts that show it.
public final class Findings {
    private static final int MOST = 5;
    private static final String QUEUES = "Requests running and waiting";
    private static final String QUEUE_CHARTS = "requests-in-system*";
    private static final int MOST_NAMED = 3;
    private static final int MOST_BROKEN = 2;
    private static final double REPEATED_SHARE = 0.05;
    private static final List<Metric> TAILS =
            List.of(Metrics.TTFT.p95(), Metrics.TTFT.p99(), Metrics.E2E.p95(), Metrics.E2E.p99());
    private final ExperimentRecord record;
    private final Voice voice;
    private final ExperimentManifest manifest;
    private final List<ComparedCell> cells;

    private Findings(ExperimentRecord record, Voice voice) {
        this.record = record;
        this.voice = voice;
        this.manifest = record.manifest();
        this.cells = ComparedCell.of(List.of(manifest));
    }

    /// The texts of the findings as the command line says them, the most important first.
    public static List<String> of(ExperimentRecord record) {
        return withCharts(record, Voice.COMMAND_LINE).stream().map(Finding::text).toList();
    }

    /// The findings with the charts that show them, the most important first.
    public static List<Finding> withCharts(ExperimentRecord record, Voice voice) {
        return new Findings(record, voice).all();
    }

    private List<Finding> all() {
        InvalidCells invalid = new InvalidCells(record, cells);
        List<Finding> reasons = invalid().stream().map(text -> new Finding(text, QUEUES, ofQueue(invalid))).toList();
        List<Finding> answers = new ArrayList<>(answers(invalid, reasons));
        List<Finding> findings = new ArrayList<>(reasons.stream().filter(each -> !answers.contains(each)).toList());
        failures().map(Finding::of).ifPresent(findings::add);
        if (record.runs().stream().anyMatch(run -> run.manifest().system().syntheticWeights())) {
            findings.add(Finding.of("Synthetic weights: speed and memory are real, answers are not."));
        }
        if (!cells.isEmpty()) {
            findings.addAll(best(Metrics.OUTPUT_THROUGHPUT, "throughput"));
            findings.addAll(best(Metrics.TTFT.p50(), "ttft-p50"));
            warnings().forEach(text -> findings.add(Finding.of(text)));
            severalAtFirst().map(Finding::of).ifPresent(findings::add);
            ServerTables.findings(cells).forEach(text -> findings.add(Finding.of(text)));
        }
        notes().forEach(text -> findings.add(Finding.of(text)));
        tooFewSamples()
                .ifPresent(text -> findings.add(new Finding(text, "Distributions", List.of("ttft-ecdf", "e2e-ecdf"))));
        closedLoop().ifPresent(text -> findings.add(new Finding(text, QUEUES, List.of(QUEUE_CHARTS))));
        Finding first = answers.stream().findFirst().orElse(Finding.of(""));
        return Stream
                .of(Stream.of(new Finding(first.words(), "", first.charts()).behind(end().orElse(""))).filter(
                        each -> !each.text().isEmpty()), answers.stream().skip(1), findings.stream().limit(MOST))
                .flatMap(each -> each).toList();
    }

    /// The answer, behind the names of the INVALID cells; where the others have none, or it is not known which cells those are, a reason first.
    private List<Finding> answers(InvalidCells invalid, List<Finding> reasons) {
        Optional<Finding> headline = Headline.of(manifest, cells).filter(answer -> reasons.isEmpty() || answer.ranks())
                .map(answer -> new Finding(answer.text(), "", ofAnswer()));
        Optional<String> named =
                reasons.isEmpty() || invalid.all().size() == cells.size() ? Optional.empty() : invalid.sentence();
        if (reasons.isEmpty() || (headline.isPresent() && named.isPresent())) {
            return headline.stream().map(answer -> answer.behind(named.orElse(""))).toList();
        }
        return Stream.concat(Stream.of(reasons.getFirst()), headline.stream()).toList();
    }

    /// Where the queue of an INVALID cell is seen to grow.
    private static List<String> ofQueue(InvalidCells invalid) {
        return Stream
                .concat(invalid.all().stream().map(cell -> "requests-in-system-" + (cell.summary().cellIndex() + 1)),
                        Stream.of(QUEUE_CHARTS))
                .toList();
    }

    /// The charts of the answer: of a sweep its curve, else the cells in one plane or their bars.
    private List<String> ofAnswer() {
        boolean objective = DeploymentAnswer.of(cells, List.of(manifest)).isPresent();
        return Stream.concat(objective ? Stream.of("objective-met-sweep") : Stream.empty(), Stream.of("ttft_p50-sweep",
                "ttft_p95-sweep", "output_throughput-sweep", "plane", "throughput", "ttft-ecdf")).toList();
    }

    /// The verdict's warnings in one sentence, and the drift.
    private List<String> warnings() {
        List<Condition> warned = conditions(manifest.verdict(), Verdict.State.WARNING).toList();
        List<String> warnings = new ArrayList<>();
        warned.stream().limit(1)
                .forEach(condition -> warnings.add("Warning: " + condition.name() + ": " + condition.observed() + "."
                        + (warned.size() > 1 ? " The verdict has " + (warned.size() - 1) + " more." : "")));
        drift().ifPresent(warnings::add);
        besideRuns().ifPresent(warnings::add);
        repeatedPrompts(cells, voice).ifPresent(warnings::add);
        return warnings;
    }

    /// Prompts of a file are the same in each run, and a server that keeps running remembers them. Less than a share that could move a mean
    /// by 5 % is not said, and nothing where the server says that it cached no more.
    static Optional<String> repeatedPrompts(List<ComparedCell> cells, Voice voice) {
        List<ComparedCell> known =
                cells.stream().filter(cell -> cell.figure(Metrics.REPEATED_PROMPTS).isPresent()).toList();
        double repeated = sum(known, Metrics.REPEATED_PROMPTS);
        long requests = known.stream().mapToLong(cell -> cell.required(Metrics.REPEATED_PROMPTS).n()).sum();
        boolean counted = known.stream().anyMatch(cell -> cell.figure(Metrics.PREFIX_HIT_RATE).isPresent());
        // Servers that count leave 0 out.
        double hits = sum(known, Metrics.PREFIX_HIT_RATE) / known.stream().mapToInt(ComparedCell::runs).sum();
        return repeated <= REPEATED_SHARE * requests || (counted && hits <= REPEATED_SHARE) ? Optional.empty()
                : Optional.of("Warning: " + FigureText.value(Metric.Unit.COUNT, repeated) + " of "
                        + FigureText.value(Metric.Unit.COUNT, requests)
                        + " requests had a prompt that their server got before."
                        + (counted ? " " + FigureText.percent(hits) + " % of the prompt tokens came from its cache."
                                : "")
                        + " A cache makes later requests faster, and the cell that ran first pays. Give each prompt a line of its own: "
                        + voice.words(new Advice.Setting("vary_prompts: true in the workload", "Vary prompts")) + ".");
    }

    private static double sum(List<ComparedCell> cells, Metric metric) {
        return cells.stream().flatMap(cell -> cell.figure(metric).stream())
                .flatMap(figure -> figure.runValues().stream()).mapToDouble(Double::doubleValue).sum();
    }

    /// What the desktop's window did beside the runs, where it was not brief.
    private Optional<String> besideRuns() {
        List<String> work = record.runs().stream().map(run -> run.manifest().window()).filter(Objects::nonNull)
                .map(WindowUse::disturbanceText).filter(text -> !text.isEmpty()).toList();
        return work.isEmpty() ? Optional.empty()
                : Optional.of("The window worked beside " + work.size() + " of " + record.runs().size()
                        + (record.runs().size() == 1 ? " run: " : " runs: ")
                        + String.join("; ", work.stream().limit(MOST_NAMED).toList())
                        + ". It may have slowed them. Run again without it.");
    }

    /// Coordinated omission: a closed loop asks least while the system is slowest.
    private Optional<String> closedLoop() {
        boolean waits = manifest.times().imported() == null
                && cells.stream().anyMatch(cell -> cell.load().arrivals() instanceof ArrivalProcess.ClosedLoop);
        return waits ? Optional.of(
                "Closed loop: while an answer is awaited its slot sends nothing, so stalls hide in the latencies. Ask for a rate "
                        + voice.words(Advice.Action.RATE) + " for latency under load.")
                : Optional.empty();
    }

    private Optional<String> end() {
        String share = record.runsText() + ".";
        return switch (manifest.status()) {
            case COMPLETE -> record.completeRuns() == record.runs().size() ? Optional.empty() : Optional.of(share);
            case RUNNING -> Optional.of("Still running: " + share);
            case CANCELLED -> Optional.of("Stopped by the user: " + share);
            case INTERRUPTED -> Optional.of("Interrupted, its process ended: " + share);
            case FAILED -> Optional.of("Failed: " + (manifest.failure().isEmpty() ? share : manifest.failure()));
        };
    }

    private static Stream<Condition> conditions(@Nullable Verdict verdict, Verdict.State state) {
        return verdict == null ? Stream.empty()
                : verdict.conditions().stream().filter(condition -> condition.state() == state);
    }

    /// One sentence for each broken condition: those of the runs first, then those of the experiment. Who stops a run knows why it is short.
    private List<String> invalid() {
        List<String> sentences = new ArrayList<>();
        Map<String, List<Condition>> ofRuns = new LinkedHashMap<>();
        List<RunRecord> judged =
                record.runs().stream().filter(run -> run.manifest().status() != RunStatus.CANCELLED).toList();
        judged.forEach(run -> conditions(run.manifest().outcome().verdict(), Verdict.State.BROKEN).forEach(
                condition -> ofRuns.computeIfAbsent(condition.name(), name -> new ArrayList<>()).add(condition)));
        ofRuns.forEach((name, broken) -> sentences.add("Invalid: " + broken.size() + " of " + judged.size()
                + (judged.size() == 1 ? " run " : " runs ") + (broken.size() == 1 ? "does" : "do") + " not meet \""
                + name + "\" (" + broken.getFirst().observed() + "). " + broken.getFirst().remedy()));
        conditions(manifest.verdict(), Verdict.State.BROKEN)
                .filter(condition -> ofRuns.isEmpty() || condition.requirement() != Requirement.ALL_RUNS_VALID)
                .forEach(condition -> sentences.add("Invalid: \"" + condition.name() + "\" is not met ("
                        + condition.observed() + "). " + condition.remedy()));
        int more = sentences.size() - MOST_BROKEN;
        return more <= 0
                ? sentences : Stream
                        .concat(sentences.stream().limit(MOST_BROKEN),
                                Stream.of(more == 1 ? "Invalid: 1 more condition is not met; see the verdict."
                                        : "Invalid: " + more + " more conditions are not met; see the verdict."))
                        .toList();
    }

    /// Over the runs in their order; a cell counts if each of its complete runs has the figure.
    private Optional<String> drift() {
        List<Drift.Point> points = new ArrayList<>();
        List<WorkloadSpec> loads = cells.stream().map(ComparedCell::load).distinct().toList();
        for (ComparedCell cell : cells) {
            List<RunRecord> runs = record.completeRuns(cell.summary().cellIndex());
            List<Double> values = cell.figure(Metrics.OUTPUT_THROUGHPUT).map(CellFigure::runValues).orElse(List.of());
            for (int i = 0; i < values.size() && values.size() == runs.size(); i++) {
                RunIndex index = runs.get(i).manifest().plan().index();
                int load = loads.indexOf(cell.load());
                points.add(new Drift.Point(index.cell(), load, index.repetition(), index.run(), values.get(i)));
            }
        }
        Optional<Drift> found = Drift.of(points);
        boolean varies = points.stream().mapToDouble(Drift.Point::value).distinct().count() > 1;
        if (found.isEmpty() && varies && points.size() > cells.size()) {
            return Optional.of(
                    "Drift over the runs was not judged: " + points.size() + " runs are too few. One cell needs 4.");
        }
        return found.filter(Drift::isWarning)
                .map(drift -> "Warning: output throughput drifted by " + FigureText.signed(drift.change())
                        + " % from the first run to the last (p = " + String.format(Locale.ROOT, "%.3f", drift.pValue())
                        + ", " + drift.runs() + " runs). Let the machine settle and run again.");
    }

    /// Requests whose first event held several tokens: TTFT is the time of all of these.
    private Optional<String> severalAtFirst() {
        long known = 0;
        List<Integer> several = new ArrayList<>();
        for (RunRecord run : record.runs()) {
            RequestColumns requests = run.observations().requests();
            for (int i = 0; i < requests.size(); i++) {
                OptionalInt first = requests.warmUp(i) || !requests.answered(i) ? OptionalInt.empty()
                        : requests.firstEventTokens(i);
                known += first.isPresent() ? 1 : 0;
                first.stream().filter(tokens -> tokens > 1).forEach(several::add);
            }
        }
        Collections.sort(several);
        return several.size() <= LatencyFigures.BUFFERED * known ? Optional.empty()
                : Optional.of("Warning: the first event held several tokens in " + several.size() + " of " + known
                        + " requests (median " + several.get(several.size() / 2)
                        + "). TTFT includes the time of all of them, TPOT leaves them out.");
    }

    /// How the load differs from its file: requests of a trace that were left out or cut.
    private List<String> notes() {
        return record.runs().stream().flatMap(run -> run.events().stream())
                .flatMap(event -> event instanceof RunEvent.Note(long _, Phase phase, String text)
                        && phase == Phase.MEASURE ? Stream.of(text) : Stream.empty())
                .distinct().limit(MOST_NAMED).toList();
    }

    private Optional<String> failures() {
        long measured = 0;
        CellLabels labels = CellLabels.of(manifest);
        Map<String, Long> failed = new LinkedHashMap<>();
        for (RunRecord run : record.runs()) {
            RequestColumns requests = run.observations().requests();
            for (int i = 0; i < requests.size(); i++) {
                if (!requests.warmUp(i)) {
                    measured++;
                    if (!requests.ok(i)) {
                        failed.merge(labels.of(run.manifest().plan()), 1L, Long::sum);
                    }
                }
            }
        }
        if (measured == 0) {
            return reportedFailures();
        }
        long all = failed.values().stream().mapToLong(Long::longValue).sum();
        if (all == 0) {
            return Optional.empty();
        }
        List<String> worst = failed.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_NAMED).map(entry -> entry.getKey() + " " + entry.getValue()).toList();
        String cells = failed.size() < 2 ? ""
                : " (" + String.join(", ", worst) + (failed.size() > MOST_NAMED ? ", ..." : "") + ")";
        RequestColumns requests = RequestColumns
                .joined(record.runs().stream().map(run -> run.observations().requests().measured()).toList());
        return Optional.of(all + " of " + measured + " requests did not succeed: " + FailureReasons.of(requests).text()
                + cells + ". Latencies exclude them.");
    }

    /// Failed requests of imported summaries.
    private Optional<String> reportedFailures() {
        double ok = sum(cells, Metrics.REQUESTS_OK);
        double failed = sum(cells, Metrics.REQUESTS_FAILED);
        return failed == 0 ? Optional.empty() : Optional.of(String.format(Locale.ROOT,
                "%.0f of %.0f requests did not succeed. Latencies exclude them.", failed, ok + failed));
    }

    /// One sentence for each model with several cells under the last load, all of them with an interval. Two cells are compared by the
    /// headline, unless it answers by the SLO.
    ///
    /// @param bars the id of its chart where nothing is swept
    private List<Finding> best(Metric metric, String bars) {
        WorkloadSpec last = cells.getLast().load();
        var groups = ComparedCell.byModelAndLoad(cells.stream()
                .filter(cell -> cell.load().equals(last) && cell.figure(metric).isPresent() && !cell.hasInvalidRuns())
                .toList()).values();
        String load =
                ComparedCell.byLoad(cells).size() > 1 ? " " + LoadNames.of(cells).circumstance(cells.getLast()) : "";
        int least =
                DeploymentAnswer.of(cells, List.of(manifest)).filter(DeploymentAnswer::isServed).isPresent() ? 2 : 3;
        return groups.stream().filter(group -> group.size() >= least)
                .flatMap(group -> BestCell.of(group, metric).map(best -> sentence(best, load)).stream())
                .map(text -> new Finding(text, metric.label(), List.of(metric.id() + "-sweep", bars, "plane")))
                .toList();
    }

    private static String sentence(BestCell best, String load) {
        String subject = best.metric().label() + load + ": " + best.best().name();
        return best.equal().isEmpty()
                ? subject + " is " + (best.metric().better() == Better.HIGHER ? "highest" : "lowest") + " with "
                        + best.value() + best.distance().map(text -> ", " + text).orElse("") + "."
                : subject + " (" + best.value() + ") and "
                        + String.join(", ", best.equal().stream().map(ComparedCell::name).toList())
                        + " do not differ detectably.";
    }

    private Optional<String> tooFewSamples() {
        List<String> labels = TAILS.stream().filter(
                metric -> cells.stream().flatMap(cell -> cell.figure(metric).stream()).anyMatch(CellFigure::isMarked))
                .map(Metric::label).toList();
        return labels.isEmpty() ? Optional.empty()
                : Optional.of("Too few samples for " + String.join(", ", labels) + ": tables show them with n.");
    }

    /// The cells of an experiment that have an INVALID run, in a sentence: few by their names, many by their number.
    static final class InvalidCells {
        private static final int MOST_NAMED = 3;
        private final ExperimentRecord record;
        private final List<ComparedCell> cells;
        private final LoadNames loads;

        /// @param cells of the experiment
        InvalidCells(ExperimentRecord record, List<ComparedCell> cells) {
            this.record = record;
            this.cells = cells;
            this.loads = LoadNames.of(cells);
        }

        /// Those with an INVALID run.
        List<ComparedCell> all() {
            return cells.stream().filter(ComparedCell::hasInvalidRuns).toList();
        }

        /// "Invalid: naive is saturated from 8 req/s."; empty if no cell is.
        Optional<String> sentence() {
            List<ComparedCell> invalid = all();
            if (invalid.isEmpty()) {
                return Optional.empty();
            }
            List<ComparedCell> saturated = invalid.stream().filter(this::isSaturated).toList();
            List<String> clauses = saturated(saturated);
            List<String> others = invalid.stream().filter(cell -> !saturated.contains(cell)).map(this::name).toList();
            String named = clauses.isEmpty() ? String.join(", ", others) : String.join(", ", clauses)
                    + (others.isEmpty() ? "" : "; for other reasons " + String.join(", ", others));
            String counted = invalid.size() + " of " + cells.size() + " cells"
                    + (saturated.isEmpty() ? "" : ", " + saturated.size() + " of them saturated");
            return Optional.of("Invalid: " + (clauses.size() + others.size() > MOST_NAMED ? counted : named) + ".");
        }

        /// Whether the load was not served as fast as asked in at least half of its runs, and no run is INVALID for a reason of the machine.
        private boolean isSaturated(ComparedCell cell) {
            List<RunRecord> invalid = record.runs().stream()
                    .filter(run -> run.manifest().plan().index().cell() == cell.summary().cellIndex())
                    .filter(run -> Optional.ofNullable(run.manifest().outcome().verdict()).map(Verdict::grade)
                            .filter(Verdict.Grade.INVALID::equals).isPresent())
                    .toList();
            return 2 * invalid.size() >= cell.runs() && invalid.stream().allMatch(SloDecision::saturated);
        }

        /// A clause for each candidate: "naive is saturated from 8 req/s" where all higher loads are, too.
        private List<String> saturated(List<ComparedCell> saturated) {
            List<List<ComparedCell>> ascending = loads.ascending(ComparedCell.byLoad(cells).values());
            Map<String, List<ComparedCell>> byName = new LinkedHashMap<>();
            saturated.forEach(cell -> byName.computeIfAbsent(cell.name(), name -> new ArrayList<>()).add(cell));
            List<String> clauses = new ArrayList<>();
            byName.forEach((name, own) -> {
                List<ComparedCell> measured =
                        ascending.stream().flatMap(List::stream).filter(cell -> cell.name().equals(name)).toList();
                int first = measured.size() - own.size();
                if (own.size() > 1 && first >= 0 && own.containsAll(measured.subList(first, measured.size()))) {
                    clauses.add(name + " is saturated from " + loads.of(measured.get(first)));
                } else {
                    own.forEach(cell -> clauses.add(name + " is saturated " + loads.circumstance(cell)));
                }
            });
            return clauses;
        }

        private String name(ComparedCell cell) {
            return ComparedCell.byLoad(cells).size() == 1 ? cell.label() : cell.name() + " " + loads.circumstance(cell);
        }
    }
}
