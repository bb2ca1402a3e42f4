package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.ui.designer.FormFault.CheckedField;
import org.jspecify.annotations.Nullable;

/// What the form measures: engines under schedulers on a backend, and servers and tools beside them or in their place. Belongs to
/// the UI thread.
final class SubjectForm {
    /// Prefix of the ids of the backend's options.
    static final String BACKEND = "backend";
    private final EngineChoices engines;
    private final SchedulerChoices schedulers;
    private final BackendForm backend;
    private final TargetForms targets;
    private final ReadOnlyStringWrapper schedulersError = new ReadOnlyStringWrapper("");
    private final Runnable changed;
    private ExperimentSpec base;
    private Subjects loaded = new Subjects(List.of(), List.of(), List.of(), null);

    /// What the form makes of the loaded subjects, engines aside: while it makes the same, they stay as they were loaded.
    ///
    /// @param platforms backends, or the target that stands in their place
    private record Subjects(List<Selection> schedulers, List<Selection> platforms, List<Selection> targets,
            @Nullable String baseline) {}

    /// @param changed called on every change
    SubjectForm(DesignerServices services, Runnable changed) {
        this.changed = changed;
        engines = new EngineChoices(changed);
        schedulers = new SchedulerChoices(services.schedulers(), changed);
        backend = new BackendForm(services.backends(), changed);
        targets = new TargetForms(services.backends(), this::targetsTouched);
        base = services.quick();
    }

    private void targetsTouched() {
        schedulers.offerTargets(targets.forms());
        changed.run();
    }

    /// Selects what a specification has.
    void load(ExperimentSpec spec) {
        base = spec;
        engines.select(spec.engines());
        boolean driving = isDriving(spec);
        backend.load(driving ? spec.targets().subList(0, 1) : spec.backends());
        targets.load(driving ? spec.targets().subList(1, spec.targets().size()) : spec.targets());
        schedulers.load(spec);
        loaded = subjects();
    }

    private Subjects subjects() {
        return new Subjects(schedulers.selections(), backend.selections(), targets.selections(),
                schedulers.baselineWord());
    }

    /// Whether an experiment has targets only.
    private static boolean isDriving(ExperimentSpec spec) {
        return spec.engines().isEmpty() && !spec.targets().isEmpty();
    }

    /// Whether what is selected makes an experiment.
    boolean isRight() {
        boolean enginesRight = backend.outside()
                || (!engines.ticked().isEmpty() && schedulers.fault().isEmpty() && schedulers.optionsAreRight());
        return enginesRight
                && Stream.concat(backend.options().stream(), targets.options()).allMatch(OptionViewModel::valid);
    }

    /// The loaded specification with what is selected now.
    ExperimentSpec spec() {
        return backend.outside() ? driving() : running();
    }

    /// The base on the form's targets alone.
    private ExperimentSpec driving() {
        Subjects now = subjects();
        boolean same = isDriving(base) && now.platforms.equals(loaded.platforms) && now.targets.equals(loaded.targets);
        ExperimentSpec made = base.onTargetsOnly(
                same ? base.targets() : Stream.concat(now.platforms.stream(), now.targets.stream()).toList());
        return made.baselineSystem().isPresent() ? made : made.withBaseline(null);
    }

    /// The base on the form's engines, beside its targets.
    private ExperimentSpec running() {
        Subjects now = subjects();
        List<String> ticked = engines.ticked();
        boolean sameEngines = ticked.size() == base.engines().size() && base.engines().containsAll(ticked);
        ExperimentSpec made = base.onTargetsOnly(List.of()).withEngines(sameEngines ? base.engines() : ticked);
        boolean same = !isDriving(base);
        made = ExperimentFields.SCHEDULERS.with(made,
                same && now.schedulers.equals(loaded.schedulers) ? base.schedulers() : now.schedulers);
        made = ExperimentFields.BACKEND.with(made,
                same && now.platforms.equals(loaded.platforms) ? base.backends() : now.platforms);
        made = ExperimentFields.TARGETS.with(made,
                same && now.targets.equals(loaded.targets) ? base.targets() : now.targets);
        made = made.withLimits(same ? base.kvBytes() : List.of(),
                same ? base.limits() : ExperimentSpec.AskedLimits.DEFAULTS);
        return made.withBaseline(now.equals(loaded) ? base.baseline() : now.baseline);
    }

    /// Engines, schedulers and their options.
    Stream<CheckedField> checkedEngines() {
        return backend.outside() ? Stream.of() : Stream.concat(
                Stream.of(
                        new CheckedField("designer.engines", text("designer.engines"), engines::fault, engines::check),
                        new CheckedField("designer.schedulers", text("designer.schedulers"), schedulers::fault,
                                () -> schedulersError.set(schedulers.fault().orElse("")))),
                schedulers.ticked().stream().flatMap(scheduler -> checked(scheduler.key(), scheduler.options())));
    }

    /// The options of the backend and the targets.
    Stream<CheckedField> checkedPlatforms() {
        return Stream.concat(checked(BACKEND, backend.options()),
                targets.forms().stream().flatMap(target -> checked(target.key(), target.options())));
    }

    private static Stream<CheckedField> checked(String key, List<OptionViewModel> options) {
        return options.stream().map(option -> new CheckedField(key + "." + option.description().name(),
                option.description().label(), option::fault, option::check));
    }

    /// Hides faults that are mended.
    void forgive() {
        engines.forgive();
        if (schedulers.fault().isEmpty()) {
            schedulersError.set("");
        }
    }

    /// "tiny-fp8, tiny-int4 · naive, continuous · short".
    ///
    /// @param load name of the workload
    String summary(String load) {
        if (backend.outside()) {
            return text("designer.summary-outside", backend.chosen().get(), load);
        }
        List<String> names = Stream.concat(schedulers.selections().stream().map(Selection::toString),
                targets.selections().stream().map(target -> new TargetSubject(target).system())).toList();
        return text("designer.summary", String.join(", ", engines.ticked()), String.join(", ", names), load);
    }

    EngineChoices engines() {
        return engines;
    }

    SchedulerChoices schedulers() {
        return schedulers;
    }

    BackendForm backend() {
        return backend;
    }

    TargetForms targets() {
        return targets;
    }

    /// Fault of the schedulers, or empty.
    ReadOnlyStringProperty schedulersError() {
        return schedulersError.getReadOnlyProperty();
    }
}
