package org.inferometer.options;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.units.LetterCase;
import org.inferometer.units.NearMisses;

/// Describes option records and creates them from user input.
///
/// An options record has components of type int, long, double, boolean, String or an enum, each annotated with [Option].
/// Enum constants are written in lower case. A component may also be a record of options, whose options join the others.
public final class OptionRecords {
    /// The options of a type by component. Planning reads them thousands of times, and the JDK parses annotations each time.
    private static final ClassValue<Map<String, OptionDescription>> DESCRIBED = new ClassValue<>() {
        @Override
        protected Map<String, OptionDescription> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents()).filter(component -> !component.getType().isRecord())
                    .collect(Collectors.toUnmodifiableMap(RecordComponent::getName, OptionRecords::annotated));
        }
    };

    private static final int MOST_CHARACTERS = 4096;

    private OptionRecords() {}

    /// The options of a record type, in declaration order.
    public static List<OptionDescription> describe(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .flatMap(component -> component.getType().isRecord()
                        ? describe(component.getType().asSubclass(Record.class)).stream()
                        : Stream.of(describe(component)))
                .toList();
    }

    /// An instance with the given values and defaults for others.
    ///
    /// @throws OptionException with all faults: unknown names with near misses, values out of range
    public static <R extends Record> R read(Class<R> type, Selection selection) throws OptionException {
        List<String> faults = new ArrayList<>();
        List<OptionDescription> descriptions = describe(type);
        Map<String, String> given = new LinkedHashMap<>();
        selection.options()
                .forEach((word, value) -> descriptions.stream().filter(option -> option.answersTo(word)).findFirst()
                        .ifPresentOrElse(option -> given.put(option.name(), value),
                                () -> faults.add(unknown(selection, word, descriptions))));
        R options = read(type, selection.name(), given, faults);
        if (!faults.isEmpty()) {
            throw new OptionException(faults);
        }
        return options;
    }

    /// A component with a fault gets its default.
    private static <R extends Record> R read(Class<R> type, String owner, Map<String, String> given,
            List<String> faults) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Class<?> component = components[i].getType();
            if (component.isRecord()) {
                values[i] = read(component.asSubclass(Record.class), owner, given, faults);
                continue;
            }
            OptionDescription option = describe(components[i]);
            String text = given.getOrDefault(option.name(), option.standard());
            try {
                values[i] = value(component, option, text);
            } catch (IllegalArgumentException e) {
                faults.add(owner + ": " + option.name() + "=" + text + ": expected " + option.range()
                        + (option.unit().isEmpty() ? "" : " " + option.unit()) + ".");
                values[i] = value(component, option, option.standard());
            }
        }
        return instance(type, components, values);
    }

    /// Like [#read], for options that were checked before or are written inside another text.
    ///
    /// @throws IllegalArgumentException with all faults
    public static <R extends Record> R parse(Class<R> type, Selection selection) {
        try {
            return read(type, selection);
        } catch (OptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// The options of a record that differ from their defaults, in the form that [#read] takes.
    public static Map<String, String> write(Record options) {
        Map<String, String> written = new LinkedHashMap<>();
        for (RecordComponent component : options.getClass().getRecordComponents()) {
            Object value = component(options, component);
            if (value instanceof Record nested) {
                written.putAll(write(nested));
                continue;
            }
            OptionDescription option = describe(component);
            if (!value.equals(value(component.getType(), option, option.standard()))) {
                written.put(option.name(), value instanceof Enum<?> ? word(value) : value.toString());
            }
        }
        return written;
    }

    private static Object component(Record options, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(options);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Options record " + options.getClass() + " cannot be read", e);
        }
    }

    private static String unknown(Selection selection, String word, List<OptionDescription> descriptions) {
        List<String> names = descriptions.stream().map(OptionDescription::name).toList();
        return names.isEmpty() ? selection.name() + " takes no options; \"" + word + "\" is unknown."
                : NearMisses.sentence("option of " + selection.name(), word, names);
    }

    private static OptionDescription describe(RecordComponent component) {
        return Objects.requireNonNull(DESCRIBED.get(component.getDeclaringRecord()).get(component.getName()));
    }

    private static OptionDescription annotated(RecordComponent component) {
        Option option = component.getAnnotation(Option.class);
        if (option == null) {
            throw new IllegalArgumentException("Component " + component.getName() + " has no @Option");
        }
        return new OptionDescription(option.name(), List.of(option.aliases()), kind(component.getType(), option),
                option.standard(), option.unit(), help(option), option.zero());
    }

    /// "Maximum tokens in a step; 0 for the run's limit."
    private static String help(Option option) {
        int stop = option.help().indexOf('.');
        return option.zero().isEmpty() ? option.help()
                : option.help().substring(0, stop) + "; 0 for " + option.zero() + option.help().substring(stop);
    }

    private static OptionKind kind(Class<?> type, Option option) {
        if (type == int.class || type == long.class) {
            double top = type == int.class ? Math.min(option.max(), Integer.MAX_VALUE) : option.max();
            return new OptionKind.Whole((long) option.min(), (long) top);
        }
        if (type == double.class) {
            return new OptionKind.Decimal(option.min(), option.max());
        }
        if (type == boolean.class) {
            return new OptionKind.Flag();
        }
        if (type == String.class) {
            return new OptionKind.Text();
        }
        if (type.isEnum()) {
            return new OptionKind.Choice(Arrays.stream(type.getEnumConstants()).map(OptionRecords::word).toList());
        }
        throw new IllegalArgumentException("No option kind for " + type);
    }

    private static Object value(Class<?> type, OptionDescription option, String text) {
        return switch (option.kind()) {
            case OptionKind.Whole(long min, long max) -> {
                long value = Long.parseLong(text);
                require(value >= min && value <= max);
                yield type == int.class ? (Object) (int) value : (Object) value;
            }
            case OptionKind.Decimal(double min, double max) -> {
                double value = Double.parseDouble(text);
                require(value >= min && value <= max);
                yield value;
            }
            case OptionKind.Flag() -> {
                require(text.equals("true") || text.equals("false"));
                yield Boolean.parseBoolean(text);
            }
            case OptionKind.Choice(List<String> words) -> {
                int index = words.indexOf(LetterCase.lower(text));
                require(index >= 0);
                yield type.getEnumConstants()[index];
            }
            case OptionKind.Text() -> {
                require(text.length() <= MOST_CHARACTERS && text.chars().noneMatch(Character::isISOControl));
                yield text;
            }
        };
    }

    private static void require(boolean accepted) {
        if (!accepted) {
            throw new IllegalArgumentException("out of range");
        }
    }

    private static String word(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
    }

    private static <R extends Record> R instance(Class<R> type, RecordComponent[] components, Object[] values) {
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Options record " + type + " cannot be made", e);
        }
    }
}
