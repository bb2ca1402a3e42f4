package org.inferometer.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Puts options of the command line over a preset or a specification. What they leave open stays.
///
/// @param spec where an option has a fault, as it was without it
/// @param faults of all options, in the order of the table
public record SpecOptions(ExperimentSpec spec, List<PlanFault> faults) {
    /// A load has one of these.
    private static final List<Field<ExperimentSpec, ?>> WAYS_TO_ARRIVE = List.of(ExperimentFields.CONCURRENCY,
            ExperimentFields.RATE, ExperimentFields.ARRIVALS, ExperimentFields.SEARCH);

    /// Without names of options: a sweep names the owner of an option.
    ///
    /// @param given the texts of each option, as in `--engine`
    public static SpecOptions over(ExperimentSpec base, Map<String, List<String>> given) {
        return over(base, given, KnownOptions.NONE);
    }

    /// @param given the texts of each option, as in `--engine`
    /// @param known the options that a sweep may name
    public static SpecOptions over(ExperimentSpec base, Map<String, List<String>> given, KnownOptions known) {
        List<PlanFault> faults = new ArrayList<>();
        List<String> ways = new ArrayList<>(WAYS_TO_ARRIVE.stream().map(field -> String.valueOf(field.option()))
                .filter(given::containsKey).toList());
        if (sweptLoad(given)) {
            ways.add(String.valueOf(ExperimentFields.SWEEP.option()));
        }
        if (ways.size() > 1) {
            faults.add(new PlanFault(ways.getLast(),
                    "Give only one of " + String.join(", ", ways) + ": a load has one way to arrive."));
        }
        for (String text : given.getOrDefault(String.valueOf(ExperimentFields.SWEEP.option()), List.of())) {
            String option = "--" + text.replaceFirst("=.*", "").strip().replace('_', '-');
            if (given.containsKey(option) && !Sweep.ofLoad(text)) {
                faults.add(new PlanFault(option, "Give either " + option + " or a sweep of it, not both."));
            }
        }
        ExperimentSpec spec = prepared(base, given);
        for (Field<ExperimentSpec, ?> field : ExperimentFields.ALL) {
            String option = String.valueOf(field.option());
            List<String> texts = given.get(option);
            if (texts != null && !(ways.size() > 1 && ways.contains(option))) {
                spec = known(field, known).read(spec, texts, sentence -> faults.add(new PlanFault(option, sentence)));
            }
        }
        // A preset's baseline that the options took away is the first system again.
        boolean kept = has(given, ExperimentFields.BASELINE) || spec.baselineSystem().isPresent();
        return new SpecOptions(kept ? spec : spec.withBaseline(null), List.copyOf(faults));
    }

    private static Field<ExperimentSpec, ?> known(Field<ExperimentSpec, ?> field, KnownOptions known) {
        return field.equals(ExperimentFields.SWEEP) ? ExperimentFields.sweep(known) : field;
    }

    /// Whether a sweep sets how requests arrive. A sweep with a fault is reported when it is read.
    private static boolean sweptLoad(Map<String, List<String>> given) {
        return given.getOrDefault(String.valueOf(ExperimentFields.SWEEP.option()), List.of()).stream()
                .anyMatch(Sweep::ofLoad);
    }

    /// The faults of a plan at the options that were given for their fields.
    public static List<PlanFault> located(Map<String, List<String>> given, List<PlanFault> faults) {
        return faults.stream()
                .map(fault -> ExperimentFields.ALL.stream()
                        .filter(field -> field.name().equals(fault.where()) && has(given, field)).findFirst()
                        .map(field -> new PlanFault(String.valueOf(field.option()), fault.sentence())).orElse(fault))
                .toList();
    }

    /// The base without what the given options replace as a whole.
    private static ExperimentSpec prepared(ExperimentSpec base, Map<String, List<String>> given) {
        ExperimentSpec spec = base;
        boolean engines = has(given, ExperimentFields.ENGINES);
        boolean onlyTargets = base.engines().isEmpty() && !base.targets().isEmpty();
        if (has(given, ExperimentFields.TARGETS) ? !engines : engines && onlyTargets) {
            // Targets take the place of a preset's engines, and engines that of a file's targets.
            spec = spec.onTargetsOnly(List.of());
        }
        if (engines && spec.schedulers().isEmpty()) {
            spec = ExperimentFields.SCHEDULERS.with(spec, ExperimentSpec.STANDARD.schedulers());
            spec = ExperimentFields.BACKEND.with(spec, ExperimentSpec.STANDARD.backends());
        }
        boolean otherLoads = sweptLoad(given) || has(given, ExperimentFields.WORKLOADS);
        return spec.searching(spec.search() && !otherLoads);
    }

    private static boolean has(Map<String, List<String>> given, Field<ExperimentSpec, ?> field) {
        return given.containsKey(String.valueOf(field.option()));
    }
}
