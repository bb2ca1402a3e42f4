package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvFileTest {
    private static final Path FILE = Path.of("work", ".env");

    @TempDir
    Path workspace;

    @Test
    void linesAreReadAsPeopleKnowThem() {
        assertThat(EnvFile.parse(FILE, """
                # servers

                VLLM_HOST=10.0.0.7   # the big one
                export KEY = sk-a#b
                \texport   TABBED=x
                EMPTY=
                COMMENT_ONLY= # nothing
                SINGLE='a "b" $HOME \\n # c' # after
                DOUBLE="a 'b' \\"c\\" \\$x\\n\\tend\\\\ \\q"
                EQUALS=a=b==
                EXPORTED=export
                lower_1=ok
                KEY=last
                """)).isEqualTo(Map.ofEntries(Map.entry("VLLM_HOST", "10.0.0.7"), Map.entry("KEY", "last"),
                Map.entry("TABBED", "x"), Map.entry("EMPTY", ""), Map.entry("COMMENT_ONLY", ""),
                Map.entry("SINGLE", "a \"b\" $HOME \\n # c"), Map.entry("DOUBLE", "a 'b' \"c\" $x\n\tend\\ \\q"),
                Map.entry("EQUALS", "a=b=="), Map.entry("EXPORTED", "export"), Map.entry("lower_1", "ok")));
        assertThat(EnvFile.parse(FILE, "A=1\r\nB=#2\r\nC=3 #4")).isEqualTo(Map.of("A", "1", "B", "", "C", "3"));
    }

    /// Beside the launcher, for people to copy: every line of it is off, and a page names each variable.
    @Test
    void theExampleNamesVariablesOfThePagesAndSetsNone() throws IOException {
        String example = Files.readString(Path.of(".env.example"));
        assertThat(EnvFile.parse(FILE, example)).isEmpty();
        Map<String, String> offered = EnvFile.parse(FILE, example.replaceAll("(?m)^#(?=[A-Z])", ""));
        assertThat(offered.keySet()).contains("LLM_MODEL", "VLLM_ENDPOINT", "VLLM_PORT", "VLLM_HOST",
                "GPU_MEMORY_UTIL");
        StringBuilder pages = new StringBuilder();
        try (Stream<Path> docs = Files.list(Path.of("docs"))) {
            for (Path page : docs.filter(each -> each.toString().endsWith(".md")).toList()) {
                pages.append(Files.readString(page));
            }
        }
        assertThat(pages).contains(offered.keySet().toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"sk-secret|\"=\" is missing. Write NAME=value.",
            "export KEY|\"=\" is missing. Write NAME=value.",
            "sk-secret key=x|The name before \"=\" is not valid. Use letters, digits and _.",
            "=sk-secret|The name before \"=\" is not valid. Use letters, digits and _.",
            "1A=sk-secret|The name before \"=\" is not valid. Use letters, digits and _.",
            "A=\"sk-secret|The quote is not closed. Close it on the same line; \\n in double quotes is a line break.",
            "A=\"sk-secret\\\"|The quote is not closed. Close it on the same line; \\n in double quotes is a line break.",
            "A='sk-secret|The quote is not closed. Close it on the same line; \\n in double quotes is a line break.",
            "A='sk-secret'x|There is text after the closing quote. Quote the whole value."})
    void badLineIsNamedWithoutItsText(String line, String fault) {
        assertThatThrownBy(() -> EnvFile.parse(FILE, "# first\n" + line + "\nB=2\n"))
                .isInstanceOf(EnvFileException.class).hasMessage(FILE + ", line 2: " + fault);
    }

    @Test
    void zeroCharacterIsRefused() {
        assertThatThrownBy(() -> EnvFile.parse(FILE, "A=sk-\u0000secret")).isInstanceOf(EnvFileException.class)
                .hasMessage(FILE + ", line 1: The value has a zero character. Remove it.");
    }

    @Test
    void sizeAndLinesAreBounded() throws IOException {
        Map<String, String> most = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < EnvFile.MOST_LINES; i++) {
            most.put("A" + i, "1");
            text.append('A').append(i).append("=1\n");
        }
        assertThat(EnvFile.parse(FILE, text.toString())).isEqualTo(most);
        assertThatThrownBy(() -> EnvFile.parse(FILE, text + "B=1\n")).isInstanceOf(EnvFileException.class)
                .hasMessage(FILE + " has more than 1000 lines. Keep the variables of this program only.");
        write("A=" + "x".repeat(EnvFile.MOST_BYTES - 2));
        assertThat(EnvFile.read(workspace).values().get("A")).hasSize(EnvFile.MOST_BYTES - 2);
        write("A=" + "x".repeat(EnvFile.MOST_BYTES - 1));
        assertRefused("is larger than 64 KiB. Keep the variables of this program only.");
    }

    @Test
    void longLineOfBlanksIsReadInTime() {
        String blanks = "a" + " ".repeat(EnvFile.MOST_BYTES) + "b";
        assertThat(Assertions.assertTimeout(Duration.ofSeconds(2), () -> EnvFile.parse(FILE, "A=" + blanks)))
                .isEqualTo(Map.of("A", blanks));
    }

    @Test
    void absentFileHasNoVariables() {
        assertThat(EnvFile.read(workspace)).isEqualTo(new EnvFile(Map.of(), List.of()));
    }

    @Test
    void markAtTheStartIsSkipped() throws IOException {
        write("\uFEFFA=1\n");
        assertThat(EnvFile.read(workspace).values()).isEqualTo(Map.of("A", "1"));
    }

    @Test
    void otherUsersMayReadItOnlyWithAWarning() throws IOException {
        write("A=1\n");
        assertThat(EnvFile.read(workspace)).isEqualTo(new EnvFile(Map.of("A", "1"), List.of()));
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
        assertThat(EnvFile.read(workspace).warnings())
                .containsExactly(file() + " can be read by other users. Restrict it with chmod 600.");
    }

    @Test
    void linkOutOfTheWorkspaceIsRefused(@TempDir Path outside) throws IOException {
        Path other = Files.writeString(outside.resolve("secrets"), "A=1\n");
        Files.createSymbolicLink(file(), other);
        assertRefused("is a link to a file outside the workspace. Copy the file into the workspace.");
        Files.delete(file());
        Files.createSymbolicLink(file(), Path.of("/dev/zero"));
        assertRefused("is a link to a file outside the workspace. Copy the file into the workspace.");
        Files.delete(file());
        Files.writeString(workspace.resolve("local.env"), "A=2\n");
        Files.createSymbolicLink(file(), Path.of("local.env"));
        assertThat(EnvFile.read(workspace).values()).isEqualTo(Map.of("A", "2"));
    }

    @Test
    void folderPipeAndDanglingLinkAreRefused() throws Exception {
        Files.createDirectory(file());
        assertRefused("is not a regular file. Replace it by a text file, or remove it.");
        Files.delete(file());
        assertThat(new ProcessBuilder("mkfifo", file().toString()).start().waitFor()).isZero();
        Assertions.assertTimeout(Duration.ofSeconds(5),
                () -> assertRefused("is not a regular file. Replace it by a text file, or remove it."));
        Files.delete(file());
        Files.createSymbolicLink(file(), Path.of("nowhere"));
        assertThatThrownBy(() -> EnvFile.read(workspace)).isInstanceOf(EnvFileException.class)
                .hasMessage(file() + ": No such file or folder.");
    }

    @Test
    void bytesThatAreNoTextAreRefused() throws IOException {
        Files.write(file(), new byte[]{'A', '=', (byte) 0xFF});
        assertRefused("is not valid UTF-8. Save it as UTF-8 text.");
    }

    @Test
    void variablesOfTheProcessWin() {
        EnvFile read =
                new EnvFile(Map.of("A", "file-A", "B", "file-B", "C", "equal", "LLM_MODEL", "tiny-model"), List.of());
        EnvironmentVariables all =
                new EnvironmentVariables(Map.of("A", "", "C", "equal", "D", "process"), Map.of(), List.of()).with(read);
        assertThat(List.of("A", "B", "C", "D", "E")).extracting(name -> all.value(name).orElse("-")).containsExactly("",
                "file-B", "equal", "process", "-");
        assertThat(all.fromFile(List.of("A", "B", "D", "E"))).isEqualTo(Map.of("B", "file-B"));
        assertThat(all.warnings()).containsExactly("The environment wins over .env for A.");
        assertThat(all + " " + read).doesNotContain("file-", "equal", "tiny-model");
    }

    @Test
    void valuesAreMaskedButNotTheModel() {
        EnvironmentVariables all = EnvironmentVariables.NONE.with(new EnvFile(
                Map.of("LONG", "sk-123456789", "SHORT", "sk-12345", "FLAG", "true", "LLM_MODEL", "tiny-model"),
                List.of()));
        assertThat(all.mask().apply("sk-123456789 sk-12345, true of tiny-model"))
                .isEqualTo("*** ***, true of tiny-model");
    }

    @Test
    void secretsOfTheProcessAreMaskedByTheirNames() {
        EnvironmentVariables all = new EnvironmentVariables(Map.of("HF_TOKEN", "hf_abcdefgh", "openai_api_key",
                "sk-98765432", "MAX_TOKENS", "1234567890", "HOME", "/home/someone"), Map.of(), List.of());
        assertThat(all.mask().apply("hf_abcdefgh sk-98765432 1234567890 /home/someone"))
                .isEqualTo("*** *** 1234567890 /home/someone");
    }

    private Path file() {
        return workspace.resolve(".env");
    }

    private void write(String text) throws IOException {
        Files.write(file(), text.getBytes(StandardCharsets.UTF_8));
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
    }

    private void assertRefused(String fault) {
        assertThatThrownBy(() -> EnvFile.read(workspace)).isInstanceOf(EnvFileException.class)
                .hasMessage(file() + " " + fault);
    }
}
