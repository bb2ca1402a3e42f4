package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private static final Pattern KEY = Pattern.compile("(?<![\\w.])(text|counted)\\(\\s*\"([a-z0-9.-]+)\"\\s*[,)]");

    @Test
    void everyKeyThatTheWindowUsesHasASentence() throws IOException {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java/org/inferometer/ui"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher matcher = KEY.matcher(Files.readString(file));
                while (matcher.find()) {
                    boolean counted = matcher.group(1).equals("counted");
                    used.add(matcher.group(2) + (counted ? ".one" : ""));
                    used.add(matcher.group(2) + (counted ? ".other" : ""));
                }
            }
        }
        ResourceBundle bundle = ResourceBundle.getBundle("org.inferometer.ui.messages");
        assertThat(used).hasSizeGreaterThan(80).allSatisfy(key -> assertThat(bundle.containsKey(key)).as(key).isTrue());
    }

    @Test
    void oneIsNoPlural() {
        assertThat(Messages.counted("notice.exported", 1, "out")).isEqualTo("Wrote 1 file to out");
        assertThat(Messages.counted("notice.exported", 12, "out")).isEqualTo("Wrote 12 files to out");
    }

    @Test
    void apostrophesAndBracesInValuesAreKept() {
        assertThat(Messages.text("notice.saved", "it's {0}.html")).isEqualTo("Saved it's {0}.html");
        assertThat(Messages.counted("designer.options", 1)).isEqualTo("1 option");
        assertThat(Messages.counted("designer.options", 4)).isEqualTo("4 options");
    }
}
