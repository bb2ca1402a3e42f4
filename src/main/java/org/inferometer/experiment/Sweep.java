package org.inferometer.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.KnownOptions.Owner;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.options.Selection;
import org.inferometer.units.NearMisses;
import org.inferometer.units.OneLine;
import org.inferometer.workload.WorkloadSpec;

/// One field over several values, each of which makes a cell: `prompt_tokens=64,256,1024`.
///
/// The field is a strength of load, a field of a workload, a limit of engines, or an option of a scheduler, backend or target. An option
/// that several of these take is written with its owner: `backend.threads=1,2`.
///
/// @param values as written; commas in parentheses belong to a value
public record Sweep(String field, List<String> values) {
    private static final int MOST = 200;
    /// Options that all sweeps of an experiment make together, in copies of selections.
    private static final long MOST_OPTIONS = 5 * ExperimentSpec.MOST_CELLS;
    private static final Set<String> LOADS =
            Arrays.stream(Measure.values()).map(Measure::id).collect(Collectors.toSet());
    /// These choose other fields, or are swept by their own measure.
    private static final Set<String> NOT_SWEPT = Set.of("preset", "trace", "name", "prompts", "arrivals");

    /// Reads `field=value,value`.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static Sweep parse(String text) {
        int equals = text.indexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException("\"" + OneLine.of(text)
                    + "\" is not a sweep. Write a field and its values, as in prompt_tokens=64,256,1024.");
        }
        String field = text.substring(0, equals).strip();
        List<String> values = split(field, text.substring(equals + 1));
        if (LOADS.contains(field)) {
            LoadSweep.parse(text);
            return new Sweep(field, values);
        }
        for (String value : values) {
            if (value.isEmpty()) {
                throw new IllegalArgumentException(
                        "A value of " + field + " is empty in \"" + OneLine.of(text) + "\".");
            }
            if (values.indexOf(value) != values.lastIndexOf(value)) {
                throw new IllegalArgumentException(value + " is given twice. Keep one.");
            }
        }
        return new Sweep(field, values);
    }

    /// Splits at commas outside parentheses; a comma in a parenthesis that is not closed splits too.
    private static List<String> split(String field, String text) {
        List<String> values = new ArrayList<>();
        int from = 0;
        int closed = text.indexOf(')');
        int opened = text.indexOf('(');
        for (int comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', comma + 1)) {
            closed = closed >= 0 && closed < comma ? text.indexOf(')', comma) : closed;
            opened = opened >= 0 && opened < comma ? text.indexOf('(', comma) : opened;
            if (closed >= 0 && (opened < 0 || closed < opened)) {
                continue;
            }
            values.add(text.substring(from, comma).strip());
            from = comma + 1;
            if (values.size() >= MOST) {
                throw new IllegalArgumentException(
                        "More than " + MOST + " values for " + OneLine.of(field) + ". Give fewer.");
            }
        }
        values.add(text.substring(from).strip());
        return List.copyOf(values);
    }

    /// The text that [#parse] reads back.
    @Override
    public String toString() {
        return field + "=" + String.join(",", values);
    }

    /// Whether it sets how requests arrive.
    boolean ofLoad() {
        return LOADS.contains(field);
    }

    /// Whether a written sweep sets how requests arrive; false for a text that is no sweep.
    static boolean ofLoad(String text) {
        int equals = text.indexOf('=');
        return equals > 0 && LOADS.contains(text.substring(0, equals).strip());
    }

    /// The experiment under all sweeps: their product.
    ///
    /// @throws IllegalArgumentException with one sentence if two sweeps set the same, or the product has too many cells
    static ExperimentSpec product(List<Sweep> sweeps, ExperimentSpec spec, KnownOptions known) {
        if (sweeps.stream().filter(Sweep::ofLoad).count() > 1) {
            throw new IllegalArgumentException(
                    "Give only one of " + String.join(", ", new TreeSet<>(LOADS)) + ": a load has one way to arrive.");
        }
        ExperimentSpec swept = spec;
        long options = 0;
        Set<String> fields = new HashSet<>();
        for (Sweep each : sweeps) {
            if (!fields.add(each.field)) {
                throw new IllegalArgumentException(each.field + " is swept twice. Give all its values in one sweep.");
            }
            // Before anything is made: a file of others may ask for any number.
            long made = Stream
                    .of(swept.cellCount(), (long) swept.workloads().size(), (long) swept.schedulers().size(),
                            (long) swept.backends().size(), (long) swept.targets().size())
                    .max(Long::compare).orElseThrow();
            if (made > ExperimentSpec.MOST_CELLS / each.values.size()) {
                throw new IllegalArgumentException(
                        "More than " + ExperimentSpec.MOST_CELLS + " cells. Give fewer sweeps or values.");
            }
            options += each.values.size() * optionCount(swept);
            if (options > MOST_OPTIONS) {
                throw new IllegalArgumentException("The sweeps make more than " + MOST_OPTIONS
                        + " options of schedulers, backends and targets. Give fewer sweeps or options.");
            }
            swept = each.over(swept, known);
        }
        return swept;
    }

    /// The experiment with every value of the field.
    ///
    /// @throws IllegalArgumentException with one sentence if nothing in the experiment has the field, or a value is not accepted
    ExperimentSpec over(ExperimentSpec spec, KnownOptions known) {
        if (ofLoad()) {
            return spec.withWorkloads(LoadSweep.parse(toString()).over(spec.workloads()));
        }
        for (Field<ExperimentSpec, ?> limit : ExperimentFields.SWEPT) {
            if (shortName(limit).equals(field)) {
                return read(limit, spec, values);
            }
        }
        for (Field<WorkloadSpec, ?> load : WorkloadFields.ALL) {
            if (load.name().equals(field) && !NOT_SWEPT.contains(field)) {
                return spec.withWorkloads(spec.workloads().stream().flatMap(each -> values.stream().map(
                        value -> read(load, each, List.of(value)).withName(each.name() + "-" + field + "=" + value)))
                        .toList());
            }
        }
        return ofOption(spec, known);
    }

    private ExperimentSpec ofOption(ExperimentSpec spec, KnownOptions known) {
        for (Owner owner : Owner.values()) {
            if (field.startsWith(owner.word() + ".")) {
                return replaced(spec, owner, field.substring(owner.word().length() + 1), each -> true);
            }
        }
        Map<Owner, Predicate<Selection>> owners = new EnumMap<>(Owner.class);
        for (Owner owner : Owner.values()) {
            Predicate<Selection> having = each -> known.of(owner, each.name()).contains(field);
            if (selections(spec, owner).stream().anyMatch(having)) {
                owners.put(owner, having);
            }
        }
        if (owners.isEmpty()) {
            throw new IllegalArgumentException(NearMisses.sentence("field of a sweep", field, names(spec, known)));
        }
        if (owners.size() > 1) {
            throw new IllegalArgumentException(field + " is an option of more than one part. Write " + owners.keySet()
                    .stream().map(owner -> owner.word() + "." + field).collect(Collectors.joining(" or ")) + ".");
        }
        Map.Entry<Owner, Predicate<Selection>> only = owners.entrySet().iterator().next();
        return replaced(spec, only.getKey(), field, only.getValue());
    }

    /// @param having the selections that take the option; others stay as they are
    private ExperimentSpec replaced(ExperimentSpec spec, Owner owner, String option, Predicate<Selection> having) {
        if (selections(spec, owner).isEmpty()) {
            throw new IllegalArgumentException("The experiment has no " + owner.word() + " for " + field + ".");
        }
        List<Selection> swept = new ArrayList<>();
        for (Selection selection : selections(spec, owner)) {
            if (having.test(selection)) {
                values.forEach(value -> swept.add(with(selection, owner, option, value)));
            } else {
                swept.add(selection);
            }
        }
        return switch (owner) {
            case SCHEDULER -> ExperimentFields.SCHEDULERS.with(spec, swept);
            case BACKEND -> ExperimentFields.BACKEND.with(spec, swept);
            case TARGET -> ExperimentFields.TARGETS.with(spec, swept);
        };
    }

    /// Results know a target by its name, so that has the value.
    private static Selection with(Selection selection, Owner owner, String option, String value) {
        Map<String, String> options = new LinkedHashMap<>(selection.options());
        options.put(option, value);
        if (owner == Owner.TARGET) {
            options.put("name", new Subject.TargetSubject(selection).system() + " " + option + "=" + value);
        }
        return new Selection(selection.name(), options);
    }

    private static long optionCount(ExperimentSpec spec) {
        return Arrays.stream(Owner.values()).flatMap(owner -> selections(spec, owner).stream())
                .mapToLong(each -> 1 + each.options().size()).sum();
    }

    private static List<Selection> selections(ExperimentSpec spec, Owner owner) {
        return switch (owner) {
            case SCHEDULER -> spec.schedulers();
            case BACKEND -> spec.backends();
            case TARGET -> spec.targets();
        };
    }

    /// The fields that every experiment can sweep.
    public static Set<String> fields() {
        Set<String> names = new LinkedHashSet<>();
        Arrays.stream(Measure.values()).map(Measure::id).forEach(names::add);
        ExperimentFields.SWEPT.forEach(limit -> names.add(shortName(limit)));
        WorkloadFields.ALL.stream().map(Field::name).filter(name -> !NOT_SWEPT.contains(name)).forEach(names::add);
        return names;
    }

    private static Set<String> names(ExperimentSpec spec, KnownOptions known) {
        Set<String> names = fields();
        for (Owner owner : Owner.values()) {
            selections(spec, owner).forEach(each -> names.addAll(known.of(owner, each.name())));
        }
        return names;
    }

    private static String shortName(Field<ExperimentSpec, ?> field) {
        return field.name().substring(field.name().lastIndexOf('.') + 1);
    }

    private static <R extends Record> R read(Field<R, ?> field, R record, List<String> texts) {
        List<String> faults = new ArrayList<>();
        R changed = field.read(record, texts, faults::add);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join(" ", faults));
        }
        return changed;
    }
}
