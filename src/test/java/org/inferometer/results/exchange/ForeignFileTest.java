package org.inferometer.results.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.inferometer.results.ResultFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What shells, pagers and people add around a result.
class ForeignFileTest {
    private static final String LOG = """
            ggml_cuda_init: found 1 CUDA devices:
              Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes
            [INFO] loaded
            [2026-11-28 10:00:00] warming up
            """;

    @TempDir
    private Path folder;

    private ForeignFile read(byte[] bytes) throws IOException {
        return ForeignFile.read(Files.write(folder.resolve("result.json.gz"), bytes));
    }

    private ForeignFile read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] packed(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    void gzipMarksAndUtf16AreTakenOff() throws IOException {
        String json = "{\"a\": \"µ\"}\n";
        List<byte[]> forms = List.of(json.getBytes(StandardCharsets.UTF_8), packed(json),
                ("\ufeff" + json).getBytes(StandardCharsets.UTF_8),
                ("\ufeff" + json).getBytes(StandardCharsets.UTF_16LE),
                ("\ufeff" + json).getBytes(StandardCharsets.UTF_16BE));
        for (byte[] form : forms) {
            ForeignFile file = read(form);
            assertThat(file.documents()).singleElement().hasToString("{\"a\":\"µ\"}");
            assertThat(new String(file.bytes(), StandardCharsets.UTF_8)).isEqualTo(json);
            assertThat(file.logged()).isFalse();
            assertThat(file.ending()).isEqualTo("json");
        }
    }

    @Test
    void damagedGzipIsOneSentence() throws IOException {
        byte[] whole = packed("{\"a\": 1}");
        assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length - 6))).isInstanceOf(ResultFormatException.class)
                .hasMessageEndingWith("the gzip file is damaged. Pack it again, or give it unpacked.");
    }

    @Test
    void linesOfALogAroundAResultAreLeftOut() throws IOException {
        assertThat(read(LOG + "[\n  {\"a\": 1},\n  {\"a\": 2}\n]\nllama_perf: done\n").documents()).hasSize(2);
        assertThat(read(LOG + "{\"a\": 1}\n{\"a\": 2}\ndone in 3 s\n").documents()).hasSize(2);
        ForeignFile csv = read(LOG.replace("[2026", "x, y, [2026") + "p,g,avg,sd\n1,2,3,4\n");
        assertThat(csv.table()).containsExactly(List.of("p", "g", "avg", "sd"), List.of("1", "2", "3", "4"));
        assertThat(csv.logged()).isTrue();
        assertThat(read("| a | b |\n|---|---|\n| 1 | 2 |\n" + LOG).table()).hasSize(2);
    }

    /// A damaged entry is no log: what follows would be lost without a word.
    @Test
    void aDamagedEntryIsNoLog() {
        assertThatThrownBy(() -> read("{\"a\": 1}\nx{\"a\": 2}\n{\"a\": 3}\n"))
                .isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("result.json.gz:2: this is not a result in JSON");
        assertThatThrownBy(() -> read(LOG + "{\"a\": 1}\n{\"a\": \n")).isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("this is not a result in JSON");
    }
}
