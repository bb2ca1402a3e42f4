package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Field;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.run.BenchmarkService;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// The form: its values, its faults and the resulting specification. Belongs to the UI thread.
public final class DesignerViewModel {
    /// Prefix of the ids of the backend's options.
    static final String BACKEND = "backend";
    private static final String DESIGNED = "bench";
    private static final String FAMILY_OF_FIRST_RUN = "tiny-";
    private static final int MOST_SHOWN = 8;
    private final BackgroundWork work;
    private final ObservableList<EngineChoice> engines = FXCollections.observableArrayList();
    private final SchedulerChoices schedulers;
    private final WorkloadViewModel workload;
    private final BackendForm backend;
    private final MachineChoice machine;
    private @Nullable Restored restored;
    private final PresetViewModel presets;
    private final ReadOnlyStringWrapper name = new ReadOnlyStringWrapper("");
    private final TargetForms targets;
    private final Map<Field<ExperimentSpec, ?>, FieldViewModel<?>> fields = new LinkedHashMap<>();
    private final BooleanProperty search = new SimpleBooleanProperty();
    private final ReadOnlyBooleanWrapper searchable = new ReadOnlyBooleanWrapper();
    private final ReadOnlyStringWrapper enginesError = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper schedulersError = new ReadOnlyStringWrapper("");
    private final ReadOnlyObjectWrapper<PlanPreview> preview = new ReadOnlyObjectWrapper<>(PlanPreview.EMPTY);
    private ExperimentSpec base;
    private @Nullable ExperimentSpec previewed;
    private final ReadOnlyObjectWrapper<@Nullable ExperimentSpec> edited = new ReadOnlyObjectWrapper<>();
    private boolean loading;
    private RunTimeHistory history = new RunTimeHistory(List.of());
    private Subjects shown = new Subjects(List.of(), List.of(), List.of(), null);

    /// What the form makes of the loaded subjects, engines aside: while it makes the same, they stay as they were loaded.
    ///
    /// @param platforms backends, or the target that stands in their place
    private record Subjects(List<Selection> schedulers, List<Selection> platforms, List<Selection> targets,
            @Nullable String baseline) {}

    /// On this machine.
    public DesignerViewModel(DesignerServices services, BackgroundWork work) {
        this(services, work, null);
    }

    /// Loads the quick preset; the engines are set later.
    ///
    /// @param others absent where only this machine is there
    public DesignerViewModel(DesignerServices services, BackgroundWork work, @Nullable OtherMachines others) {
        this.work = work;
        schedulers = new SchedulerChoices(services.schedulers(), this::touched);
        workload = new WorkloadViewModel(Stream
                .concat(services.quick().workloads().stream(), services.workloads().stream()).distinct().toList());
        backend = new BackendForm(services.backends(), this::touched);
        machine = new MachineChoice(services, others);
        machine.onOffer(this::offered);
        targets = new TargetForms(services.backends(), this::targetsTouched);
        presets = new PresetViewModel(services.presets(), services.reader(), work, this::load);
        base = services.quick();
        Stream.concat(ExperimentFields.FORM.stream(), ExperimentFields.FORM_LIMITS.stream())
                .forEach(field -> fields.put(field, FieldViewModel.of(field, ExperimentSpec.STANDARD)));
        workload.onChange(this::touched);
        search.addListener((observed, before, now) -> touched());
        fields.values().forEach(field -> field.text().addListener((observed, before, now) -> touched()));
        load(services.quick());
    }

    /// Replaces the engines and keeps the selection; the first list selects those of the specification.
    public void setEngines(List<EngineEntry> entries) {
        setChoices(entries.stream().map(EngineChoice::of).toList());
    }

    private void setChoices(List<EngineChoice> choices) {
        List<String> ticked = engines.isEmpty() ? base.engines() : tickedEngines();
        for (EngineChoice choice : choices) {
            choice.selected().set(choice.usable() && ticked.contains(choice.name()));
            choice.selected().addListener((observed, before, now) -> touched());
        }
        engines.setAll(choices);
        touched();
    }

    /// The chosen machine says what it has; this machine lists its engines by itself.
    private void offered(Optional<RemoteMachine> offer) {
        backend.offer(machine.backends(offer));
        Restored kept = restored;
        boolean untouched = kept != null && spec().equals(kept.shown());
        offer.ifPresent(there -> setChoices(there.engines().stream().map(EngineChoice::of).toList()));
        if (kept != null && offer.isPresent()) {
            restored = null;
            if (untouched) {
                load(kept.spec());
            }
        }
        previewed = null;
        refreshPreview();
    }

    /// Fills the form as it was when the program ended. What only the other machine has is selected when that machine answers, if the
    /// form was not edited before.
    ///
    /// @param spec null for none
    /// @param written the machine as `--on` takes it; empty for this one
    public void restore(@Nullable ExperimentSpec spec, String written) {
        if (spec != null) {
            load(spec);
            restored = written.isEmpty() ? null : new Restored(spec, spec());
        }
        machine.chooseWritten(written);
    }

    /// @param spec as it was saved
    /// @param shown the part of it that this machine has; empty where that is no experiment
    private record Restored(ExperimentSpec spec, Optional<ExperimentSpec> shown) {}

    /// Where the experiment runs.
    public MachineChoice machine() {
        return machine;
    }

    /// Whether an engine is shown before "show all": when there are few, or it is selected, built or of the quick
    /// benchmark.
    public boolean shownFirst(EngineChoice choice) {
        return engines.size() <= MOST_SHOWN || choice.selected().get() || choice.built()
                || choice.name().startsWith(FAMILY_OF_FIRST_RUN);
    }

    /// Fills the form from a specification.
    public void load(ExperimentSpec spec) {
        loading = true;
        base = spec;
        engines.forEach(choice -> choice.selected().set(choice.usable() && spec.engines().contains(choice.name())));
        boolean driving = isDriving(spec);
        backend.load(driving ? spec.targets().subList(0, 1) : spec.backends());
        targets.load(driving ? spec.targets().subList(1, spec.targets().size()) : spec.targets());
        schedulers.load(spec);
        if (!spec.workloads().isEmpty()) {
            workload.load(spec.workloads());
        }
        fields.forEach((field, shown) -> shown.text().set(String.join(", ", field.write(spec))));
        search.set(spec.search());
        shown = subjects();
        name.set(spec.name());
        presets.filled(spec);
        loading = false;
        touched();
    }

    private void targetsTouched() {
        schedulers.offerTargets(targets.forms());
        touched();
    }

    private Subjects subjects() {
        return new Subjects(schedulers.selections(), backend.selections(), targets.selections(),
                schedulers.baselineWord());
    }

    /// The specification; empty while the form has a fault.
    public Optional<ExperimentSpec> spec() {
        Optional<List<WorkloadSpec>> loads = workload.specs();
        boolean chosen = backend.outside() || (!tickedEngines().isEmpty() && schedulers.fault().isEmpty());
        if (!chosen || loads.isEmpty() || !optionsAreRight()
                || !shownFields().allMatch(field -> field.value().isPresent())) {
            return Optional.empty();
        }
        ExperimentSpec made = (backend.outside() ? driving() : running()).withWorkloads(loads.get());
        for (Map.Entry<Field<ExperimentSpec, ?>, FieldViewModel<?>> entry : fields.entrySet()) {
            if (!backend.outside() || !ExperimentFields.FORM_LIMITS.contains(entry.getKey())) {
                made = set(made, entry.getKey(), entry.getValue().text().get());
            }
        }
        made = made.searching(search.get() && searchable.get());
        return Optional.of(made.equals(base) ? made : made.named(DESIGNED));
    }

    private static <T> ExperimentSpec set(ExperimentSpec spec, Field<ExperimentSpec, T> field, String typed) {
        return field.with(spec, typed.isBlank() ? List.of() : field.parse(typed));
    }

    /// Whether an experiment has targets only.
    private static boolean isDriving(ExperimentSpec spec) {
        return spec.engines().isEmpty() && !spec.targets().isEmpty();
    }

    /// The base on the form's targets alone.
    private ExperimentSpec driving() {
        Subjects now = subjects();
        boolean loaded = isDriving(base) && now.platforms.equals(shown.platforms) && now.targets.equals(shown.targets);
        ExperimentSpec made = base.withTargets(
                loaded ? base.targets() : Stream.concat(now.platforms.stream(), now.targets.stream()).toList());
        return made.baselineSystem().isPresent() ? made : made.withBaseline(null);
    }

    /// The base on the form's engines, beside its targets.
    private ExperimentSpec running() {
        Subjects now = subjects();
        List<String> ticked = tickedEngines();
        boolean sameEngines = ticked.size() == base.engines().size() && base.engines().containsAll(ticked);
        ExperimentSpec made = base.withTargets(List.of()).withEngines(sameEngines ? base.engines() : ticked);
        boolean same = !isDriving(base);
        made = ExperimentFields.SCHEDULERS.with(made,
                same && now.schedulers.equals(shown.schedulers) ? base.schedulers() : now.schedulers);
        made = ExperimentFields.BACKEND.with(made,
                same && now.platforms.equals(shown.platforms) ? base.backends() : now.platforms);
        made = ExperimentFields.TARGETS.with(made,
                same && now.targets.equals(shown.targets) ? base.targets() : now.targets);
        made = made.withLimits(same ? base.kvBytes() : List.of(),
                same ? base.limits() : ExperimentSpec.AskedLimits.DEFAULTS);
        return made.withBaseline(now.equals(shown) ? base.baseline() : now.baseline);
    }

    /// Shows all faults.
    public Optional<String> check() {
        Optional<String> first = backend.outside() ? Optional.empty() : firstOfEngines();
        for (FieldViewModel<?> field : workload.activeFields()) {
            first = firstOf(first, field.key(), field::check);
        }
        for (OptionViewModel option : backend.options()) {
            first = firstOf(first, BACKEND + "." + option.description().name(), option::check);
        }
        for (TargetForms.TargetForm target : targets.forms()) {
            for (OptionViewModel option : target.options()) {
                first = firstOf(first, target.key() + "." + option.description().name(), option::check);
            }
        }
        for (FieldViewModel<?> field : shownFields().toList()) {
            first = firstOf(first, field.key(), field::check);
        }
        return first;
    }

    private Optional<String> firstOfEngines() {
        enginesError.set(tickedEngines().isEmpty() ? text("designer.no-engine") : "");
        schedulersError.set(schedulers.fault().orElse(""));
        Optional<String> first = Optional.empty();
        first = firstOf(first, "designer.engines", () -> enginesError.get().isEmpty());
        first = firstOf(first, "designer.schedulers", () -> schedulersError.get().isEmpty());
        for (SchedulerChoice scheduler : schedulers.ticked()) {
            for (OptionViewModel option : scheduler.options()) {
                first = firstOf(first, scheduler.key() + "." + option.description().name(), option::check);
            }
        }
        return first;
    }

    /// Sets the experiments that ran here; run times are estimated from them.
    ///
    /// @param manifests newest first
    public void setHistory(List<ExperimentManifest> manifests) {
        history = new RunTimeHistory(List.copyOf(manifests));
        previewed = null;
        refreshPreview();
    }

    private void refreshPreview() {
        ExperimentSpec spec = spec().orElse(null);
        boolean same = spec != null && spec.equals(previewed);
        previewed = spec;
        presets.follow(Optional.ofNullable(spec));
        if (spec != null) {
            edited.set(spec);
        }
        if (spec == null) {
            preview.set(PlanPreview.faulty());
        } else if (!same) {
            // Another machine has another speed.
            RunTimeHistory known = machine.chosen().get() == null ? history : new RunTimeHistory(List.of());
            BenchmarkService service = machine.benchmarks();
            work.run(WindowWork.OWN, () -> PlanPreview.of(service, spec, known), made -> {
                if (spec.equals(previewed)) {
                    preview.set(made);
                }
            }, failure -> preview.set(new PlanPreview(text("designer.no-estimate", ErrorText.sentence(failure)), "")));
        }
    }

    /// The command that runs the same experiment; empty when no options express it.
    Optional<String> command(ExperimentSpec spec) {
        return RunCommandLine.of(spec).map(line -> line + machine.option());
    }

    /// What the experiment will take.
    public ReadOnlyObjectProperty<PlanPreview> preview() {
        return preview.getReadOnlyProperty();
    }

    /// "tiny-fp8, tiny-int4 · naive, continuous · short".
    public String summary() {
        if (backend.outside()) {
            return text("designer.summary-outside", backend.chosen().get(), workload.preset().get()) + machine.words();
        }
        List<String> names = Stream.concat(schedulers.selections().stream().map(Selection::toString),
                targets.selections().stream().map(target -> new TargetSubject(target).system())).toList();
        return text("designer.summary", String.join(", ", tickedEngines()), String.join(", ", names),
                workload.preset().get()) + machine.words();
    }

    /// The engines, in the catalogue's order.
    public ObservableList<EngineChoice> engines() {
        return engines;
    }

    /// The schedulers, in the registry's order.
    public SchedulerChoices schedulers() {
        return schedulers;
    }

    /// The workload.
    public WorkloadViewModel workload() {
        return workload;
    }

    /// Servers and tools beside the engines.
    TargetForms targets() {
        return targets;
    }

    /// The last experiment that the form made without a fault; absent before the engines are known.
    public ReadOnlyObjectProperty<@Nullable ExperimentSpec> edited() {
        return edited.getReadOnlyProperty();
    }

    /// The presets to fill the form from.
    public PresetViewModel presets() {
        return presets;
    }

    /// Name of the experiment that filled the form.
    ReadOnlyStringProperty name() {
        return name.getReadOnlyProperty();
    }

    /// The selected backend or target.
    public BackendForm backend() {
        return backend;
    }

    /// Repetitions, warm-up, seed, sampling period, SLO and price, in the order of the form.
    public List<FieldViewModel<?>> phaseFields() {
        return fieldsOf(ExperimentFields.FORM);
    }

    /// Limits of the engines; several values make a cell each.
    List<FieldViewModel<?>> limitFields() {
        return fieldsOf(ExperimentFields.FORM_LIMITS);
    }

    private List<FieldViewModel<?>> fieldsOf(List<Field<ExperimentSpec, ?>> listed) {
        return listed.stream().<FieldViewModel<?>>map(field -> Objects.requireNonNull(fields.get(field))).toList();
    }

    /// A target outside this process has limits of its own.
    private Stream<FieldViewModel<?>> shownFields() {
        return Stream.concat(phaseFields().stream(), backend.outside() ? Stream.of() : limitFields().stream());
    }

    /// Whether to search for the highest load within the SLO; only valid if [#searchable].
    public BooleanProperty search() {
        return search;
    }

    /// Whether there is an SLO and several loads.
    public ReadOnlyBooleanProperty searchable() {
        return searchable.getReadOnlyProperty();
    }

    /// Fault of the engines, or empty.
    public ReadOnlyStringProperty enginesError() {
        return enginesError.getReadOnlyProperty();
    }

    /// Fault of the schedulers, or empty.
    public ReadOnlyStringProperty schedulersError() {
        return schedulersError.getReadOnlyProperty();
    }

    private void touched() {
        if (loading) {
            return;
        }
        FieldViewModel<?> objective = Objects.requireNonNull(fields.get(ExperimentFields.OBJECTIVE));
        boolean limited = !objective.text().get().isBlank() && objective.value().isPresent();
        searchable.set(limited && (workload.risesAlone() || (base.search() && workload.unchanged())));
        if (!tickedEngines().isEmpty()) {
            enginesError.set("");
        }
        if (schedulers.fault().isEmpty()) {
            schedulersError.set("");
        }
        refreshPreview();
    }

    private boolean optionsAreRight() {
        return (backend.outside() || schedulers.optionsAreRight())
                && Stream.concat(backend.options().stream(), targets.options()).allMatch(OptionViewModel::valid);
    }

    private List<String> tickedEngines() {
        return engines.stream().filter(choice -> choice.selected().get()).map(EngineChoice::name).toList();
    }

    private static Optional<String> firstOf(Optional<String> found, String key, BooleanSupplier right) {
        boolean fine = right.getAsBoolean();
        return found.isPresent() || fine ? found : Optional.of(key);
    }
}
