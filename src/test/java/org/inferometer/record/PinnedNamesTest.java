package org.inferometer.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.results.bundle.BundleManifest;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.WorkerProtocol;
import org.inferometer.run.WorkerReservation;
import org.inferometer.ui.results.ListLook;
import org.junit.jupiter.api.Test;

/// Names in files and in the worker's protocol stand beside their components, so that renaming a component changes no file.
class PinnedNamesTest {
    private static final List<Class<?>> ROOTS = List.of(ExperimentManifest.class, RunManifest.class, RunEvent.class,
            SelfCheckStore.Kept.class, BundleManifest.class, ListLook.class, WorkerFrame.class,
            WorkerProtocol.Order.class, WorkerReservation.class);

    private final List<String> unpinned = new ArrayList<>();
    private final Set<Class<?>> seen = new HashSet<>();

    @Test
    void everyWrittenNameIsPinned() {
        ROOTS.forEach(this::walk);
        assertThat(unpinned).isEmpty();
        assertThat(seen.size()).isGreaterThan(30);
    }

    private void walk(Class<?> type) {
        if (!type.getName().startsWith("org.inferometer.") || !seen.add(type) || isText(type)) {
            return;
        }
        if (type.isEnum()) {
            for (var field : type.getFields()) {
                require(!field.isEnumConstant() || field.isAnnotationPresent(JsonProperty.class), type,
                        field.getName());
            }
        } else if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                JsonProperty name = component.getAccessor().getAnnotation(JsonProperty.class);
                require(name != null && !name.value().isEmpty(), type, component.getName());
                walk(component.getGenericType());
            }
        } else {
            JsonTypeInfo info = type.getAnnotation(JsonTypeInfo.class);
            require(type.isSealed() && info != null, type, "sealed with a type name");
            if (info != null && info.use() != JsonTypeInfo.Id.DEDUCTION) {
                List<Class<?>> named = Arrays.stream(type.getAnnotation(JsonSubTypes.class).value())
                        .filter(sub -> !sub.name().isEmpty()).<Class<?>>map(JsonSubTypes.Type::value).toList();
                Arrays.stream(type.getPermittedSubclasses())
                        .forEach(sub -> require(named.contains(sub), sub, "type name"));
            }
            Arrays.stream(type.getPermittedSubclasses()).forEach(this::walk);
        }
    }

    private void walk(Type type) {
        if (type instanceof Class<?> plain) {
            walk(plain.isArray() ? plain.getComponentType() : plain);
        } else if (type instanceof ParameterizedType generic) {
            Arrays.stream(generic.getActualTypeArguments()).forEach(this::walk);
        }
    }

    /// Whether the type is written as a single value of its own making.
    private static boolean isText(Class<?> type) {
        return type.isSealed() && Arrays.stream(type.getPermittedSubclasses()).allMatch(PinnedNamesTest::isText)
                || Arrays.stream(type.getDeclaredMethods())
                        .anyMatch(method -> method.isAnnotationPresent(JsonValue.class));
    }

    private void require(boolean pinned, Class<?> type, String name) {
        if (!pinned) {
            unpinned.add(type.getName() + ": " + name);
        }
    }
}
