package org.inferometer.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Methods of Java that take quadratic time for some texts are not used for texts of others.
class TextOfOthersTest {
    private static final Path CLASSES = Path.of("target/classes/org/inferometer");
    /// They change a letter at a time, or a name of at most 255 bytes.
    private static final Set<String> LINEAR = Set.of("LetterCase", "PlainLetters", "FileName");
    private static final Set<String> CASES = Set.of("toLowerCase", "toUpperCase");

    @Test
    void noCaseOrFormOfAWholeTextIsChanged() throws IOException {
        Set<String> faults = new TreeSet<>();
        try (Stream<Path> all = Files.walk(CLASSES)) {
            for (Path file : all.filter(each -> each.toString().endsWith(".class")).toList()) {
                ClassModel type = ClassFile.of().parse(file);
                String name = type.thisClass().asInternalName().replaceFirst(".*/", "");
                long named = Stream
                        .iterate(1, i -> i < type.constantPool().size(),
                                i -> i + type.constantPool().entryByIndex(i).width())
                        .map(type.constantPool()::entryByIndex)
                        .filter(entry -> entry instanceof MemberRefEntry member && isQuadratic(member)).count();
                if (named > 0 && !LINEAR.contains(name) && !ofOwnNames(type)) {
                    faults.add(name);
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    private static boolean isQuadratic(MemberRefEntry member) {
        String owner = member.owner().asInternalName();
        return owner.equals("java/lang/String") && CASES.contains(member.name().stringValue())
                || owner.equals("java/text/Normalizer");
    }

    /// Whether each such call follows `name()` of an enum or a property of Java; no other use has calls.
    private static boolean ofOwnNames(ClassModel type) throws IOException {
        int calls = 0;
        for (MethodModel method : type.methods()) {
            List<Instruction> code = method.code().stream().flatMap(each -> each.elementStream())
                    .filter(Instruction.class::isInstance).map(Instruction.class::cast).toList();
            for (int i = 0; i < code.size(); i++) {
                if (code.get(i) instanceof InvokeInstruction call && isQuadratic(call.method())) {
                    calls++;
                    // Locale.ROOT stands between.
                    if (i < 2 || !(code.get(i - 2) instanceof InvokeInstruction before) || !isOwn(before)) {
                        return false;
                    }
                }
            }
        }
        return calls > 0;
    }

    private static boolean isOwn(InvokeInstruction call) throws IOException {
        String owner = call.owner().asInternalName();
        if (call.name().equalsString("getProperty")) {
            return owner.equals("java/lang/System");
        }
        Path file = Path.of("target/classes", owner + ".class");
        return call.name().equalsString("name") && (owner.equals("java/lang/Enum") || Files.exists(file)
                && ClassFile.of().parse(file).superclass().orElseThrow().asInternalName().equals("java/lang/Enum"));
    }
}
