package org.inferometer.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// No pattern of `java.util.regex` needs more than linear time, whatever a file or a server sends.
class PatternsTest {
    private static final Path CLASSES = Path.of("target/classes/org/inferometer");
    private static final Set<String> TEXT_METHODS = Set.of("matches", "replaceAll", "replaceFirst", "split");
    private static final Set<String> SEARCHES = Set.of("find", "replaceAll", "replaceFirst", "results", "split",
            "splitAsStream", "lookingAt", "asPredicate", "appendReplacement");

    /// A call that compiles a pattern.
    private record Use(String where, Optional<String> pattern, int flags, boolean whole) {}

    @Test
    void noPatternBacktracksOverInput() throws IOException {
        Set<String> faults = new TreeSet<>();
        for (Use use : uses()) {
            if (use.pattern.isEmpty()) {
                faults.add(use.where + ": a pattern that is no constant");
                continue;
            }
            BacktrackingCheck.fault(use.pattern.get(), use.flags, use.whole)
                    .ifPresent(fault -> faults.add(use.where + ": " + use.pattern.get() + " " + fault));
        }
        assertThat(faults).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a+)+b", "(?:a|a)*b", "\\s+$", "x.*y", "a*a*b", "(a*)*", "[a-z]+://", "(?:ab?)*",
            "\\d+\\d+x", ",(?![^(]*\\))", "(?m)^\\s*$"})
    void patternThatBacktracksIsFound(String pattern) {
        assertThat(BacktrackingCheck.fault(pattern, 0, false)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\s+", "^a+b", "\\b[a-z]+:", "(?<![/])/+$", "^a*+b|c", "[^\\]]{1,9}x", "^(?i:ab)+",
            "\"[^\"]*\"|'[^']*'", "\\.\\d+\\."})
    void linearPatternIsAccepted(String pattern) {
        assertThat(BacktrackingCheck.fault(pattern, 0, pattern.startsWith("\""))).isEmpty();
    }

    private static List<Use> uses() throws IOException {
        List<Use> uses = new ArrayList<>();
        try (Stream<Path> all = Files.walk(CLASSES)) {
            for (Path file : all.filter(each -> each.toString().endsWith(".class")).toList()) {
                ClassModel type = ClassFile.of().parse(file);
                Optional<Annotation> reason = reason(type);
                if (reason.filter(PatternsTest::isOfBoundedText).isPresent()) {
                    continue;
                }
                boolean searches = searches(type);
                List<Use> own = new ArrayList<>();
                for (MethodModel method : type.methods()) {
                    method.code().ifPresent(code -> uses(type, method, code, searches, own));
                }
                own.stream().filter(use -> use.pattern.isPresent() || reason.isEmpty()).forEach(uses::add);
            }
        }
        return uses;
    }

    /// Why the patterns of a class are linear, as it or the one around it says.
    private static Optional<Annotation> reason(ClassModel type) throws IOException {
        String name = type.thisClass().asInternalName();
        String outer = name.replaceFirst("\\$.*", "");
        ClassModel top = outer.equals(name) ? type : ClassFile.of().parse(Path.of("target/classes", outer + ".class"));
        return top.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
                .flatMap(all -> all.annotations().stream())
                .filter(each -> each.classSymbol().displayName().equals("LinearPatterns")).findFirst();
    }

    private static boolean isOfBoundedText(Annotation reason) {
        return reason.elements().stream().anyMatch(element -> element.name().equalsString("boundedText")
                && element.value() instanceof AnnotationValue.OfBoolean bounded && bounded.booleanValue());
    }

    /// Whether a class searches with a pattern, or only matches whole texts.
    private static boolean searches(ClassModel type) {
        return type.methods().stream().flatMap(method -> method.code().stream()).flatMap(CodeModel::elementStream)
                .anyMatch(element -> element instanceof InvokeInstruction call
                        && call.owner().asInternalName().startsWith("java/util/regex/")
                        && SEARCHES.contains(call.name().stringValue()));
    }

    private static void uses(ClassModel type, MethodModel method, CodeModel code, boolean searches, List<Use> uses) {
        List<Instruction> before = new ArrayList<>();
        for (CodeElement element : code) {
            if (!(element instanceof Instruction instruction)) {
                continue;
            }
            if (instruction instanceof InvokeInstruction call) {
                String owner = call.owner().asInternalName();
                String name = call.name().stringValue();
                boolean ofText = owner.equals("java/lang/String") && TEXT_METHODS.contains(name)
                        && call.typeSymbol().parameterType(0).displayName().equals("String");
                if (ofText || owner.equals("java/util/regex/Pattern")
                        && (name.equals("compile") || name.equals("matches"))) {
                    int arguments = call.typeSymbol().parameterCount();
                    String where = type.thisClass().asInternalName().replace("org/inferometer/", "") + "."
                            + method.methodName().stringValue();
                    Optional<Object> pattern = argument(before, arguments - 1);
                    int flags = ofText || arguments == 1 ? 0
                            : argument(before, 0).map(flag -> flag instanceof Integer i ? i : 0).orElse(0);
                    uses.add(new Use(where, pattern.filter(String.class::isInstance).map(String.class::cast), flags,
                            name.equals("matches") || !ofText && !searches));
                }
            }
            before.add(instruction);
        }
    }

    /// The constant that an argument is, counted from the last; empty if it is computed.
    private static Optional<Object> argument(List<Instruction> before, int fromLast) {
        int i = before.size() - 1;
        for (int skipped = 0; skipped < fromLast; skipped++) {
            int need = 1;
            while (need > 0 && i >= 0) {
                int effect = effect(before.get(i--));
                if (effect == UNKNOWN) {
                    return Optional.empty();
                }
                need -= effect;
            }
        }
        return i < 0 ? Optional.empty() : switch (before.get(i)) {
            case ConstantInstruction constant -> Optional.of(constant.constantValue());
            case FieldInstruction field when field.name().equalsString("pathSeparator") -> Optional.of(":");
            default -> Optional.empty();
        };
    }

    private static final int UNKNOWN = Integer.MIN_VALUE;

    /// By how many values an instruction changes the stack.
    private static int effect(Instruction instruction) {
        return switch (instruction) {
            case ConstantInstruction constant -> 1;
            case LoadInstruction load -> 1;
            case FieldInstruction field when field.opcode() == Opcode.GETFIELD -> 0;
            case FieldInstruction field when field.opcode() == Opcode.GETSTATIC -> 1;
            case InvokeDynamicInstruction call -> 1 - call.typeSymbol().parameterCount();
            case InvokeInstruction call -> (TypeKind.from(call.typeSymbol().returnType()) == TypeKind.VOID ? 0 : 1)
                    - call.typeSymbol().parameterCount() - (call.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
            default -> UNKNOWN;
        };
    }
}
