package org.inferometer.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.measurement.FailureReasons;
import org.inferometer.measurement.LoadProfile;
import org.inferometer.measurement.LoadProfile.Lengths;
import org.inferometer.measurement.RepeatedPrompts;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric.Unit;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunRecord;
import org.inferometer.report.SlowRequest.SlowRequestRules;
import org.inferometer.results.exchange.ReportedArrivals;
import org.inferometer.units.LetterCase;
import org.inferometer.units.OneLine;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.EarlyEnd;
import org.inferometer.workload.Sessions;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// What the load of a result was, by cell, and its slowest requests. Measured requests only.
///
/// @param slowestBy the figure that ranks the slowest requests
/// @param ranked ok requests that have it
/// @param notes of the reader
public record LoadReport(String experiment, List<CellLoad> cells, String slowestBy, long ranked,
        List<SlowRequest> slowest, List<String> notes) {
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final String INTENDED = "intended send times";
    private static final String HISTOGRAM = "HISTOGRAM: requests in ten bins of equal width from min to max.";

    /// The load of one cell.
    ///
    /// @param runs numbers of its runs in execution order
    /// @param askedArrivals as in experiment files; absent if an imported file does not contain it
    /// @param askedSessions turns and think time; absent without sessions
    /// @param askedEnds what ends answers before their length; absent if an imported file does not contain it
    /// @param repeatedPrompts requests with a prompt that their server got before; absent where that is not known
    /// @param profile from the records
    /// @param notRecorded values that no request of the cell has
    public record CellLoad(String cell, List<Integer> runs, @Nullable String askedArrivals,
            @Nullable Sessions askedSessions, @Nullable EarlyEnd askedEnds, @Nullable Long repeatedPrompts,
            LoadProfile profile, List<String> notRecorded) {}

    /// The report of a result, or of some of its runs.
    ///
    /// @param all runs of the result
    public static LoadReport of(ExperimentRecord experiment, List<RunRecord> all) {
        Map<Integer, List<RunRecord>> byCell = experiment.runs().stream().collect(
                Collectors.groupingBy(run -> run.manifest().plan().index().cell(), TreeMap::new, Collectors.toList()));
        boolean imported = experiment.manifest().times().imported() != null;
        List<CellLoad> cells = new ArrayList<>();
        Map<Integer, Figure> repeated = RepeatedPrompts.of(all);
        byCell.values().forEach(runs -> cells.add(cell(experiment, runs, imported, repeated)));
        long ranked = experiment.runs().stream().flatMap(run -> run.observations().requests().stream())
                .filter(SlowRequest::hasE2e).count();
        return new LoadReport(experiment.manifest().id(), List.copyOf(cells), "e2e", ranked,
                SlowRequest.of(experiment.runs(), all), experiment.allNotes());
    }

    private static CellLoad cell(ExperimentRecord experiment, List<RunRecord> runs, boolean imported,
            Map<Integer, Figure> repeated) {
        Cell cell = runs.getFirst().manifest().plan().cell();
        WorkloadSpec load = cell.workload();
        String arrivals = (imported ? ReportedArrivals.in(load) : Optional.of(load.arrivals())).map(Object::toString)
                .orElse(null);
        List<Integer> numbers = runs.stream().map(run -> run.manifest().plan().index().run()).sorted().toList();
        List<Figure> again = numbers.stream().flatMap(run -> Stream.ofNullable(repeated.get(run))).toList();
        return new CellLoad(experiment.manifest().spec().label(cell), numbers, arrivals, load.refinements().sessions(),
                imported ? null : load.refinements().earlyEnd(),
                again.isEmpty() ? null : again.stream().mapToLong(figure -> (long) figure.value()).sum(),
                LoadProfile.of(runs.stream().map(RunRecord::observations).toList(),
                        imported ? Optional.empty() : Optional.of(load)),
                notRecorded(runs, imported));
    }

    private static List<String> notRecorded(List<RunRecord> runs, boolean imported) {
        RequestColumns measured =
                RequestColumns.joined(runs.stream().map(run -> run.observations().requests().measured()).toList());
        Map<String, IntPredicate> values = new LinkedHashMap<>();
        values.put(INTENDED, i -> measured.intendedNanos(i) != RequestOutcome.ABSENT);
        values.put("send times", i -> measured.sentNanos(i) != RequestOutcome.ABSENT);
        values.put("queue", i -> measured.admittedNanos(i) != RequestOutcome.ABSENT);
        values.put("prompt lengths as asked", i -> measured.askedPromptTokens(i) > 0);
        values.put("output lengths as asked", i -> !imported);
        values.put("times of tokens", i -> measured.events(i) > 0);
        return measured.isEmpty() ? List.of("single requests") : values.entrySet().stream()

                .filter(value -> IntStream.range(0, measured.size()).noneMatch(value.getValue())).map(Map.Entry::getKey)
                .toList();
    }

    /// The report as plain text; ends with a line feed.
    public String text(int lineWidth) {
        StringBuilder out = new StringBuilder();
        cells.forEach(cell -> out.append(text(cell, lineWidth)).append('\n'));
        if (cells.stream().flatMap(cell -> Stream.of(cell.profile().promptTokens(), cell.profile().outputTokens()))
                .anyMatch(lengths -> lengths != null && lengths.histogram().size() > 1)) {
            out.append(AlignedColumns.paragraph(HISTOGRAM, "", lineWidth)).append('\n');
        }
        out.append(cells.isEmpty() ? "The result has no readable run.\n" : slowestText(lineWidth))
                .append(notes.isEmpty() ? "" : "\nNotes\n");
        notes.forEach(note -> out.append(AlignedColumns.paragraph(note, "  ", lineWidth)));
        return out.toString();
    }

    private static String text(CellLoad cell, int lineWidth) {
        LoadProfile profile = cell.profile();
        int runs = cell.runs().size();
        String size = (runs == 1 ? "run " + cell.runs().getFirst() : runs + " runs")
                + (profile.seconds() == null ? "" : String.format(Locale.ROOT, ", %.2f s", profile.seconds()));
        AlignedColumns facts = new AlignedColumns("", "");
        if (profile.runs() > 0) {
            facts.row("  Requests", ends(profile.ends()));
            if (!profile.ends().reasons().isEmpty()) {
                facts.row("  Not completed", reasons(profile.ends().reasons()));
            }
            ends(cell).ifPresent(ends -> facts.row("  Answers", ends));
            facts.row("  Arrivals", arrivals(cell));
            gaps(profile.arrivals()).ifPresent(gaps -> facts.row("  Gaps between sends", gaps));
            sessions(cell).ifPresent(sessions -> facts.row("  Sessions", sessions));
            facts.row("  Shared prefix", prefix(profile));
            if (cell.repeatedPrompts() != null) {
                facts.row("  Repeated prompts",
                        count(cell.repeatedPrompts()) + " of " + count(profile.ends().requests())
                                + " requests had a prompt that their server got before in this experiment");
            }
        }
        if (!cell.notRecorded().isEmpty()) {
            facts.row("  Not recorded", String.join(", ", cell.notRecorded()));
        }
        return AlignedColumns.paragraph(cell.cell() + " (" + size + ")", "", lineWidth) + facts.render(lineWidth)
                + lengths(profile, lineWidth);
    }

    private static String ends(LoadProfile.Ends ends) {
        String shorter = ends.shortAnswers() == 0 ? ""
                : " (" + count(ends.shortAnswers()) + " with fewer output tokens than asked)";
        if (ends.ok() == ends.requests()) {
            return count(ends.requests()) + ", all ok" + shorter;
        }
        Stream<Map.Entry<String, Long>> others = Stream.of(Map.entry("failed", ends.failed()),
                Map.entry("timed out", ends.timedOut()), Map.entry("refused", ends.refused()),
                Map.entry("given up", ends.gaveUp()), Map.entry("cancelled", ends.cancelled()),
                Map.entry("not sent (an earlier turn ended the session)", ends.notSent()));
        return count(ends.requests()) + ": " + count(ends.ok()) + " ok" + shorter
                + others.filter(each -> each.getValue() > 0)
                        .map(each -> ", " + count(each.getValue()) + " " + each.getKey()).collect(Collectors.joining());
    }

    private static Optional<String> ends(CellLoad cell) {
        return Optional.ofNullable(cell.askedEnds())
                .map(ends -> ends.isNone() ? "as many tokens as asked; the model's end of sequence is ignored"
                        : "end at " + ends.text() + ", or at the length asked");
    }

    private static String reasons(Map<String, Long> reasons) {
        return OneLine.of(new FailureReasons(reasons).text());
    }

    private static String arrivals(CellLoad cell) {
        LoadProfile.Arrivals arrivals = cell.profile().arrivals();
        List<String> parts = new ArrayList<>();
        parts.add(cell.askedArrivals() == null ? "asked arrivals not in the file"
                : "asked: " + ArrivalText.of(ArrivalProcess.parse(cell.askedArrivals())));
        if (arrivals.requestsPerSecond() != null) {
            parts.add("sent " + QuantityText.significant(arrivals.requestsPerSecond()) + " req/s");
        }
        if (arrivals.mostInFlight() != null) {
            parts.add("at most " + count(arrivals.mostInFlight()) + " in flight");
        }
        return String.join("; ", parts);
    }

    private static Optional<String> gaps(LoadProfile.Arrivals arrivals) {
        if (arrivals.gapP50Millis() == null || arrivals.gapP95Millis() == null) {
            return Optional.empty();
        }
        return Optional.of("P50 " + QuantityText.latency(arrivals.gapP50Millis() * 1e6) + ", P95 "
                + QuantityText.latency(arrivals.gapP95Millis() * 1e6)
                + (arrivals.gapVariation() == null ? ""
                        : String.format(Locale.ROOT, ", coefficient of variation %.2f", arrivals.gapVariation()))
                + " (n = " + count(arrivals.gaps()) + ")");
    }

    private static Optional<String> sessions(CellLoad cell) {
        return Optional.ofNullable(cell.askedSessions()).map(sessions -> "asked " + sessions.turns()
                + " turns, think time " + sessions.think() + "; which request is which turn is not recorded");
    }

    private static String prefix(LoadProfile profile) {
        Double share = profile.sharedPrefixShare();
        String shared = share == null ? "not known" : share == 0 ? "none; prompts are drawn independently"
                : FigureText.percent(share) + " % of prompt tokens";
        Double hits = profile.prefixHitRate();
        return hits == null || (hits == 0 && share != null && share == 0) ? shared
                : shared + "; prefix cache hits " + FigureText.percent(hits) + " % of prompt tokens";
    }

    private static String lengths(LoadProfile profile, int lineWidth) {
        AlignedColumns table =
                new AlignedColumns("  TOKENS", "N>", "SUM>", "MIN>", "P50>", "MEAN>", "P95>", "MAX>", "HISTOGRAM");
        row(table, "prompt", profile.askedPromptTokens(), profile.promptTokens());
        row(table, "output", profile.askedOutputTokens(), profile.outputTokens());
        return table.isEmpty() ? "" : table.render(lineWidth);
    }

    /// One row if all lengths are as asked.
    private static void row(AlignedColumns table, String name, @Nullable Lengths asked, @Nullable Lengths received) {
        if (asked != null && !asked.equals(received)) {
            row(table, name + " asked", asked);
        }
        if (received != null) {
            row(table, name + (asked == null ? "" : asked.equals(received) ? " (as asked)" : " received"), received);
        }
    }

    private static void row(AlignedColumns table, String name, Lengths lengths) {
        int most = Collections.max(lengths.histogram());
        String bars = lengths.histogram().size() == 1 ? "all equal"
                : lengths.histogram().stream().map(
                        count -> count == 0 ? " " : BARS.substring((count * BARS.length() - 1) / most).substring(0, 1))
                        .collect(Collectors.joining());
        table.row("  " + name, count(lengths.n()), count(lengths.total()), count(lengths.min()),
                FigureText.value(Unit.COUNT, lengths.p50()), FigureText.value(Unit.COUNT, lengths.mean()),
                FigureText.value(Unit.COUNT, lengths.p95()), count(lengths.max()), bars);
    }

    private String slowestText(int lineWidth) {
        if (slowest.isEmpty()) {
            return cells.stream().allMatch(cell -> cell.profile().runs() == 0)
                    ? "Without single requests there are no lengths, arrivals and slowest requests.\n"
                    : "No ok request with an E2E latency is recorded.\n";
        }
        String title = ranked == 1 ? "The only ok request"
                : ranked <= SlowRequest.LISTED ? "All " + ranked + " ok requests, the slowest first"
                : "The " + SlowRequest.LISTED + " slowest of " + count(ranked) + " ok requests";
        AlignedColumns table = new AlignedColumns("RUN>", "REQUEST>", "AT s>", "PROMPT>", "OUTPUT>", "QUEUE ms>",
                "TTFT ms>", "TPOT ms>", "GAP MAX ms>", "E2E ms>", "E2E/P50>");
        slowest.forEach(each -> table.row(Integer.toString(each.run()), Integer.toString(each.request()),
                decimals(each.atSeconds()), Integer.toString(each.promptTokens()),
                Integer.toString(each.outputTokens()), decimals(each.queueMillis()), decimals(each.ttftMillis()),
                decimals(each.tpotMillis()), decimals(each.longestGapMillis()), decimals(each.e2eMillis()),
                decimals(each.e2eToMedian())));
        List<String> lines = table.render(lineWidth).lines().toList();
        StringBuilder out = new StringBuilder();
        out.append(AlignedColumns.paragraph(title + ", by E2E latency", "", lineWidth)).append(lines.getFirst())
                .append('\n');
        Set<List<String>> told = new HashSet<>();
        for (int i = 0; i < slowest.size(); i++) {
            SlowRequest request = slowest.get(i);
            List<String> cause =
                    request.reasons().isEmpty() ? List.of(SlowRequestRules.unexplained(request.e2eToMedian()))
                            : request.reasons().stream().map(SlowRequest.Reason::rule).toList();
            out.append(lines.get(i + 1)).append('\n').append(AlignedColumns
                    .paragraph(told.add(cause) ? request.why() : again(request, cause), "     ", lineWidth));
        }
        return out.append(AlignedColumns.paragraph(
                "AT: when it was due, since measuring began. GAP MAX: longest time "
                        + "between two outputs. E2E/P50: over the median of its run. \"–\": not recorded."
                        + (cells.stream().anyMatch(cell -> cell.notRecorded().contains(INTENDED))
                                ? " Without intended send times, AT, TTFT and E2E count from sending." : ""),
                "", lineWidth)).toString();
    }

    /// A cause that an earlier request has too: "Slow first token (50 % of E2E)."
    private static String again(SlowRequest request, List<String> cause) {
        String text = request.reasons().isEmpty() ? cause.getFirst() : request.reasons().stream().map(
                reason -> String.format(Locale.ROOT, "%s (%.0f %% of E2E)", reason.rule(), 100 * reason.shareOfE2e()))
                .collect(Collectors.joining(", "));
        return LetterCase.capitalized(text) + ".";
    }

    private static String decimals(@Nullable Double value) {
        return value == null ? FigureText.NOT_APPLICABLE
                : String.format(Locale.ROOT, value < 10_000 ? "%.2f" : "%.0f", value);
    }

    private static String count(long count) {
        return FigureText.value(Unit.COUNT, count);
    }
}
