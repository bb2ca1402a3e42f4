package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordTest {
    @Test
    void shellsReadWordsBackUnchanged() throws Exception {
        List<String> words = List.of("plain", "", "two words", "it's", "\"$HOME\"", "`id`", "a\nb", "\\", "~", "*",
                "#x", "=x", "-n", "größe", "!!", "a;b&c|d>e");
        List<String> printed = new ArrayList<>(List.of("printf", "%s\\0"));
        printed.addAll(words);
        Process shell = new ProcessBuilder("sh", "-c", ShellWord.line(printed)).start();

        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\0", -1))
                .startsWith(words.toArray(String[]::new)).hasSize(words.size() + 1);
        assertThat(ShellWord.line(List.of("run", "/opt/a-b_c.d", "x y"))).isEqualTo("run /opt/a-b_c.d 'x y'");
        assertThatThrownBy(() -> ShellWord.quoted("a\0b")).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A word of a command holds a NUL character.");
    }
}
