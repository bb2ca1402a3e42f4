package org.inferometer.experiment;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads and replaces components of records by their path, as in `goal.pricePerHour`.
final class RecordCopy {
    private RecordCopy() {}

    /// @throws IllegalArgumentException when there is no such component
    static @Nullable Object get(Record record, String path) {
        int dot = path.indexOf('.');
        Object value = value(record, component(record, dot < 0 ? path : path.substring(0, dot)));
        return dot < 0 || value == null ? value : get((Record) value, path.substring(dot + 1));
    }

    /// The same record with one component changed.
    ///
    /// @throws IllegalArgumentException when there is no such component, or its record refuses the value
    @SuppressWarnings("unchecked")
    static <R extends Record> R with(R record, String path, @Nullable Object value) {
        int dot = path.indexOf('.');
        RecordComponent changed = component(record, dot < 0 ? path : path.substring(0, dot));
        RecordComponent[] components = record.getClass().getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Object old = value(record, components[i]);
            values[i] = !components[i].getName().equals(changed.getName()) ? old : dot < 0 || old == null ? value
                    : with((Record) old, path.substring(dot + 1), value);
        }
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return (R) record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException fault ? fault : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record.getClass() + " cannot be copied", e);
        }
    }

    private static RecordComponent component(Record record, String name) {
        return Arrays.stream(record.getClass().getRecordComponents())
                .filter(component -> component.getName().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        record.getClass().getSimpleName() + " has no component " + name));
    }

    private static @Nullable Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record.getClass() + " cannot be read", e);
        }
    }
}
