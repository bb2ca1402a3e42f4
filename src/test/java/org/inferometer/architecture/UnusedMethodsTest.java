package org.inferometer.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each method of the program is called by the program or by a test.
///
/// Not seen: accessors and methods of records that `toString` or a file's reader uses, methods that frameworks call by annotation, and
/// methods that only call each other.
class UnusedMethodsTest {
    private static final String OBJECT = "java/lang/Object";
    /// JCuda calls it by name.
    private static final Set<String> CALLED_FROM_OUTSIDE =
            Set.of("jcuda/LibUtilsCuda.loadLibrary(Ljava/lang/String;[Ljava/lang/String;)V");

    private final Map<String, ClassModel> program = classes(Path.of("target/classes"));
    private final Map<String, Set<String>> supertypes = new HashMap<>();
    private final Set<String> called = new HashSet<>();

    @Test
    void everyMethodIsCalled() {
        addCalls(program);
        addCalls(classes(Path.of("target/test-classes")));
        Set<String> unused = new TreeSet<>();
        for (ClassModel type : program.values()) {
            String name = type.thisClass().asInternalName();
            Set<String> overridable = overridable(type);
            type.methods().stream()
                    .filter(method -> isOwn(type, method) && !overridable.contains(signature(method))
                            && !overridable.contains(method.methodName().stringValue()))
                    .map(method -> name + "." + signature(method)).filter(method -> !called.contains(method))
                    .forEach(unused::add);
        }
        unused.removeAll(CALLED_FROM_OUTSIDE);
        assertThat(unused).isEmpty();
    }

    /// A call names the class of the variable it is made on, and means a method of that class or of one above it.
    private void addCalls(Map<String, ClassModel> types) {
        types.values().forEach(type -> type.constantPool().forEach(entry -> {
            if (entry instanceof MemberRefEntry member) {
                String method = "." + member.name().stringValue() + member.type().stringValue();
                String owner = member.owner().asInternalName();
                called.add(owner + method);
                supertypes(owner).forEach(above -> called.add(above + method));
            }
        }));
    }

    /// Signatures of the program's types above a type; names of those of libraries, and of methods that have a bridge to one above.
    private Set<String> overridable(ClassModel type) {
        return Stream.concat(
                type.methods().stream().filter(method -> method.flags().has(AccessFlag.BRIDGE))
                        .map(method -> method.methodName().stringValue()),
                Stream.concat(Stream.of(OBJECT), supertypes(type.thisClass().asInternalName()).stream())
                        .flatMap(this::methods))
                .collect(Collectors.toSet());
    }

    private Stream<String> methods(String type) {
        ClassModel own = program.get(type);
        if (own != null) {
            return own.methods().stream().map(UnusedMethodsTest::signature);
        }
        try {
            Class<?> library = Class.forName(type.replace('/', '.'), false, getClass().getClassLoader());
            return Stream.concat(Arrays.stream(library.getMethods()),
                    Stream.<Class<?>>iterate(library, Objects::nonNull, Class::getSuperclass)
                            .flatMap(each -> Arrays.stream(each.getDeclaredMethods())))
                    .map(Method::getName);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(type + " is not on the class path.", e);
        }
    }

    private static String signature(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    private static boolean isOwn(ClassModel type, MethodModel method) {
        boolean made = method.flags().has(AccessFlag.SYNTHETIC) || method.methodName().stringValue().startsWith("<")
                || method.methodName().equalsString("main") || type.flags().has(AccessFlag.ANNOTATION);
        boolean isRecord = isBelow(type, "java/lang/Record");
        boolean accessor = isRecord && method.methodType().stringValue().startsWith("()");
        boolean ofEnum = isBelow(type, "java/lang/Enum") && method.flags().has(AccessFlag.STATIC)
                && Set.of("values", "valueOf").contains(method.methodName().stringValue());
        return !made && !accessor && !ofEnum && method.findAttribute(Attributes.runtimeVisibleAnnotations()).isEmpty();
    }

    private static boolean isBelow(ClassModel type, String name) {
        return type.superclass().stream().anyMatch(above -> above.asInternalName().equals(name));
    }

    /// Classes and interfaces above a class, as far as classes of the program name them.
    private Set<String> supertypes(String type) {
        Set<String> known = supertypes.get(type);
        if (known == null) {
            Set<String> all = new HashSet<>();
            ClassModel model = program.get(type);
            if (model != null) {
                Stream.concat(model.superclass().stream(), model.interfaces().stream()).map(ClassEntry::asInternalName)
                        .forEach(above -> {
                            all.add(above);
                            all.addAll(supertypes(above));
                        });
            }
            supertypes.put(type, all);
            known = all;
        }
        return known;
    }

    private static Map<String, ClassModel> classes(Path folder) {
        Map<String, ClassModel> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
                ClassModel type = ClassFile.of().parse(file);
                classes.put(type.thisClass().asInternalName(), type);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return classes;
    }
}
