package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Field;
import org.inferometer.experiment.FieldType;
import org.inferometer.experiment.LoadGrid;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.experiment.WorkloadFields;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// The workload of the form: preset, lengths, arrivals and request count.
public final class WorkloadViewModel {
    /// Name of a workload with lengths of no preset.
    public static final String CUSTOM = "custom";

    private static final int SHOWN_VALUES = 6;

    private final List<WorkloadSpec> presets;
    private final StringProperty preset = new SimpleStringProperty("");
    private final FieldViewModel<LengthDistribution> promptTokens;
    private final FieldViewModel<LengthDistribution> outputTokens;
    private final ObjectProperty<@Nullable Measure> arrivals = new SimpleObjectProperty<>(Measure.CONCURRENCY);
    private final Map<Measure, FieldViewModel<LoadSweep>> strengths =
            new EnumMap<>(Map.of(Measure.CONCURRENCY, strengths(ExperimentFields.CONCURRENCY, Measure.CONCURRENCY, "8"),
                    Measure.RATE, strengths(ExperimentFields.RATE, Measure.RATE, "4")));
    private final FieldViewModel<List<Integer>> requests =
            FieldViewModel.of(ExperimentFields.REQUESTS, text("designer.no-count"), "32", this::counts,
                    counts -> echo(counts.stream().map(String::valueOf).toList(), ExperimentFields.REQUESTS));
    private final FieldViewModel<ArrivalProcess> otherArrivals = FieldViewModel.of(WorkloadFields.ARRIVALS, "",
            typed -> WorkloadFields.ARRIVALS.parse(typed).getFirst(), ArrivalProcess::toString);
    private final WorkloadDetails details = new WorkloadDetails();
    private WorkloadSpec base;
    private List<WorkloadSpec> loaded = List.of();
    private Optional<List<WorkloadSpec>> shown = Optional.empty();
    private Runnable changed = () -> {};
    private boolean loading;

    /// @param presets at least one
    public WorkloadViewModel(List<WorkloadSpec> presets) {
        this.presets = List.copyOf(presets);
        base = presets.getFirst();
        promptTokens = lengths(WorkloadFields.PROMPT_TOKENS, base.promptTokens());
        outputTokens = lengths(WorkloadFields.OUTPUT_TOKENS, base.outputTokens());
        load(base);
        preset.addListener((observed, before, now) -> choose(now));
        arrivals.addListener((observed, before, now) -> touched());
        Stream.of(strengths.values().stream(), Stream.of(promptTokens, outputTokens, otherArrivals, requests),
                details.fields().stream()).flatMap(each -> each)
                .forEach(field -> field.text().addListener((observed, before, now) -> touched()));
    }

    private static FieldViewModel<LoadSweep> strengths(Field<ExperimentSpec, ?> field, Measure measure, String first) {
        return FieldViewModel.of(field, first, typed -> LoadSweep.parse(measure, typed),
                sweep -> echo(sweep.values().stream().map(FieldType::plain).toList(), field));
    }

    private static FieldViewModel<LengthDistribution> lengths(Field<WorkloadSpec, LengthDistribution> field,
            LengthDistribution first) {
        return FieldViewModel.of(field, first.toString(), typed -> field.parse(typed).getFirst(),
                drawn -> switch (drawn) {
                    case LengthDistribution.FixedLength(int tokens) -> text("lengths.fixed", tokens);
                    case LengthDistribution.UniformLength(int min, int max) -> text("lengths.uniform", min, max);
                    case LengthDistribution.LognormalLength(double median, double ignored, int min, int max) ->
                        text("lengths.lognormal", FieldType.plain(median), min, max);
                });
    }

    /// Numbers of requests; none where a file or the clock ends the load.
    private List<Integer> counts(String typed) {
        return typed.isBlank() && (base.countIsOpen() || details.timed()) ? List.of()
                : ExperimentFields.REQUESTS.parse(typed);
    }

    /// The values with their unit, at most six of them.
    private static String echo(List<String> values, Field<ExperimentSpec, ?> field) {
        String unit = field.type().unit();
        String shown = values.size() <= SHOWN_VALUES ? String.join(", ", values)
                : String.join(", ", values.subList(0, SHOWN_VALUES - 2)) + ", … " + values.getLast();
        return values.isEmpty() ? "" : values.size() == 1 ? shown + " " + unit
                : text("field.several-loads", values.size(), shown, unit);
    }

    /// Fills the form from the workloads of an experiment. The form shows one shape; others stay as they are until its
    /// fields are changed.
    public void load(List<WorkloadSpec> specs) {
        Optional<LoadGrid> grid = LoadGrid.of(specs).filter(each -> each.bases().size() == 1);
        load(grid.map(each -> each.bases().getFirst()).orElse(specs.getFirst()));
        grid.ifPresent(each -> {
            requests.text().set(each.counts().stream().filter(count -> count > 0).map(String::valueOf)
                    .collect(Collectors.joining(", ")));
            each.sweep().ifPresent(sweep -> strength(sweep.measure()).text()
                    .set(sweep.range().orElse(sweep.list().replace(",", ", "))));
        });
        loaded = specs;
        shown = made();
    }

    /// Fills the form from a workload.
    public void load(WorkloadSpec spec) {
        loading = true;
        base = spec;
        preset.set(spec.name());
        promptTokens.text().set(spec.promptTokens().toString());
        outputTokens.text().set(spec.outputTokens().toString());
        requests.text().set(spec.requests() == 0 ? "" : Integer.toString(spec.requests()));
        details.load(spec);
        arrivals.set(null);
        otherArrivals.text().set(spec.arrivals().toString());
        strengths.forEach((measure, field) -> measure.of(spec.arrivals()).ifPresent(strength -> {
            arrivals.set(measure);
            field.text().set(FieldType.plain(strength));
        }));
        loading = false;
        changed.run();
    }

    /// The workloads, when nothing is wrong: as they were loaded while the fields are unchanged; else one for each number of
    /// requests and each strength, "custom" where the lengths are not the preset's.
    public Optional<List<WorkloadSpec>> specs() {
        Optional<List<WorkloadSpec>> made = made();
        return made.isPresent() && unchanged() ? Optional.of(loaded) : made;
    }

    /// Whether the fields are as they were filled from an experiment.
    public boolean unchanged() {
        return !loaded.isEmpty() && made().equals(shown);
    }

    private Optional<List<WorkloadSpec>> made() {
        return promptTokens.value().flatMap(prompt -> outputTokens.value().flatMap(output -> requests.value().flatMap(
                counts -> details.in(base).map(load -> counts.isEmpty() ? load.withRequests(0) : load).flatMap(load -> {
                    boolean asPreset = prompt.equals(base.promptTokens()) && output.equals(base.outputTokens());
                    return arriving(load.withName(asPreset ? base.name() : CUSTOM).withLengths(prompt, output), counts);
                }))));
    }

    private Optional<List<WorkloadSpec>> arriving(WorkloadSpec named, List<Integer> counts) {
        if (arrivals.get() == null) {
            return otherArrivals.value().map(process -> LoadGrid.counted(List.of(named.withArrivals(process)), counts));
        }
        return strengths().map(
                sweep -> new LoadGrid(List.of(named.withArrivals(sweep.measure().arrivals(sweep.values().getFirst()))),
                        counts, Optional.of(sweep).filter(rising -> rising.values().size() > 1)).specs());
    }

    /// Whether there are several loads and one request count.
    public boolean risesAlone() {
        return requests.value().filter(counts -> counts.size() == 1).isPresent()
                && strengths().filter(sweep -> sweep.values().size() > 1).isPresent();
    }

    /// The loads; empty while invalid, and for arrivals without fields.
    private Optional<LoadSweep> strengths() {
        return Optional.ofNullable(arrivals.get()).flatMap(measure -> strength(measure).value());
    }

    /// The fields in use.
    public List<FieldViewModel<?>> activeFields() {
        Measure measure = arrivals.get();
        return Stream.concat(
                Stream.of(promptTokens, outputTokens, measure == null ? otherArrivals : strength(measure), requests),
                details.fields().stream()).toList();
    }

    /// Notifies one listener of every change.
    public void onChange(Runnable listener) {
        changed = listener;
    }

    public List<String> presetNames() {
        return presets.stream().map(WorkloadSpec::name).toList();
    }

    /// Name of the preset; setting another one fills the lengths.
    public StringProperty preset() {
        return preset;
    }

    /// Prompt lengths.
    public FieldViewModel<LengthDistribution> promptTokens() {
        return promptTokens;
    }

    /// Output lengths.
    public FieldViewModel<LengthDistribution> outputTokens() {
        return outputTokens;
    }

    /// Arrivals of other kinds than those with a measure, as in gamma:rate=4,burstiness=0.5.
    public FieldViewModel<ArrivalProcess> otherArrivals() {
        return otherArrivals;
    }

    /// Duration, failures, shared prefix, sampling and answers.
    List<FieldViewModel<?>> details() {
        return details.fields();
    }

    /// Whether any of the details is set.
    boolean detailed() {
        return details.any();
    }

    /// What a preset stands for, in one sentence; empty for other workloads.
    String purpose(@Nullable String name) {
        return name == null ? "" : new WorkloadPresets().purpose(name);
    }

    /// The measure of the load; null for other arrivals.
    public ObjectProperty<@Nullable Measure> arrivals() {
        return arrivals;
    }

    /// Concurrency of closed loops, or rate of Poisson arrivals; several values make several loads.
    public FieldViewModel<LoadSweep> strength(Measure measure) {
        return Objects.requireNonNull(strengths.get(measure));
    }

    /// Measured requests per run; several values make several workloads.
    public FieldViewModel<List<Integer>> requests() {
        return requests;
    }

    /// A preset sets the lengths and keeps arrivals and request count.
    private void choose(@Nullable String name) {
        if (loading) {
            return;
        }
        presets.stream().filter(candidate -> candidate.name().equals(name)).findFirst().ifPresent(chosen -> {
            loading = true;
            base = chosen;
            promptTokens.text().set(chosen.promptTokens().toString());
            outputTokens.text().set(chosen.outputTokens().toString());
            details.load(chosen);
            loading = false;
            changed.run();
        });
    }

    private void touched() {
        if (!loading) {
            changed.run();
        }
    }
}
