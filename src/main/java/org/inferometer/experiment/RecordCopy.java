package org.inferometer.experiment;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Copies a record with one component changed.
final class RecordCopy {
    private RecordCopy() {}

    /// @throws IllegalArgumentException when the record has no such component
    /// @throws RuntimeException of the record's constructor, where the value is out of range
    static <R extends Record> R with(R record, String name, @Nullable Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        if (Arrays.stream(components).noneMatch(component -> component.getName().equals(name))) {
            throw new IllegalArgumentException(record.getClass().getSimpleName() + " has no component " + name);
        }
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = components[i].getName().equals(name) ? value : get(record, components[i]);
        }
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var constructor = record.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            @SuppressWarnings("unchecked") R copy = (R) constructor.newInstance(values);
            return copy;
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException fault ? fault : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record.getClass() + " cannot be copied", e);
        }
    }

    private static @Nullable Object get(Record record, RecordComponent component) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record.getClass() + " cannot be read", e);
        }
    }
}
