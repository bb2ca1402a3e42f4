package org.inferometer.yaml;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.units.OneLine;

/// A value of a YAML or JSON file with its line. A value of the wrong kind is a fault and reads as absent.
public sealed interface YamlNode permits YamlNode.Scalar, YamlNode.Sequence, YamlMapping {
    /// Counted from 1.
    int line();

    /// Where faults of this value are collected.
    YamlFaults faults();

    /// The kind for messages, such as "a list"; a scalar in quotes.
    String describe();

    /// A word, number, truth value or null as it is written.
    ///
    /// @param text with line breaks as spaces and without characters that steer a terminal
    /// @param raw all characters as they are written
    /// @param quoted whether quotes or a block mark it as text
    record Scalar(int line, YamlFaults faults, String text, String raw, boolean quoted) implements YamlNode {
        private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

        /// Whether it is written as null: empty, `~` or `null`.
        public boolean isNull() {
            return !quoted && NULLS.contains(text);
        }

        @Override
        public String describe() {
            return isNull() ? "empty" : "\"" + OneLine.of(text) + "\"";
        }
    }

    /// A list.
    record Sequence(int line, YamlFaults faults, List<YamlNode> nodes) implements YamlNode {
        @Override
        public String describe() {
            return "a list";
        }
    }

    /// The text of a scalar; empty, without a fault, for other kinds.
    default Optional<String> plainText() {
        return this instanceof Scalar scalar ? Optional.of(scalar.text) : Optional.empty();
    }

    /// A scalar, converted; an [IllegalArgumentException] of the conversion is a fault.
    default <T> Optional<T> value(Function<String, T> convert) {
        if (this instanceof Scalar scalar) {
            return attempt(() -> convert.apply(scalar.text));
        }
        fault("Expected a plain value, found " + describe() + ".");
        return Optional.empty();
    }

    /// As [#value] for a text with line breaks.
    default <T> Optional<T> rawValue(Function<String, T> convert) {
        return value(text -> convert.apply(this instanceof Scalar scalar ? scalar.raw : text));
    }

    /// The keys and values, where this is a mapping.
    default Optional<YamlMapping> mapping() {
        if (this instanceof YamlMapping mapping) {
            return Optional.of(mapping);
        }
        fault("Expected keys and values, found " + describe() + ".");
        return Optional.empty();
    }

    /// The elements of a list; any other value counts as a list of one.
    default List<YamlNode> items() {
        return this instanceof Sequence sequence ? sequence.nodes : List.of(this);
    }

    /// The supplier's value; its [IllegalArgumentException] is a fault at this line. Absent, too, where no more faults are kept.
    default <T> Optional<T> attempt(Supplier<T> supplier) {
        if (faults().isFull()) {
            return Optional.empty();
        }
        try {
            return Optional.of(supplier.get());
        } catch (IllegalArgumentException e) {
            fault(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /// Adds a fault at this line.
    default void fault(String sentence) {
        faults().add(line(), sentence);
    }
}
