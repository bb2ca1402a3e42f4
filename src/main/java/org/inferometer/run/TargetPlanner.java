package org.inferometer.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Access;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetKind;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.wording.AdvisedText;

/// Finds faults of targets without contacting them.
record TargetPlanner(TargetKinds kinds) {
    private static final String TARGETS = ExperimentFields.TARGETS.name();
    /// As other tools name the servers that they measure.
    private static final Set<String> OTHER_SERVERS = Set.of("openai", "openai-chat", "openai-completions", "tgi",
            "ollama", "lmdeploy", "tensorrt-llm", "trtllm", "llama.cpp", "llamacpp");

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

    /// That a name is a server's or a tool's, which are targets; empty for other names.
    ///
    /// @param part what the name was given as: "a backend"
    Optional<AdvisedText> elsewhere(String part, String name) {
        Optional<TargetKind> kind = kinds.all().stream().filter(each -> each.name().equals(name)).findFirst();
        if (kind.isEmpty() && !OTHER_SERVERS.contains(name)) {
            return Optional.empty();
        }
        List<String> options =
                kind.stream().flatMap(each -> each.options().stream()).map(OptionDescription::name).toList();
        String running = "http:url=http://127.0.0.1:8000" + (name.equals("http") ? "" : ",name=" + name);
        String example = options.contains("engine_dir") ? name + ":engine_dir=FOLDER"
                : options.contains("ready") ? running + " for a running one and " + name + ":"
                        + (name.equals("serve") ? "command=..." : "model=NAME") + " to start one"
                : running;
        return Optional.of(new AdvisedText("\"" + name + "\" is not " + part + " but a server or tool. Give it with ",
                ExperimentFields.TARGETS.advice(), ", as in " + example + "."));
    }

    /// What the targets use outside the program. Unknown kinds are faults of the plan.
    Stream<Access> accesses(ExperimentSpec spec) {
        return spec.targets().stream().flatMap(target -> kinds.all().stream()
                .filter(kind -> kind.name().equals(target.name())).flatMap(kind -> kind.accesses(target).stream()));
    }
}
