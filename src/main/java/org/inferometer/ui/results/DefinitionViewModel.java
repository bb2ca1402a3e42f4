package org.inferometer.ui.results;

import java.util.List;
import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleObjectProperty;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.compare.DefinitionText;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.timeline.RunChoice;
import org.jspecify.annotations.Nullable;

/// One run under the definitions of a tool. Belongs to the UI thread; computes in the background.
final class DefinitionViewModel {
    private final DeploymentGoal goal;
    private final LatestWork work;
    private final List<RunChoice> choices;
    private final List<RunRecord> runs;
    private final ObjectProperty<@Nullable RunRecord> run = new SimpleObjectProperty<>();
    private final ObjectProperty<Definition> definition = new SimpleObjectProperty<>(Definition.INFEROMETER);
    private final ReadOnlyObjectWrapper<Optional<DefinitionSheet>> sheet =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");

    DefinitionViewModel(ExperimentRecord experiment, BackgroundWork work) {
        this.goal = experiment.manifest().spec().goal();
        this.work = new LatestWork(work);
        choices = RunChoice.all(experiment);
        runs = experiment.runs().stream().filter(each -> each.manifest().status() == RunStatus.COMPLETE).toList();
        run.set(runs.isEmpty() ? null : runs.getFirst());
        run.addListener((observed, before, now) -> refresh());
        definition.addListener((observed, before, now) -> refresh());
    }

    /// Recomputes the metrics; the latest selection wins.
    void refresh() {
        RunRecord chosen = run.get();
        if (chosen == null) {
            return;
        }
        Definition tool = definition.get();
        problem.set("");
        work.run(WindowWork.DEFINITIONS, () -> DefinitionSheet.of(tool, DefinitionText.figures(chosen, tool, goal)),
                made -> sheet.set(Optional.of(made)), failure -> {
                    sheet.set(Optional.empty());
                    problem.set(ErrorText.sentence(failure));
                });
    }

    /// The complete runs.
    List<RunRecord> runs() {
        return runs;
    }

    /// Label of a run: "2: tiny-int4 · continuous · repetition 1".
    String label(RunRecord named) {
        return choices.stream().filter(choice -> choice.run() == named).map(RunChoice::label).findFirst().orElse("");
    }

    /// The selected run; null when none is complete.
    ObjectProperty<@Nullable RunRecord> run() {
        return run;
    }

    /// The selected tool.
    ObjectProperty<Definition> definition() {
        return definition;
    }

    /// The recomputed metrics; empty at first.
    ReadOnlyObjectProperty<Optional<DefinitionSheet>> sheet() {
        return sheet.getReadOnlyProperty();
    }

    /// Whether metrics are being computed.
    ReadOnlyBooleanProperty working() {
        return work.running();
    }

    /// The error, or empty.
    ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }
}
