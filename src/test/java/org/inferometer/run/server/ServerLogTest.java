package org.inferometer.run.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class ServerLogTest {
    @TempDir
    Path folder;

    private Path log(String... lines) throws IOException {
        return Files.write(folder.resolve("log"), Arrays.asList(lines));
    }

    private String ending(String... lines) throws IOException {
        return ServerLog.ending(log(lines), 0).describe();
    }

    @ParameterizedTest
    @ValueSource(strings = {"WARNING 11-23 10:00:00 [utils.py:7] ImportError: No module named 'xformers'",
            "(APIServer pid=12) INFO 11-23 retried after ConnectionError: reset",
            "/lib/x.py:3: UserWarning: libcudart.so: cannot open: No such file or directory",
            "RuntimeWarning: out of memory limit not set"})
    void warningsAreNotTheReason(String warning) throws IOException {
        assertThat(ending(warning, "ValueError: no weights.", "bye")).isEqualTo(": ValueError: no weights");
        assertThat(ending(warning, "bye")).isEqualTo(". Its last line: bye");
    }

    @Test
    void fatalLinesWinOverErrorsOfARequest() throws IOException {
        assertThat(ending("ERROR: ValueError: the prompt is too long", "INFO: 200 OK",
                "torch.OutOfMemoryError: CUDA out of memory.", "EngineDeadError: see above"))
                .isEqualTo(": torch.OutOfMemoryError: CUDA out of memory");
    }

    @Test
    void silentServersHaveNoReason() throws IOException {
        assertThat(ending()).isEmpty();
        assertThat(ServerLog.ending(folder.resolve("none"), 0).describe()).isEmpty();
    }

    @Test
    void progressBarsShowTheirLastState() throws IOException {
        Files.writeString(folder.resolve("log"), "loading 0%\rloading 50%\rloading 100%\r\nready\r\n0%\r7%");
        assertThat(ServerLog.lastLine(folder.resolve("log"))).isEqualTo("7%");
        ServerLog.copy(folder.resolve("log"), 0, folder.resolve("copy"), UnaryOperator.identity());
        assertThat(folder.resolve("copy")).hasContent("loading 100%\nready\n7%\n");
    }

    /// 70 MiB in one line, bytes that are no UTF-8, a NUL: bounded, and the end is found.
    @Test
    void endOfAHugeOutputIsReadAndKept() throws IOException {
        Path log = log("first");
        byte[] block = new byte[1 << 20];
        Arrays.fill(block, (byte) 'x');
        for (int i = 0; i < block.length; i += 1000) {
            block[i] = (byte) 0xfe;
        }
        for (int i = 0; i < 70; i++) {
            Files.write(log, block, StandardOpenOption.APPEND);
        }
        Files.writeString(log, "\0\nSegmentation fault (core dumped)\n", StandardOpenOption.APPEND);
        ServerLog.copy(log, 0, folder.resolve("copy"), UnaryOperator.identity());

        assertThat(ServerLog.ending(log, 0).describe()).isEqualTo(": Segmentation fault (core dumped)");
        assertThat(Files.readAllLines(folder.resolve("copy"))).hasSize(5).startsWith("first")
                .contains("[" + (Files.size(log) - (64 << 20)) + " bytes left out]")
                .endsWith("Segmentation fault (core dumped)");
        assertThat(Files.size(folder.resolve("copy"))).isLessThan(100_000);
    }

    @Test
    void cutLinesSaySo() throws IOException {
        ServerLog.copy(log("x".repeat(2000), "y".repeat(2001)), 0, folder.resolve("copy"), UnaryOperator.identity());
        assertThat(folder.resolve("copy")).hasContent("x".repeat(2000) + "\n" + "y".repeat(2000) + "…\n");
    }

    @Test
    void outputThatGrowsKeepsItsEnd() throws IOException {
        Path log = log("a".repeat(5000), "the end");
        ServerLog.shorten(log, 6000, 16);
        assertThat(Files.size(log)).as("not yet too long").isEqualTo(5009);
        ServerLog.shorten(log, 5000, 12);
        Files.writeString(log, "more\n", StandardCharsets.UTF_8, StandardOpenOption.APPEND);

        assertThat(log).hasContent("\n[4997 bytes left out]\naaa\nthe end\nmore\n");
        assertThat(ServerLog.ending(log, 5000).line()).as("from a byte that is gone").isEqualTo("more");
    }
}
