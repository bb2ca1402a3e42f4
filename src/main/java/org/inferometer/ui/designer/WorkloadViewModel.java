package org.inferometer.ui.designer;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// The designer's load: a preset, its lengths, how requests arrive, and how many.
public final class WorkloadViewModel {
    /// The name of a load whose lengths are no preset's.
    public static final String CUSTOM = "custom";

    private final List<WorkloadSpec> presets;
    private final StringProperty preset = new SimpleStringProperty("");
    private final FieldViewModel<LengthDistribution> promptTokens;
    private final FieldViewModel<LengthDistribution> outputTokens;
    private final ObjectProperty<ArrivalKind> arrivals = new SimpleObjectProperty<>(ArrivalKind.CLOSED);
    private final FieldViewModel<LoadSweep> concurrency = LoadFields.concurrency("field.concurrency", 8);
    private final FieldViewModel<LoadSweep> rate = LoadFields.rate("field.rate", 4);
    private final FieldViewModel<List<Integer>> requests = NumberFields.counts("field.requests", 32, 10_000_000);
    private WorkloadSpec base;
    private Runnable changed = () -> {};
    private boolean loading;

    /// @param presets at least one
    public WorkloadViewModel(List<WorkloadSpec> presets) {
        this.presets = List.copyOf(presets);
        base = presets.getFirst();
        promptTokens = NumberFields.lengths("field.prompt-tokens", base.promptTokens());
        outputTokens = NumberFields.lengths("field.output-tokens", base.outputTokens());
        load(base);
        preset.addListener((observed, before, now) -> choose(now));
        arrivals.addListener((observed, before, now) -> touched());
        List.of(promptTokens, outputTokens, concurrency, rate, requests)
                .forEach(field -> field.text().addListener((observed, before, now) -> touched()));
    }

    /// Fills the form from the loads of an experiment: those that differ from the first in their number of requests or in their rising
    /// strength alone become one load with several numbers; others cannot be shown and are left out.
    public void load(List<WorkloadSpec> specs) {
        Optional<LoadGrid> grid = LoadGrid.of(specs);
        if (grid.isPresent()) {
            load(grid.get());
            return;
        }
        WorkloadSpec first = specs.getFirst();
        List<WorkloadSpec> alike = specs.stream()
                .filter(spec -> spec.withName("").withRequests(0).equals(first.withName("").withRequests(0))).toList();
        load(alike.size() > 1 ? first.withName(bareName(first)) : first);
        requests.text()
                .set(alike.stream().map(spec -> Integer.toString(spec.requests())).collect(Collectors.joining(", ")));
    }

    private void load(LoadGrid grid) {
        load(grid.base());
        requests.text().set(grid.counts().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        FieldViewModel<LoadSweep> strengths = switch (grid.sweep().measure()) {
            case CONCURRENCY -> concurrency;
            case RATE -> rate;
        };
        strengths.text().set(LoadFields.written(grid.sweep()));
    }

    /// Fills the form from a load.
    public void load(WorkloadSpec spec) {
        loading = true;
        base = spec;
        preset.set(spec.name());
        promptTokens.text().set(spec.promptTokens().toString());
        outputTokens.text().set(spec.outputTokens().toString());
        requests.text().set(Integer.toString(spec.requests()));
        switch (spec.arrivals()) {
            case ArrivalProcess.ClosedLoop(int inFlight) -> {
                arrivals.set(ArrivalKind.CLOSED);
                concurrency.text().set(Integer.toString(inFlight));
            }
            case ArrivalProcess.Poisson(double perSecond) -> {
                arrivals.set(ArrivalKind.POISSON);
                rate.text().set(NumberFields.plain(perSecond));
            }
            case ArrivalProcess.OpenLoop other -> arrivals.set(ArrivalKind.AS_LOADED);
        }
        loading = false;
        changed.run();
    }

    /// The loads, when nothing is wrong: one for each number of requests and each strength; "custom" where the lengths are not the preset's.
    public Optional<List<WorkloadSpec>> specs() {
        return promptTokens.value()
                .flatMap(prompt -> outputTokens.value().flatMap(output -> requests.value().flatMap(counts -> {
                    boolean asPreset = prompt.equals(base.promptTokens()) && output.equals(base.outputTokens());
                    WorkloadSpec named = base.withName(asPreset ? base.name() : CUSTOM).withLengths(prompt, output);
                    if (arrivals.get() == ArrivalKind.AS_LOADED) {
                        return Optional.of(LoadGrid.counted(named, counts));
                    }
                    return strengths().map(sweep -> {
                        WorkloadSpec arriving = named.withArrivals(LoadGrid.single(sweep));
                        return sweep.values().size() == 1 ? LoadGrid.counted(arriving, counts)
                                : new LoadGrid(arriving, counts, sweep).specs();
                    });
                })));
    }

    /// Whether one load is offered at several strengths, so that the highest that is served can be looked for.
    public boolean risesAlone() {
        return requests.value().filter(counts -> counts.size() == 1).isPresent()
                && strengths().filter(sweep -> sweep.values().size() > 1).isPresent();
    }

    /// How much is offered; empty with a fault, and where arrivals are as they were loaded.
    private Optional<LoadSweep> strengths() {
        return switch (arrivals.get()) {
            case CLOSED -> concurrency.value();
            case POISSON -> rate.value();
            case AS_LOADED -> Optional.empty();
        };
    }

    /// The name without the number of requests that stands behind it where there are several: "mixed" of "mixed-25".
    private static String bareName(WorkloadSpec spec) {
        String count = "-" + spec.requests();
        return spec.name().endsWith(count) && spec.name().length() > count.length()
                ? spec.name().substring(0, spec.name().length() - count.length()) : spec.name();
    }

    /// The fields that count now.
    public List<FieldViewModel<?>> activeFields() {
        return switch (arrivals.get()) {
            case CLOSED -> List.of(promptTokens, outputTokens, concurrency, requests);
            case POISSON -> List.of(promptTokens, outputTokens, rate, requests);
            case AS_LOADED -> List.of(promptTokens, outputTokens, requests);
        };
    }

    /// Tells one listener of every change.
    public void onChange(Runnable listener) {
        changed = listener;
    }

    /// Names of the presets.
    public List<String> presetNames() {
        return presets.stream().map(WorkloadSpec::name).toList();
    }

    /// The preset's name; choosing another fills the lengths.
    public StringProperty preset() {
        return preset;
    }

    /// Prompt lengths.
    public FieldViewModel<LengthDistribution> promptTokens() {
        return promptTokens;
    }

    /// Answer lengths.
    public FieldViewModel<LengthDistribution> outputTokens() {
        return outputTokens;
    }

    /// Which arrival process.
    public ObjectProperty<ArrivalKind> arrivals() {
        return arrivals;
    }

    /// Requests in flight, for closed loops; several make a load each.
    public FieldViewModel<LoadSweep> concurrency() {
        return concurrency;
    }

    /// Arrivals a second, for Poisson; several make a load each.
    public FieldViewModel<LoadSweep> rate() {
        return rate;
    }

    /// Measured requests of a run; several numbers make a load each.
    public FieldViewModel<List<Integer>> requests() {
        return requests;
    }

    /// A preset sets the lengths and keeps arrivals and count, which are asked for separately.
    private void choose(@Nullable String name) {
        if (loading) {
            return;
        }
        presets.stream().filter(candidate -> candidate.name().equals(name)).findFirst().ifPresent(chosen -> {
            loading = true;
            base = chosen;
            promptTokens.text().set(chosen.promptTokens().toString());
            outputTokens.text().set(chosen.outputTokens().toString());
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
