package org.inferometer.engine.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.inferometer.units.FileFault;
import org.inferometer.units.NearMisses;
import org.inferometer.yaml.YamlFaults;
import org.inferometer.yaml.YamlMapping;
import org.inferometer.yaml.YamlNode;
import org.inferometer.yaml.YamlReader;
import org.jspecify.annotations.Nullable;

/// Reads typed fields that must be present. After a fault a method returns a harmless value, so that all faults are
/// found. Callers check for faults before they use a value.
///
/// @param remedy what the user can do, as a sentence
public record RequiredFields(Path file, String remedy, YamlMapping mapping) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private static final YamlReader.Limits LIMITS = new YamlReader.Limits(64 * 1024, 8, 0);

    /// The fields of a recipe or descriptor. Faults of a readable file are kept for [#check].
    public static RequiredFields read(Path file, String remedy) throws EngineFormatException {
        YamlFaults faults = new YamlFaults();
        try {
            Optional<YamlMapping> root = YamlReader.read(file, LIMITS, faults);
            if (root.isPresent()) {
                return new RequiredFields(file, remedy, root.get());
            }
        } catch (IOException e) {
            throw new EngineFormatException(file, FileFault.reason(e) + ".", remedy, e);
        }
        throw new EngineFormatException(file, faults.text(), remedy);
    }

    /// @throws EngineFormatException with all faults of the file, if there are any
    public void check() throws EngineFormatException {
        if (!mapping.faults().isEmpty()) {
            throw new EngineFormatException(file, mapping.faults().text(), remedy);
        }
    }

    public long whole(String key, long min, long max) {
        return plain(key, "a whole number from " + min + " to " + max, text -> {
            // Decimal digits only: other readers parse 010 as eight and 0x10 as sixteen.
            if (!text.matches("-?(0|[1-9]\\d*)")) {
                return null;
            }
            long number = Long.parseLong(text);
            return number >= min && number <= max ? number : null;
        }).orElse(min);
    }

    public int count(String key, int max) {
        return (int) whole(key, 1, max);
    }

    public double positive(String key) {
        return plain(key, "a positive number", text -> {
            double number = Double.parseDouble(text);
            return number > 0 && number < Double.POSITIVE_INFINITY ? number : null;
        }).orElse(1.0);
    }

    public boolean flag(String key) {
        return plain(key, "true or false",
                text -> text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null).orElse(false);
    }

    public String text(String key, Pattern pattern, String expected) {
        return scalar(key, expected, scalar -> pattern.matcher(scalar.text()).matches() ? scalar.text() : null)
                .orElse("");
    }

    /// The name of an engine or model, valid as a folder name and an option on every system.
    public String name(String key) {
        return text(key, NAME, "a name of letters, digits, dots, dashes and underscores");
    }

    /// The constant with this name in lower case.
    public <E extends Enum<E>> E constant(String key, Class<E> type) {
        List<E> values = List.of(type.getEnumConstants());
        List<String> names = values.stream().map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
        return scalar(key, "one of " + String.join(", ", names), scalar -> {
            int index = names.indexOf(scalar.text());
            if (index < 0) {
                mapping.fault(key, NearMisses.sentence(key, scalar.text(), names));
            }
            return values.get(Math.max(0, index));
        }).orElse(values.getFirst());
    }

    /// A nested group; empty after a fault.
    public Optional<RequiredFields> group(String key) {
        if (mapping.node(key).isEmpty()) {
            mapping.fault(key, "\"" + key + "\" is missing.");
        }
        return mapping.mapping(key).map(group -> new RequiredFields(file, remedy, group));
    }

    private <T> Optional<T> plain(String key, String expected, Function<String, @Nullable T> convert) {
        return scalar(key, expected, scalar -> scalar.quoted() ? null : convert.apply(scalar.text()));
    }

    private <T> Optional<T> scalar(String key, String expected, Function<YamlNode.Scalar, @Nullable T> convert) {
        Optional<YamlNode> node = mapping.node(key);
        if (node.isEmpty()) {
            mapping.fault(key, "\"" + key + "\" is missing; it must be " + expected + ".");
            return Optional.empty();
        }
        Optional<T> value = Optional.empty();
        if (node.get() instanceof YamlNode.Scalar scalar && mapping.has(key)) {
            try {
                value = Optional.ofNullable(convert.apply(scalar));
            } catch (NumberFormatException outOfRange) {
                value = Optional.empty();
            }
        }
        if (value.isEmpty()) {
            mapping.fault(key, "\"" + key + "\" must be " + expected + ", not " + node.get().describe() + ".");
        }
        return value;
    }
}
