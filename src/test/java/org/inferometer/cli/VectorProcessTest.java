package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class VectorProcessTest {
    private static final String ANNOUNCEMENT = "WARNING: Using incubator modules: jdk.incubator.vector\n";

    private static String copied(String text) throws IOException {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        VectorProcess.copy(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), copy);
        return copy.toString(StandardCharsets.UTF_8);
    }

    @Test
    void onlyTheFirstAnnouncementIsRemoved() throws IOException {
        assertThat(copied(ANNOUNCEMENT)).isEmpty();
        assertThat(copied(ANNOUNCEMENT + "checking noise\n" + ANNOUNCEMENT))
                .isEqualTo("checking noise\n" + ANNOUNCEMENT);
    }

    @Test
    void otherWarningsPassThrough() throws IOException {
        String warning = "OpenJDK 64-Bit Server VM warning: option was deprecated\n";
        assertThat(copied(warning + ANNOUNCEMENT)).isEqualTo(warning + ANNOUNCEMENT);
        assertThat(copied("no line end")).isEqualTo("no line end");
        assertThat(copied("x".repeat(1000))).isEqualTo("x".repeat(1000));
        assertThat(copied("")).isEmpty();
    }
}
