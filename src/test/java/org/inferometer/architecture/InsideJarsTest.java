package org.inferometer.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.inferometer.architecture.InsideJars.Component;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The parts of others in the shipped jars are declared with their licences, and NOTICE names them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InsideJarsTest {
    private static final Path SHIPPED = Path.of("target/generated-sources/license/THIRD-PARTY.txt");

    private final List<String> faults = new ArrayList<>();
    private final List<Component> components = new ArrayList<>();
    private final Set<String> absent = new TreeSet<>(InsideJars.declared().propertyNames());

    @BeforeAll
    void readJars() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux") && System.getProperty("os.arch").equals("amd64"),
                "Other systems ship other jars.");
        assumeTrue(Files.exists(SHIPPED), "Only the build lists the libraries.");
        String shipped = Files.readString(SHIPPED);
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            String library = Path.of(path).getFileName().toString().replaceFirst("-\\d.*", "");
            if (path.endsWith(".jar") && shipped.contains(":" + library + ":")) {
                // A jar without a classifier is empty.
                if (Files.size(Path.of(path)) > 1000) {
                    InsideJars inside = InsideJars.of(Path.of(path), library);
                    faults.addAll(inside.faults());
                    components.addAll(inside.components());
                    absent.remove(library);
                }
            }
        }
    }

    @Test
    void everyPartIsDeclaredWithItsEvidence() {
        assertThat(faults).isEmpty();
        assertThat(absent).isEmpty();
    }

    @Test
    void noticeNamesThePartsWithTheirLicences() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("NOTICE"));
        Set<String> named = new TreeSet<>();
        for (String line : lines.subList(lines.indexOf("licence | parts") + 1, lines.size())) {
            String[] row = line.split(" \\| ");
            for (String part : row[1].split(", ")) {
                named.add(row[0] + " | " + part);
            }
        }
        assertThat(named).isEqualTo(components.stream().map(each -> each.licence() + " | " + each.name())
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void licenceOfAPartThatNobodyDeclaredIsAFault(@TempDir Path folder) throws IOException {
        Path jar = folder.resolve("some-1.0.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String entry : List.of("META-INF/LICENSE", "META-INF/Part-LICENSE", "org/License.class",
                    "org/part/copying.txt")) {
                out.putNextEntry(new JarEntry(entry));
            }
        }
        assertThat(InsideJars.of(jar, "some").faults()).containsExactly(
                "some-1.0.jar: nothing says what META-INF/Part-LICENSE is",
                "some-1.0.jar: nothing says what org/part/copying.txt is");
    }
}
