package org.inferometer.results;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks a record read from a file: no component is null unless nullable, and no number is infinite or NaN.
public final class RecordValidator {
    private static final int DEEPEST = 40;

    private RecordValidator() {}

    /// A sentence on the first violated constraint.
    public static Optional<String> firstFault(Record record) {
        return broken(record, "", 0);
    }

    private static Optional<String> broken(@Nullable Object value, String where, int depth) {
        if (depth > DEEPEST) {
            return Optional.of("\"" + where + "\" is nested too deeply.");
        }
        return switch (value) {
            case null -> Optional.of("\"" + where + "\" is missing.");
            case Double number when !Double.isFinite(number) ->
                Optional.of("\"" + where + "\" is not a finite number.");
            case List<?> list -> brokenElement(list, where, depth);
            case Map<?, ?> map -> brokenElement(List.copyOf(map.values()), where, depth);
            case Record record -> brokenComponent(record, where, depth);
            default -> Optional.empty();
        };
    }

    private static Optional<String> brokenElement(List<?> list, String where, int depth) {
        for (int i = 0; i < list.size(); i++) {
            Optional<String> fault = broken(list.get(i), where + "[" + i + "]", depth + 1);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> brokenComponent(Record record, String where, int depth) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = valueOf(record, component);
            if (value == null && component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                continue;
            }
            String name = where.isEmpty() ? component.getName() : where + "." + component.getName();
            Optional<String> fault = broken(value, name, depth + 1);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }

    private static @Nullable Object valueOf(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The component " + component.getName() + " cannot be read.", e);
        }
    }
}
