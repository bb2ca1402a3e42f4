package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.run.BenchmarkService;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// What the designed experiment will take, estimated in the background. Belongs to the UI thread.
final class PlanEstimate {
    private final BackgroundWork work;
    private final MachineChoice machine;
    private final ReadOnlyObjectWrapper<PlanPreview> preview = new ReadOnlyObjectWrapper<>(PlanPreview.EMPTY);
    private RunTimeHistory history = new RunTimeHistory(List.of());
    private @Nullable ExperimentSpec estimated;

    /// @param machine where the experiment runs
    PlanEstimate(BackgroundWork work, MachineChoice machine) {
        this.work = work;
        this.machine = machine;
    }

    /// Sets the experiments that ran here; the next estimate follows them.
    ///
    /// @param manifests newest first
    void setHistory(List<ExperimentManifest> manifests) {
        history = new RunTimeHistory(List.copyOf(manifests));
        forget();
    }

    /// Estimates the next specification even if it is the last one.
    void forget() {
        estimated = null;
    }

    /// Estimates a specification, unless it is the last one.
    ///
    /// @param spec null while the form has a fault
    /// @param fault the first of the form
    void follow(@Nullable ExperimentSpec spec, Supplier<Optional<FormFault>> fault) {
        boolean same = spec != null && spec.equals(estimated);
        estimated = spec;
        if (spec == null) {
            preview.set(PlanPreview.faulty(fault.get().stream().toList()));
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

    ReadOnlyObjectProperty<PlanPreview> preview() {
        return preview.getReadOnlyProperty();
    }
}
