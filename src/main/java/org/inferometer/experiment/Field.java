package org.inferometer.experiment;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.inferometer.finding.Advice;
import org.jspecify.annotations.Nullable;

/// One field of an experiment or of a workload. The command line, YAML files, the designer, commands to copy, the help and
/// the planner all read this.
///
/// @param arity how many values it takes
/// @param help one sentence
/// @param standard description of the default; empty if the default is a value
/// @param get its values in a record; empty where it is not set or has no text
/// @param set the record with other values
public record Field<R extends Record, T>(Naming naming, FieldType<T> type, Arity arity, String help, String standard,
        Function<R, List<T>> get, BiFunction<R, List<T>, R> set) {
    /// The names of a field.
    ///
    /// @param label in forms: "Repetitions"
    /// @param option on the command line, as in `--kv-memory`; absent for a field without one
    /// @param key in YAML files, as in `limits.max_length` for a key of a mapping; absent for a field without one
    public record Naming(String label, @Nullable String option, @Nullable String key) {}

    /// How many values a field takes.
    public enum Arity {
        /// One.
        ONE,
        /// True or false; the option alone means true.
        FLAG,
        /// Several: the option is repeated, YAML has a list.
        MANY,
        /// Several, also with commas between.
        LIST
    }

    /// A field of one value that is a component of the record.
    ///
    /// @param path the component, as in `limits.maxBatchRows` for one of a record in it
    /// @param unset value of the component that means none
    static <R extends Record, T> Field<R, T> component(Naming naming, FieldType<T> type, String path, @Nullable T unset,
            String help, String standard) {
        return new Field<>(naming, type, Arity.ONE, help, standard, record -> {
            @SuppressWarnings("unchecked") T value = (T) RecordCopy.get(record, path);
            return value == null || value.equals(unset) ? List.of() : List.of(value);
        }, (record, values) -> RecordCopy.with(record, path, values.isEmpty() ? unset : values.getFirst()));
    }

    /// A field of several values that is a component of the record.
    static <R extends Record, T> Field<R, T> list(Naming naming, FieldType<T> type, String path, String help,
            String standard) {
        return list(naming, type, Arity.MANY, path, help, standard);
    }

    /// A field of several values that is a component of the record.
    static <R extends Record, T> Field<R, T> list(Naming naming, FieldType<T> type, Arity arity, String path,
            String help, String standard) {
        return new Field<>(naming, type, arity, help, standard, record -> {
            @SuppressWarnings("unchecked") List<T> values = (List<T>) RecordCopy.get(record, path);
            return values == null ? List.of() : values;
        }, (record, values) -> RecordCopy.with(record, path, values));
    }

    /// A component that is true or false; written where it is true.
    static <R extends Record> Field<R, Boolean> flag(Naming naming, String path, String help) {
        return new Field<>(naming, FieldType.flag(), Arity.FLAG, help, "false",
                record -> Boolean.TRUE.equals(RecordCopy.get(record, path)) ? List.of(true) : List.of(),
                (record, values) -> RecordCopy.with(record, path, !values.isEmpty() && values.getFirst()));
    }

    /// Advice to give it another value.
    ///
    /// @throws NullPointerException if it has no option
    public Advice advice() {
        return new Advice.Setting(Objects.requireNonNull(naming.option()), naming.label());
    }

    /// The values of a record as they are written.
    public List<String> write(R record) {
        return get.apply(record).stream().map(type::write).toList();
    }

    /// The record with values that were written; the record itself if any of them has a fault.
    ///
    /// @param texts at least one
    /// @param faults takes one sentence for each fault
    public R read(R record, List<String> texts, Consumer<String> faults) {
        List<T> values = new ArrayList<>();
        if (!parse(texts, values, faults)) {
            return record;
        }
        try {
            return with(record, values);
        } catch (IllegalArgumentException e) {
            faults.accept(String.valueOf(e.getMessage()));
            return record;
        }
    }

    /// The values of a text in a form.
    ///
    /// @throws IllegalArgumentException with a sentence for each fault
    public List<T> parse(String text) {
        List<T> values = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        if (!parse(List.of(text), values, faults::add)) {
            throw new IllegalArgumentException(String.join(" ", faults));
        }
        return values;
    }

    private boolean parse(List<String> texts, List<T> values, Consumer<String> faults) {
        List<String> parts = arity != Arity.LIST ? texts
                : texts.stream().flatMap(text -> type.parts().apply(text).stream()).toList();
        Set<T> distinct = new HashSet<>();
        boolean sound = true;
        for (String part : parts) {
            try {
                T value = type.read(part);
                values.add(value);
                if (!distinct.add(value)) {
                    throw new IllegalArgumentException(type.write(value) + " is given twice. Keep one.");
                }
            } catch (IllegalArgumentException e) {
                faults.accept(String.valueOf(e.getMessage()));
                sound = false;
            }
        }
        return sound;
    }

    /// The record with other values.
    ///
    /// @throws IllegalArgumentException with one sentence when they do not fit the rest of the record
    public R with(R record, List<T> values) {
        return set.apply(record, values);
    }

    /// The values of a record that are out of range, a sentence each.
    public void check(R record, Consumer<String> faults) {
        for (T value : get.apply(record)) {
            try {
                type.read(type.write(value));
            } catch (IllegalArgumentException e) {
                faults.accept(String.valueOf(e.getMessage()));
            }
        }
    }

    /// The option on the command line; absent for a field without one.
    public @Nullable String option() {
        return naming.option;
    }

    /// The key in YAML files; absent for a field without one.
    public @Nullable String key() {
        return naming.key;
    }

    /// The name in messages: the key, or the option without dashes.
    public String name() {
        String key = naming.key;
        String option = naming.option;
        return key != null ? key : option == null ? naming.label : option.substring(2);
    }
}
