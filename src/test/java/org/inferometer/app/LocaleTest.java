package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Names outside ASCII under a locale of ASCII: refused in one sentence, never garbled.
@EnabledOnOs(OS.LINUX)
class LocaleTest {
    private static final String REMEDY = " (ANSI_X3.4-1968). Set a locale with UTF-8, such as LC_ALL=C.UTF-8.\n";

    @TempDir
    private Path folder;

    private String said(Map<String, String> variables, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(FastJava.program(Main.class));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        builder.environment().putAll(variables);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(2);
        return said;
    }

    @Test
    void namesThatTheLocaleCannotRepresentAreRefused() throws Exception {
        Assumptions.assumeTrue(System.getProperty("sun.jnu.encoding").equals("UTF-8"));
        String garbled = "\ufffd\ufffd";
        assertThat(said(Map.of(), "--workspace", folder.toString(), "import", "\u00fc.json")).endsWith("The argument \""
                + garbled + ".json\" has bytes that are no text in the charset of the locale" + REMEDY);
        assertThat(said(Map.of("INFEROMETER_WORKSPACE", folder.resolve("\u00fc").toString()), "results", "list"))
                .endsWith("\"" + folder + "/" + garbled + "\" cannot be the name of a file in the charset of the locale"
                        + REMEDY);
        assertThat(folder).isEmptyDirectory();
    }
}
