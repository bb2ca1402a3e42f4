package org.inferometer.ui.designer;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.inferometer.experiment.Field;
import org.inferometer.experiment.WorkloadFields;
import org.inferometer.ui.fx.Messages;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// The fields of a workload that few experiments change: duration, failures, shared prefix, sampling and answers.
///
/// An empty text is the default.
final class WorkloadDetails {
    private static final WorkloadSpec ANY = new WorkloadPresets().find("short");
    private final List<Detail<?>> details = List.of(
            Detail.of("duration", load -> load.withRefinements(load.refinements().withDuration(0))),
            Detail.of("stop_after_failures", load -> load.withRefinements(load.refinements().withStopAfterFailures(0))),
            Detail.of("shared_prefix", load -> load.withSharedPrefix(0)),
            Detail.of("vary_prompts", load -> load.withRefinements(load.refinements().withVaryPrompts(false))),
            Detail.of("temperature", load -> load.withTemperature(0)),
            Detail.of("top_k", load -> load.withRefinements(load.refinements().withTopK(0))),
            Detail.of("top_p", load -> load.withRefinements(load.refinements().withTopP(0))),
            Detail.of("ignore_eos",
                    load -> load.withRefinements(
                            load.refinements().withEarlyEnd(load.refinements().earlyEnd().withEndOfSequence(false)))),
            Detail.of("n", load -> load.withRefinements(load.refinements().withAnswers(1))));

    /// A field of the table with its text.
    ///
    /// @param removed a workload without it
    private record Detail<T>(Field<WorkloadSpec, T> field, UnaryOperator<WorkloadSpec> removed,
            FieldViewModel<List<T>> text) {
        static Detail<?> of(String name, UnaryOperator<WorkloadSpec> removed) {
            return of(WorkloadFields.ALL.stream().filter(field -> field.name().equals(name)).findFirst().orElseThrow(),
                    removed);
        }

        private static <T> Detail<T> of(Field<WorkloadSpec, T> field, UnaryOperator<WorkloadSpec> removed) {
            return new Detail<>(field, removed, FieldViewModel.of(field, empty(field, removed), "",
                    typed -> typed.isBlank() ? List.of() : field.parse(typed), values -> ""));
        }

        /// What a workload has without it: "0", "true"; else it has no such limit.
        private static <T> String empty(Field<WorkloadSpec, T> field, UnaryOperator<WorkloadSpec> removed) {
            String value = String.join(", ", field.write(removed.apply(ANY)));
            return !value.isEmpty() ? value : !field.standard().isEmpty() ? field.standard()
                    : Messages.text("designer.no-limit");
        }

        void load(WorkloadSpec spec) {
            text.text().set(removed.apply(spec).equals(spec) ? "" : String.join(", ", field.write(spec)));
        }

        WorkloadSpec in(WorkloadSpec load) {
            WorkloadSpec without = removed.apply(load);
            List<T> values = text.value().orElse(List.of());
            // The number of requests has its own field.
            return values.isEmpty() ? without : field.with(without, values).withRequests(load.requests());
        }
    }

    /// Shows what a workload has.
    void load(WorkloadSpec spec) {
        details.forEach(detail -> detail.load(spec));
    }

    /// A workload with these fields; empty while one has a fault.
    Optional<WorkloadSpec> in(WorkloadSpec base) {
        if (details.stream().anyMatch(detail -> detail.text.value().isEmpty())) {
            return Optional.empty();
        }
        WorkloadSpec made = base;
        for (Detail<?> detail : details) {
            made = detail.in(made);
        }
        return Optional.of(made);
    }

    /// Whether the load ends with time.
    boolean timed() {
        return details.getFirst().text.value().filter(values -> !values.isEmpty()).isPresent();
    }

    /// Whether any of them is set.
    boolean any() {
        return details.stream().anyMatch(detail -> !detail.text.text().get().isBlank());
    }

    /// The fields, in the order of the form.
    List<FieldViewModel<?>> fields() {
        return details.stream().<FieldViewModel<?>>map(Detail::text).toList();
    }
}
