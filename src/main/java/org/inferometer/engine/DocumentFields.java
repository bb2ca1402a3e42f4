package org.inferometer.engine;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.engine.DocumentNode.Scalar;
import org.inferometer.engine.DocumentNode.Scalar.Type;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;

/// Takes typed fields out of a group, noting every fault and going on with a harmless value, so that all are found at once.
///
/// What a method returns after it noted a fault means nothing; callers ask [Faults#throwIfAny()] before they use anything.
final class DocumentFields {
    private final DocumentNode.Mapping mapping;
    private final Faults faults;
    private final Set<String> asked = new LinkedHashSet<>();

    DocumentFields(DocumentNode.Mapping mapping, Faults faults) {
        this.mapping = mapping;
        this.faults = faults;
    }

    /// Whether a field is there and not empty.
    boolean has(String name) {
        asked.add(name);
        return mapping.fields().containsKey(name)
                && !(value(name) instanceof Scalar scalar && scalar.type() == Type.NULL);
    }

    /// The line of a field, or of the group where it is missing.
    int line(String name) {
        DocumentNode.Field field = mapping.fields().get(name);
        return field == null ? mapping.line() : field.line();
    }

    long whole(String name, long min, long max) {
        String expected = "a whole number from " + min + " to " + max;
        return scalar(name, Set.of(Type.WHOLE), expected, text -> {
            // Plain decimal digits only: YAML would take 010 for eight and 0x10 for sixteen.
            if (!text.matches("-?(0|[1-9]\\d*)")) {
                return null;
            }
            long number = Long.parseLong(text);
            return number >= min && number <= max ? number : null;
        }).orElse(min);
    }

    int count(String name, int max) {
        return (int) whole(name, 1, max);
    }

    double positive(String name) {
        return scalar(name, Set.of(Type.WHOLE, Type.DECIMAL), "a positive number", text -> {
            double number = Double.parseDouble(text);
            return number > 0 && number < Double.POSITIVE_INFINITY ? number : null;
        }).orElse(1.0);
    }

    boolean flag(String name) {
        return scalar(name, Set.of(Type.FLAG), "true or false", text -> text.equalsIgnoreCase("true")).orElse(false);
    }

    String text(String name, String pattern, String expected) {
        return scalar(name, Set.of(Type.TEXT, Type.WHOLE, Type.DECIMAL, Type.FLAG), expected,
                text -> text.matches(pattern) ? text : null).orElse("");
    }

    <E extends Enum<E>> E word(String name, Class<E> choices) {
        List<E> values = List.of(choices.getEnumConstants());
        List<String> words = values.stream().map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
        return scalar(name, Set.of(Type.TEXT), "one of " + String.join(", ", words), text -> {
            int index = words.indexOf(text);
            if (index < 0) {
                faults.add(line(name), NearMisses.sentence(name, text, words));
            }
            return values.get(Math.max(0, index));
        }).orElse(values.getFirst());
    }

    /// A nested group; empty after a fault.
    Optional<DocumentFields> group(String name) {
        DocumentNode value = value(name);
        if (value instanceof DocumentNode.Mapping group) {
            return Optional.of(new DocumentFields(group, faults));
        }
        fault(name, value == null ? "\"" + name + "\" is missing."
                : "\"" + name + "\" must be a group of fields, not " + value.kind() + ".");
        return Optional.empty();
    }

    /// Notes every field that nobody asked for.
    void noOthers(String... alsoValid) {
        Set<String> valid = new LinkedHashSet<>(asked);
        valid.addAll(Arrays.asList(alsoValid));
        Set<String> unknown = new HashSet<>(mapping.fields().keySet());
        unknown.removeAll(valid);
        mapping.fields().forEach((name, field) -> {
            if (unknown.contains(name)) {
                faults.add(field.line(), NearMisses.sentence("field", name, valid));
            }
        });
    }

    void fault(String name, String sentence) {
        faults.add(line(name), sentence);
    }

    private @Nullable DocumentNode value(String name) {
        asked.add(name);
        DocumentNode.Field field = mapping.fields().get(name);
        return field == null ? null : field.value();
    }

    private <T> Optional<T> scalar(String name, Set<Type> types, String expected,
            Function<String, @Nullable T> reading) {
        DocumentNode value = value(name);
        if (value == null) {
            fault(name, "\"" + name + "\" is missing; it is " + expected + ".");
            return Optional.empty();
        }
        Optional<T> read = Optional.empty();
        if (value instanceof Scalar scalar && types.contains(scalar.type())) {
            try {
                read = Optional.ofNullable(reading.apply(scalar.text()));
            } catch (NumberFormatException tooLong) {
                read = Optional.empty();
            }
        }
        if (read.isEmpty()) {
            fault(name, "\"" + name + "\" must be " + expected + ", not " + value.kind() + ".");
        }
        return read;
    }
}
