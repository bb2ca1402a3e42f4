package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;
import org.inferometer.measurement.comparison.Margin;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ComparisonCharts;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.GateResult;
import org.inferometer.report.compare.GateResult.GateRules;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.compare.SideNames;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.results.ComparedChoice.ComparedResult;
import org.jspecify.annotations.Nullable;

/// Compares two or more results over runs and checks margins. Belongs to the UI thread; records are read in the background, and
/// the latest selection wins.
public final class ComparisonViewModel {
    /// Candidates besides the first: eight results in all.
    static final int MOST_MORE = 6;
    /// Reading more takes seconds.
    private static final long LARGE_REQUESTS = 20_000;
    private final ResultTools results;
    private final LatestWork work;
    private final Predicate<Path> knownByName;
    private final ComparedChoice base = new ComparedChoice();
    private final ComparedChoice candidate = new ComparedChoice();
    private final ObservableList<ResultRow> more = FXCollections.observableArrayList();
    private final BooleanProperty anyway = new SimpleBooleanProperty();
    private final BooleanProperty strict = new SimpleBooleanProperty();
    private final ObjectProperty<List<Margin>> margins =
            new SimpleObjectProperty<>(margins(GateRules.STANDARD_MARGINS));
    private final ReadOnlyStringWrapper marginsFault = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper open = new ReadOnlyBooleanWrapper();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private final ReadOnlyObjectWrapper<@Nullable ComparisonOutcome> reading = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyStringWrapper title = new ReadOnlyStringWrapper("");
    private final Map<Path, ComparedResult> read = new HashMap<>();
    private boolean choosing;

    /// @param results reads the records
    /// @param knownByName whether a command finds a result by its folder name
    public ComparisonViewModel(ResultTools results, BackgroundWork work, Predicate<Path> knownByName) {
        this.knownByName = knownByName;
        this.results = results;
        this.work = new LatestWork(work);
        for (ComparedChoice side : List.of(base, candidate)) {
            side.result().addListener((observed, before, now) -> side.part().set(ComparedResult.ResultPart.WHOLE));
            side.result().addListener((observed, before, now) -> compare());
            side.part().addListener((observed, before, now) -> compare());
        }
        more.addListener((ListChangeListener<ResultRow>) change -> compare());
        title.bind(Bindings.createStringBinding(this::currentTitle, open, reading));
        anyway.addListener((observed, before, now) -> compare());
        margins.addListener((observed, before, now) -> compare());
    }

    private String currentTitle() {
        ComparisonOutcome outcome = reading.get();
        return !open.get() ? ""
                : Optional.ofNullable(outcome).flatMap(ComparisonOutcome::title).orElse(text("compare.title"));
    }

    /// Shows the comparison of two results; a missing one is chosen by the user.
    void open(@Nullable ResultRow against, @Nullable ResultRow compared) {
        open(against, compared, List.of());
    }

    /// Shows the comparison of a base with several results, of which at most [#MOST_MORE] more are taken.
    void open(@Nullable ResultRow against, @Nullable ResultRow compared, List<ResultRow> further) {
        choosing = true;
        anyway.set(false);
        base.choose(against);
        candidate.choose(compared);
        more.setAll(further.stream().limit(MOST_MORE).toList());
        choosing = false;
        open.set(true);
        compare();
    }

    /// A result and a part of it.
    ///
    /// @param part as after # on a command line; empty for the whole result
    public record Side(ResultRow row, String part) {}

    /// Shows a comparison as it was saved.
    ///
    /// @param sides two or more, the base first
    public void open(List<Side> sides, boolean ranked) {
        choosing = true;
        anyway.set(ranked);
        for (int i = 0; i < 2; i++) {
            ComparedChoice choice = i == 0 ? base : candidate;
            Side side = sides.get(i);
            choice.choose(side.row());
            if (!side.part().isEmpty()) {
                choice.part().set(new ComparedResult.ResultPart(side.part(), "#" + side.part()));
            }
        }
        more.setAll(sides.stream().skip(2).map(Side::row).limit(MOST_MORE).toList());
        choosing = false;
        open.set(true);
        compare();
    }

    /// The sides of the open comparison, the base first; empty until both are selected.
    List<Side> shown() {
        ResultRow against = base.result().get();
        ResultRow compared = candidate.result().get();
        if (!open.get() || against == null || compared == null) {
            return List.of();
        }
        List<Side> sides = new ArrayList<>(
                List.of(new Side(against, base.part().get().id()), new Side(compared, candidate.part().get().id())));
        furtherResults().forEach(row -> sides.add(new Side(row, "")));
        return sides;
    }

    /// The same by folder.
    public List<ShownResults.ComparedPart> parts() {
        return shown().stream().map(
                side -> new ShownResults.ComparedPart(side.row().folder().toAbsolutePath().normalize(), side.part()))
                .toList();
    }

    /// Ends the comparison and releases the records.
    public void close() {
        work.cancel();
        open.set(false);
        reading.set(null);
        read.clear();
    }

    /// Swaps base and candidate.
    void swap() {
        choosing = true;
        ResultRow before = base.result().get();
        ComparedResult.ResultPart part = base.part().get();
        base.choose(candidate.result().get());
        base.part().set(candidate.part().get());
        candidate.choose(before);
        candidate.part().set(part);
        choosing = false;
        compare();
    }

    /// Sets margins from text, "output_throughput=5%, e2e_p95=20ms". Invalid text changes nothing but the fault.
    void typeMargins(String typed) {
        try {
            margins.set(margins(typed));
            marginsFault.set("");
        } catch (IllegalArgumentException e) {
            marginsFault.set(String.valueOf(e.getMessage()));
        }
    }

    private static List<Margin> margins(String typed) {
        List<Margin> parsed = new ArrayList<>();
        for (String each : typed.strip().split(",")) {
            parsed.add(Margin.parse(each.strip()));
        }
        return List.copyOf(parsed);
    }

    /// The commands that print the same; empty until both sides are selected.
    Optional<String> command() {
        return sides().map(sides -> {
            StringBuilder gate = new StringBuilder("./inferometer gate " + sides);
            margins.get().forEach(margin -> gate.append(" --margin ").append(margin.written()));
            return "./inferometer compare " + sides + "\n" + gate + (strict.get() ? " --strict" : "");
        });
    }

    /// The command that prints the comparison; empty until both sides are selected.
    Optional<String> compareCommand() {
        return sides().map(sides -> "inferometer compare " + sides);
    }

    private Optional<String> sides() {
        return base
                .argument(
                        knownByName)
                .flatMap(
                        against -> candidate.argument(knownByName)
                                .map(compared -> Stream
                                        .concat(Stream.of(against, compared),
                                                furtherResults().stream()
                                                        .map(row -> ComparedChoice.argument(row, knownByName)))
                                        .collect(Collectors.joining(" ", "", anyway.get() ? " --anyway" : ""))));
    }

    private void compare() {
        ResultRow against = base.result().get();
        ResultRow compared = candidate.result().get();
        if (choosing || !open.get()) {
            return;
        }
        problem.set("");
        if (against == null || compared == null) {
            work.cancel();
            reading.set(null);
            return;
        }
        Map<Path, ComparedResult> known = Map.copyOf(read);
        Question question = new Question(against, base.part().get(), compared, candidate.part().get(), furtherResults(),
                anyway.get(), margins.get());
        work.run(question.kind(), () -> answer(question, known), answer -> show(question, answer), failure -> {
            reading.set(null);
            problem.set(ErrorText.sentence(failure));
        });
    }

    /// The further candidates without the first.
    private List<ResultRow> furtherResults() {
        ResultRow first = candidate.result().get();
        return more.stream().filter(row -> first == null || !row.folder().equals(first.folder())).toList();
    }

    private record Question(ResultRow base, ComparedResult.ResultPart basePart, ResultRow candidate,
            ComparedResult.ResultPart candidatePart, List<ResultRow> more, boolean anyway, List<Margin> margins) {
        WindowWork kind() {
            long requests = Stream.concat(Stream.of(base, candidate), more.stream()).distinct()
                    .mapToLong(ResultRow::requests).sum();
            return requests > LARGE_REQUESTS ? WindowWork.LARGE_COMPARISON : WindowWork.COMPARISON;
        }
    }

    /// @param read all records by folder
    private record Answer(ComparedResult base, ComparedResult candidate, Map<Path, ComparedResult> read,
            ComparisonOutcome reading) {}

    private Answer answer(Question question, Map<Path, ComparedResult> known) throws IOException {
        Map<Path, ComparedResult> all = new HashMap<>(known);
        ComparedResult against = read(question.base().folder(), all);
        ComparedResult compared = read(question.candidate().folder(), all);
        List<ComparedSide> bases = sides(against, question.basePart());
        List<List<ComparedSide>> candidates = new ArrayList<>(List.of(sides(compared, question.candidatePart())));
        for (ResultRow row : question.more()) {
            candidates.add(sides(read(row.folder(), all), ComparedResult.ResultPart.WHOLE));
        }
        ResultComparison comparison = ResultComparison.of(bases, candidates, question.anyway(), results.variation());
        List<String> names = bases.stream().map(ComparedSide::name).toList();
        GateResult gate = GateResult.of(bases,
                candidates.stream().flatMap(List::stream).filter(side -> !names.contains(side.name())).toList(),
                rules(question.margins()), results.variation());
        String unjudged = "";
        if (gate.checks().isEmpty()) {
            unjudged = gate.remarks().isEmpty() ? text("gate.nothing")
                    : text("gate.nothing-because", String.join(" ", gate.remarks()));
        } else if (!gate.differences().isEmpty() && !question.anyway()) {
            unjudged = text("gate.not-comparable");
        }
        return new Answer(against, compared, all, new ComparisonOutcome(comparison,
                new ComparisonCharts(comparison, all.values().stream().map(ComparedResult::record).toList()).all(),
                unjudged.isEmpty() ? Optional.of(gate) : Optional.empty(), unjudged));
    }

    /// A metric of the standard margins may be missing on both sides.
    private static GateRules rules(List<Margin> margins) {
        return new GateRules(margins, margins.equals(margins(GateRules.STANDARD_MARGINS)), List.of());
    }

    /// Keeps what it reads.
    private ComparedResult read(Path folder, Map<Path, ComparedResult> known) throws IOException {
        ComparedResult there = known.get(folder);
        if (there == null) {
            there = ComparedResult.of(results.open(folder));
            known.put(folder, there);
        }
        return there;
    }

    private static List<ComparedSide> sides(ComparedResult result, ComparedResult.ResultPart part) throws IOException {
        List<ComparedSide> sides = result.sides(part);
        if (sides.isEmpty()) {
            throw new IOException(text("compare.no-run", result.record().manifest().id()));
        }
        return sides;
    }

    private void show(Question question, Answer answer) {
        Set<Path> shown = new HashSet<>(question.more().stream().map(ResultRow::folder).toList());
        shown.addAll(List.of(question.base().folder(), question.candidate().folder()));
        read.clear();
        read.putAll(answer.read());
        read.keySet().retainAll(shown);
        choosing = true;
        base.offer(answer.base().parts());
        candidate.offer(answer.candidate().parts());
        choosing = false;
        reading.set(answer.reading());
    }

    ComparedChoice base() {
        return base;
    }

    ComparedChoice candidate() {
        return candidate;
    }

    /// Further candidates with all their cells, at most [#MOST_MORE].
    ObservableList<ResultRow> more() {
        return more;
    }

    /// Whether results that are not comparable are ranked anyway.
    public BooleanProperty anyway() {
        return anyway;
    }

    /// Whether undecided checks fail.
    BooleanProperty strict() {
        return strict;
    }

    ReadOnlyObjectProperty<List<Margin>> margins() {
        return margins;
    }

    /// Why the last text was invalid, or empty.
    ReadOnlyStringProperty marginsFault() {
        return marginsFault.getReadOnlyProperty();
    }

    /// "INT4 against FP8" or "Comparison"; empty while none is open.
    public ReadOnlyStringProperty title() {
        return title.getReadOnlyProperty();
    }

    /// Whether a comparison is open.
    public ReadOnlyBooleanProperty opened() {
        return open.getReadOnlyProperty();
    }

    /// Whether records are being read or compared.
    public ReadOnlyBooleanProperty comparing() {
        return work.running();
    }

    /// The error, or empty.
    public ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// The outcome, or null.
    ReadOnlyObjectProperty<@Nullable ComparisonOutcome> reading() {
        return reading.getReadOnlyProperty();
    }

    /// The comparison of two results.
    ///
    /// @param charts the most important first
    /// @param gate empty when nothing can be checked
    /// @param unjudged why there is no gate result; empty otherwise
    record ComparisonOutcome(ResultComparison comparison, List<ChartData> charts, Optional<GateResult> gate,
            String unjudged) {
        /// "INT4 against FP8"; empty without pairs.
        Optional<String> title() {
            return comparison.pairs().isEmpty() ? Optional.empty() : Optional.of(SideNames.title(comparison.pairs()));
        }
    }
}
