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
    /// All that hear no words of others: servers, drivers and the system speak in sentences that must be read.
    private static final List<String> ROOMS = List.of("chart", "experiment", "finding", "load", "measurement", "plugin",
            "prompting", "quality", "record", "report", "results", "scheduling", "serving", "ui", "wording");
    /// Two words of a sentence that a text is compared with, searched for or split at.
    private static final Pattern READ = Pattern.compile(
            "\\.(equals|startsWith|endsWith|contains|indexOf|split|matches|replaceFirst)\\(\"[^\"]*[A-Za-z]{2} [^\"]*\"");
    /// What makes sentences, read at once.
    private static final Pattern MADE = Pattern
            .compile("(Wording\\.\\w+|\\.(in|words|sentence|remedy|observed|headline|title|caption|footer))\\([^()]*\\)"
                    + "\\.((equals|startsWith|endsWith|contains|indexOf|matches)\\(\"|(split|substring|replace\\w*)\\()");

    @Test
    void noSentenceIsReadBack() throws IOException {
        Set<String> faults = new TreeSet<>();
        for (String room : ROOMS) {
            try (Stream<Path> files = Files.walk(SOURCES.resolve(room))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    Files.readString(file).lines().filter(SentencesTest::reads)
                            .forEach(line -> faults.add(SOURCES.relativize(file) + ": " + line.strip()));
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    private static boolean reads(String line) {
        return READ.matcher(line).find() || MADE.matcher(line).find();
    }

    @Test
    void readSentencesAreSeen() {
        assertThat(List.of("note.startsWith(\"Run was \" + name)", "voice.words(advice).contains(\"aa\")",
                "ComparisonWording.sentence(caution).split(mark, 2)", "condition.remedy().startsWith(\"Run\")"))
                .allMatch(SentencesTest::reads);
        assertThat(List.of("name.startsWith(\"kv\")", "condition.remedy().isEmpty()", "table.caption().equals(other)"))
                .noneMatch(SentencesTest::reads);
    }
}
