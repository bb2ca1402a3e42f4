package org.inferometer.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/// Keeps files and methods to a size that a person can take in. The JDK's parser measures them.
class SizesTest {
    private static final int FILE_LINES = 500;
    private static final int METHOD_LINES = 60;
    private static final int KERNEL_LINES = 120;
    private static final int PACKAGE_FILES = 45;
    private static final int TEST_NAME_CHARACTERS = 60;
    private static final Path HOST = Path.of("src/main/java/org/inferometer/execution/host");
    /// Vector kernels: a loop unrolled over registers cannot be split without spilling them.
    private static final Set<Path> KERNELS =
            Stream.of("kernels/BlockKernels", "kernels/EightRowKernels", "steps/KvProducts", "steps/FloatKvProducts")
                    .map(kernel -> HOST.resolve(kernel + ".java")).collect(Collectors.toUnmodifiableSet());

    @Test
    void noFileIsLongerThan500Lines() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : sources("src/main/java", "src/test/java")) {
            long lines = Files.readAllLines(file).size();
            if (lines > FILE_LINES) {
                tooLong.add(file + ": " + lines);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void noMethodIsLongerThanAScreen() throws IOException {
        assertThat(methods("src/main/java", "src/test/java").stream()
                .filter(method -> method.lines() > (KERNELS.contains(method.file()) ? KERNEL_LINES : METHOD_LINES)))
                .isEmpty();
    }

    @Test
    void everyKernelClassNeedsItsLimit() throws IOException {
        assertThat(methods(HOST.toString()).stream().filter(method -> method.lines() > METHOD_LINES).map(Method::file))
                .containsAll(KERNELS);
    }

    @Test
    void everyTestLiesWhereMavenLooksForIt() throws IOException {
        List<Path> lost = new ArrayList<>();
        for (Method method : methods("src/test/java")) {
            boolean found = method.file().toString().matches(".*(Test|Properties)\\.java");
            if (method.isTest() && !found && !Files.readString(method.file()).contains("\nabstract class ")
                    && !Files.readString(method.file()).contains("\npublic abstract class ")) {
                lost.add(method.file());
            }
        }
        assertThat(lost).isEmpty();
    }

    @Test
    void noPackageHasMoreThan45Files() throws IOException {
        assertThat(sources("src/main/java").stream()
                .collect(Collectors.groupingBy(Path::getParent, Collectors.counting())))
                .allSatisfy((folder, files) -> assertThat(files).isLessThanOrEqualTo(PACKAGE_FILES));
    }

    @Test
    void testNamesAreShort() throws IOException {
        assertThat(methods("src/test/java").stream()
                .filter(method -> method.isTest() && method.name().length() > TEST_NAME_CHARACTERS)).isEmpty();
    }

    private record Method(Path file, String name, Set<String> annotations, long line, long lines) {
        private boolean isTest() {
            return annotations.stream()
                    .anyMatch(Set.of("Test", "ParameterizedTest", "Property", "Example", "ArchTest")::contains);
        }
    }

    /// Every method and constructor; annotations count, comments above it do not.
    private static List<Method> methods(String... roots) throws IOException {
        List<Method> found = new ArrayList<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
                    files.getJavaFileObjectsFromPaths(sources(roots)));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                collect(unit, positions, found);
            }
        }
        return found;
    }

    private static void collect(CompilationUnitTree unit, SourcePositions positions, List<Method> found) {
        Path file = Path.of(unit.getSourceFile().getName());
        LineMap lines = unit.getLineMap();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void nothing) {
                long first = lines.getLineNumber(positions.getStartPosition(unit, method));
                long last = lines.getLineNumber(positions.getEndPosition(unit, method));
                Set<String> annotations = method.getModifiers().getAnnotations().stream()
                        .map(annotation -> annotation.getAnnotationType().toString()).collect(Collectors.toSet());
                found.add(new Method(file, method.getName().toString(), annotations, first, last - first + 1));
                return super.visitMethod(method, nothing);
            }
        }.scan(unit, null);
    }

    private static List<Path> sources(String... roots) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String root : roots) {
            try (Stream<Path> files = Files.walk(Path.of(root))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
            }
        }
        return found;
    }
}
