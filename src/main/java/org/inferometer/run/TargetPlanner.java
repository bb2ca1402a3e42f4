package org.inferometer.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Access;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetKind.TargetKinds;

/// Finds faults of targets without contacting them.
record TargetPlanner(TargetKinds kinds) {
    private static final String TARGETS = ExperimentFields.TARGETS.name();

    List<PlanFault> faults(ExperimentSpec spec) {
        List<PlanFault> faults = new ArrayList<>();
        boolean several = spec.workloads().stream().anyMatch(load -> load.refinements().answers() > 1);
        boolean early = spec.workloads().stream().anyMatch(load -> !load.refinements().earlyEnd().isNone());
        Set<String> labels = spec.engines().isEmpty() ? new HashSet<>()
                : spec.schedulers().stream().map(Selection::toString).collect(Collectors.toCollection(HashSet::new));
        for (Selection target : spec.targets()) {
            try {
                TargetKind kind = kinds.find(target.name());
                kind.faults(target).forEach(sentence -> faults.add(new PlanFault(TARGETS, sentence)));
                if (several && !kind.givesSeveralAnswers()) {
                    faults.add(new PlanFault(TARGETS, target.name()
                            + " gives one answer to a prompt. Leave n out of the workloads, or this target."));
                }
                if (early && !kind.endsAnswersEarly()) {
                    faults.add(new PlanFault(TARGETS, target.name()
                            + " gives answers of the length asked. Leave ignore_eos and stop out of the workloads, or this target."));
                }
            } catch (IllegalArgumentException e) {
                faults.add(new PlanFault(TARGETS, String.valueOf(e.getMessage())));
            }
            if (!labels.add(new TargetSubject(target).label())) {
                // A refused address may hold a password, so the selection is not shown.
                faults.add(new PlanFault(TARGETS, "The name of a " + target.name() + " target stands twice in tables."
                        + " Name it, as in " + target.name() + ":name=first,..."));
            }
        }
        return faults;
    }

    /// What the targets use outside the program. Unknown kinds are faults of the plan.
    Stream<Access> accesses(ExperimentSpec spec) {
        return spec.targets().stream().flatMap(target -> kinds.all().stream()
                .filter(kind -> kind.name().equals(target.name())).flatMap(kind -> kind.accesses(target).stream()));
    }
}
