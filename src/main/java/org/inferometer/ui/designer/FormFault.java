package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.PlanFault;
import org.inferometer.wording.Voice;

/// What is wrong with the form, and where.
///
/// @param key names the field in the window; empty where no field of the form shows it
/// @param label the field for people; may be empty
public record FormFault(String key, String label, String sentence) {
    /// A fault that the planner found.
    static FormFault of(PlanFault fault) {
        FormFault part = Stream.concat(ExperimentFields.FORM.stream(), ExperimentFields.FORM_LIMITS.stream())
                .filter(field -> field.name().equals(fault.where())).findFirst()
                .map(field -> new FormFault(FieldViewModel.key(field), field.naming().label(), ""))
                .orElseGet(() -> part(fault.where()));
        return new FormFault(part.key, part.label, fault.fault().in(Voice.WINDOW));
    }

    private static FormFault part(String where) {
        Map<String, FormFault> parts = Map.of(ExperimentFields.ENGINES.name(),
                new FormFault("designer.engines", text("designer.engines"), ""), ExperimentFields.SCHEDULERS.name(),
                new FormFault("designer.schedulers", text("designer.schedulers"), ""), ExperimentFields.BACKEND.name(),
                new FormFault("designer.backend", text("designer.backend"), ""), ExperimentFields.TARGETS.name(),
                new FormFault("designer.add.target", text("designer.driven"), ""), ExperimentFields.WORKLOADS.name(),
                new FormFault("designer.preset", text("designer.workload"), ""));
        return parts.getOrDefault(where, new FormFault("", where, ""));
    }

    /// "Requests: "many" is not a whole number."
    @Override
    public String toString() {
        return label.isEmpty() ? sentence : text("designer.fault", label, sentence);
    }

    /// A part of the form that may have a fault.
    ///
    /// @param key names the part in the window
    /// @param fault what is wrong; empty where nothing is
    /// @param show shows or hides the fault beside the part
    record CheckedField(String key, String label, Supplier<Optional<String>> fault, Runnable show) {
        static CheckedField of(FieldViewModel<?> field) {
            return new CheckedField(field.naming().key(), field.naming().label(), field::fault, field::check);
        }

        /// The fault with its field; empty where there is none.
        Optional<FormFault> found() {
            return fault.get().map(sentence -> new FormFault(key, label, sentence));
        }
    }
}
