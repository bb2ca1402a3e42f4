package org.inferometer.wording;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.inferometer.ui.results.SentenceWalk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// No logic rests on what a sentence says: with each garbled, commands, reports and view models give the same in other letters.
class GarbledSentencesTest {
    @Test
    void nothingReadsASentenceBack(@TempDir Path plain, @TempDir Path garbled) throws ReflectiveOperationException {
        Map<String, String> expected = new SentenceWalk().apply(plain);
        Map<String, String> seen = garbledWalk(garbled);
        assertThat(expected.get("warnings")).contains("Two experiments,");
        assertThat(seen.get("warnings")).contains("Uxp fyqfsjnfout,");
        assertThat(seen.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, text) -> assertThat(shape(seen.get(name))).as(name).isEqualTo(shape(text)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> garbledWalk(Path folder) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        GarblingLoader loader = new GarblingLoader();
        try {
            // Jackson finds the classes of values by it.
            thread.setContextClassLoader(loader);
            return ((Function<Path, Map<String, String>>) loader.loadClass(SentenceWalk.class.getName())
                    .getConstructor().newInstance()).apply(folder);
        } finally {
            thread.setContextClassLoader(usual);
        }
    }

    /// The text with all letters alike, and all marks behind sentences.
    private static String shape(String text) {
        return text.replaceAll("\\p{Lu}", "X").replaceAll("\\p{Ll}", "x").replace('!', '.').replace(';', ':');
    }
}
