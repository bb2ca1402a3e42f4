package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Field;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.run.BenchmarkService;
import org.inferometer.ui.designer.EngineChoices.EngineChoice;
import org.inferometer.ui.designer.FormFault.CheckedField;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// The form: its values, its faults and the resulting specification. Belongs to the UI thread.
public final class DesignerViewModel {
    private static final String DESIGNED = "bench";
    private final SubjectForm subjects;
    private final WorkloadViewModel workload;
    private final MachineChoice machine;
    private final BackgroundWork work;
    private final ReadOnlyObjectWrapper<PlanPreview> preview = new ReadOnlyObjectWrapper<>(PlanPreview.EMPTY);
    private RunTimeHistory history = new RunTimeHistory(List.of());
    private @Nullable ExperimentSpec estimated;
    private @Nullable Restored restored;
    private final PresetViewModel presets;
    private final ReadOnlyStringWrapper name = new ReadOnlyStringWrapper("");
    private final Map<Field<ExperimentSpec, ?>, FieldViewModel<?>> fields = new LinkedHashMap<>();
    private final BooleanProperty search = new SimpleBooleanProperty();
    private final ReadOnlyBooleanWrapper searchable = new ReadOnlyBooleanWrapper();
    private ExperimentSpec base;
    private final ReadOnlyObjectWrapper<@Nullable ExperimentSpec> edited = new ReadOnlyObjectWrapper<>();
    private boolean loading;

    /// Loads the quick preset; the engines are set later.
    ///
    /// @param others absent where only this machine is there
    public DesignerViewModel(DesignerServices services, BackgroundWork work, @Nullable OtherMachines others) {
        this.work = work;
        subjects = new SubjectForm(services, this::touched);
        workload = new WorkloadViewModel(Stream
                .concat(services.quick().workloads().stream(), services.workloads().stream()).distinct().toList());
        machine = new MachineChoice(services, others);
        machine.onOffer(this::offered);
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
        EngineChoices engines = subjects.engines();
        engines.offer(choices, engines.all().isEmpty() ? base.engines() : engines.ticked());
    }

    /// The chosen machine says what it has; this machine lists its engines by itself.
    private void offered(Optional<RemoteMachine> offer) {
        subjects.backend().offer(machine.backends(offer));
        Restored kept = restored;
        boolean untouched = kept != null && spec().equals(kept.shown());
        offer.ifPresent(there -> setChoices(there.engines().stream().map(EngineChoice::of).toList()));
        if (kept != null && offer.isPresent()) {
            restored = null;
            if (untouched) {
                load(kept.spec());
            }
        }
        estimated = null;
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

    /// Fills the form from a specification.
    public void load(ExperimentSpec spec) {
        loading = true;
        base = spec;
        subjects.load(spec);
        if (!spec.workloads().isEmpty()) {
            workload.load(spec.workloads());
        }
        fields.forEach((field, shown) -> shown.text().set(String.join(", ", field.write(spec))));
        search.set(spec.search());
        name.set(spec.name());
        presets.filled(spec);
        loading = false;
        touched();
    }

    /// Adds a server or tool to what the form measures; the engines stay. No effect if the form has it, or nothing that can be run yet.
    public void addTarget(Selection target) {
        spec().or(() -> Optional.ofNullable(edited.get())).filter(spec -> !spec.targets().contains(target))
                .ifPresent(spec -> load(ExperimentFields.TARGETS
                        .with(spec, Stream.concat(spec.targets().stream(), Stream.of(target)).toList())
                        .named(DESIGNED)));
    }

    /// The specification; empty while the form has a fault.
    public Optional<ExperimentSpec> spec() {
        Optional<List<WorkloadSpec>> loads = workload.specs();
        if (!subjects.isRight() || loads.isEmpty() || !shownFields().allMatch(field -> field.value().isPresent())) {
            return Optional.empty();
        }
        ExperimentSpec made = subjects.spec().withWorkloads(loads.get());
        for (Map.Entry<Field<ExperimentSpec, ?>, FieldViewModel<?>> entry : fields.entrySet()) {
            if (!subjects.backend().outside() || !ExperimentFields.FORM_LIMITS.contains(entry.getKey())) {
                made = set(made, entry.getKey(), entry.getValue().text().get());
            }
        }
        made = made.searching(search.get() && searchable.get());
        return Optional.of(made.equals(base) ? made : made.named(DESIGNED));
    }

    private static <T> ExperimentSpec set(ExperimentSpec spec, Field<ExperimentSpec, T> field, String typed) {
        return field.with(spec, typed.isBlank() ? List.of() : field.parse(typed));
    }

    /// Shows all faults.
    ///
    /// @return key of the first field with a fault, in the order of the form
    public Optional<String> check() {
        checked().forEach(part -> part.show().run());
        return fault().map(FormFault::key);
    }

    /// The first fault, in the order of the form, shown beside its field or not.
    Optional<FormFault> fault() {
        return checked().flatMap(part -> part.found().stream()).findFirst();
    }

    private Stream<CheckedField> checked() {
        return Stream.of(subjects.checkedEngines(), workload.activeFields().stream().map(CheckedField::of),
                subjects.checkedPlatforms(), shownFields().map(CheckedField::of)).flatMap(parts -> parts);
    }

    /// Sets the experiments that ran here; run times are estimated from them.
    ///
    /// @param manifests newest first
    public void setHistory(List<ExperimentManifest> manifests) {
        history = new RunTimeHistory(List.copyOf(manifests));
        estimated = null;
        refreshPreview();
    }

    private void refreshPreview() {
        Optional<ExperimentSpec> spec = spec();
        presets.follow(spec);
        spec.ifPresent(edited::set);
        estimate(spec.orElse(null));
    }

    /// Estimates in the background what a specification will take, unless it is the last one.
    ///
    /// @param spec null while the form has a fault
    private void estimate(@Nullable ExperimentSpec spec) {
        boolean same = spec != null && spec.equals(estimated);
        estimated = spec;
        if (spec == null) {
            preview.set(PlanPreview.faulty(fault().stream().toList()));
        } else if (!same) {
            // Another machine has another speed.
            RunTimeHistory known = machine.chosen().get() == null ? history : new RunTimeHistory(List.of());
            BenchmarkService service = machine.benchmarks();
            work.run(WindowWork.OWN, () -> PlanPreview.of(service, spec, known), made -> {
                if (spec.equals(estimated)) {
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
        return subjects.summary(workload.preset().get()) + machine.words();
    }

    /// The engines, in the catalogue's order.
    public EngineChoices engines() {
        return subjects.engines();
    }

    /// The schedulers, in the registry's order.
    public SchedulerChoices schedulers() {
        return subjects.schedulers();
    }

    public WorkloadViewModel workload() {
        return workload;
    }

    /// Servers and tools beside the engines.
    TargetForms targets() {
        return subjects.targets();
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
        return subjects.backend();
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
        return Stream.concat(phaseFields().stream(),
                subjects.backend().outside() ? Stream.of() : limitFields().stream());
    }

    /// Whether to search for the highest load within the SLO; only valid if [#searchable].
    public BooleanProperty search() {
        return search;
    }

    /// Whether there is an SLO and several loads.
    public ReadOnlyBooleanProperty searchable() {
        return searchable.getReadOnlyProperty();
    }

    /// Fault of the schedulers, or empty.
    public ReadOnlyStringProperty schedulersError() {
        return subjects.schedulersError();
    }

    private void touched() {
        if (loading) {
            return;
        }
        FieldViewModel<?> objective = Objects.requireNonNull(fields.get(ExperimentFields.OBJECTIVE));
        boolean limited = !objective.text().get().isBlank() && objective.value().isPresent();
        searchable.set(limited && (workload.risesAlone() || (base.search() && workload.unchanged())));
        subjects.forgive();
        refreshPreview();
    }
}
