package org.inferometer.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Facts are values, sentences are made last: rooms that judge, store or show facts read no sentence back.
class SentencesTest {
    private static final Path SOURCES = Path.of("src/main/java/org/inferometer");
    private static final List<String> ROOMS =
            List.of("chart", "finding", "measurement", "report", "results", "ui", "wording");
    /// Two words of a sentence that a text is compared with, searched for or split at.
    private static final Pattern READ = Pattern.compile(
            "\\.(equals|startsWith|endsWith|contains|indexOf|split|matches|replaceFirst)\\(\"[^\"]*[A-Za-z]{2} [^\"]*\"");

    @Test
    void noSentenceIsReadBack() throws IOException {
        Set<String> faults = new TreeSet<>();
        for (String room : ROOMS) {
            try (Stream<Path> files = Files.walk(SOURCES.resolve(room))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    Files.readString(file).lines().filter(line -> READ.matcher(line).find())
                            .forEach(line -> faults.add(SOURCES.relativize(file) + ": " + line.strip()));
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void comparedPhrasesAreSeen() {
        assertThat(READ.matcher("note.startsWith(\"Run was \" + name)").find()).isTrue();
        assertThat(READ.matcher("name.startsWith(\"kv\")").find()).isFalse();
    }
}
