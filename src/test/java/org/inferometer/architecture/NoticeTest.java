package org.inferometer.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// NOTICE names every library that ships, with a licence that the library offers and whose text is in the tree.
class NoticeTest {
    /// Written by the build: "(MIT) FastCSV (de.siegmar:fastcsv:4.4.0 - https://fastcsv.org)".
    private static final Path SHIPPED = Path.of("target/generated-sources/license/THIRD-PARTY.txt");
    private static final Pattern LIBRARY = Pattern.compile("^ +(\\(.*\\)) .*\\(([^()]+:[^()]+):[^:]+ - [^()]*\\)$");
    /// Absent where the platform cannot load them.
    private static final Set<String> NATIVE = Set.of("org.bytedeco:dnnl");

    private record Entry(String library, String licence) {
        boolean covers(String name) {
            return library.endsWith("*") ? name.startsWith(library.substring(0, library.length() - 1))
                    : name.equals(library);
        }
    }

    private static List<Entry> notice() throws IOException {
        return Files.readAllLines(Path.of("NOTICE")).stream().map(line -> line.split(" \\| ", -1))
                .filter(parts -> parts.length == 3 && parts[0].contains(":"))
                .map(parts -> new Entry(parts[0], parts[1])).toList();
    }

    @Test
    void everyShippedLibraryIsNamedWithItsLicence() throws IOException {
        assumeTrue(Files.exists(SHIPPED), "Only the build lists the libraries.");
        Set<String> missing = new TreeSet<>();
        Set<String> seen = new TreeSet<>(NATIVE);
        for (String line : Files.readAllLines(SHIPPED)) {
            Matcher library = LIBRARY.matcher(line);
            if (!library.matches()) {
                continue;
            }
            List<Entry> entries = notice().stream().filter(
                    entry -> entry.covers(library.group(2)) && library.group(1).contains("(" + entry.licence() + ")"))
                    .toList();
            entries.forEach(entry -> seen.add(entry.library()));
            if (entries.size() != 1) {
                missing.add(library.group(2) + " " + library.group(1));
            }
        }
        assertThat(missing).isEmpty();
        assertThat(seen).isEqualTo(notice().stream().map(Entry::library).collect(Collectors.toSet()));
    }

    @Test
    void everyLicenceHasItsText() throws IOException {
        Set<String> files = Set.of("Apache-2.0.txt", "BSD-3-Clause.txt", "MIT.txt", "LGPL-2.1.txt", "OFL-1.1.txt",
                "GPL-2.0-with-classpath-exception.txt", "BSD-2-Clause.txt", "GPL-3.0-with-GCC-exception.txt", "IJG.txt",
                "ISC.txt", "Unicode-3.0.txt", "BSL-1.0.txt");
        try (var texts = Files.list(Path.of("src/main/licences"))) {
            assertThat(texts.map(file -> file.getFileName().toString())).hasSameElementsAs(files);
        }
        assertThat(notice().stream().map(Entry::licence).collect(Collectors.toSet())).containsExactlyInAnyOrder(
                "Apache-2.0", "BSD-3-Clause", "MIT", "LGPL-2.1-or-later", "GPL-2.0-only WITH Classpath-exception-2.0");
    }
}
