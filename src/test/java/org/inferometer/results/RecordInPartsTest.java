package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.inferometer.record.RunRecord;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that are read in parts by several threads give what reading them as one gives, whatever stands in them.
@Execution(ExecutionMode.CONCURRENT)
class RecordInPartsTest {
    private static final long AS_ONE = Long.MAX_VALUE / 4;
    private static final int REQUESTS = 400;
    @TempDir
    Path folder;

    private Path run = Path.of("");

    @BeforeEach
    void write() throws IOException {
        run = folder.resolve("run-000");
        LargeRecord.write(run, REQUESTS);
    }

    /// Everything of a record, or the sentence that refuses it.
    private String read(long partBytes) throws IOException {
        try {
            RunRecord record = new RunReader(run, partBytes).read();
            StringBuilder text = new StringBuilder();
            record.observations().requests()
                    .forEach(request -> text.append(request.toString().replaceAll("eventNanos=[^,]*", ""))
                            .append(Arrays.toString(request.eventNanos())).append('\n'));
            return text.append(record.notes()).append(record.manifest()).toString();
        } catch (ResultFormatException e) {
            return e.getMessage();
        }
    }

    private void assertAlikeInParts() throws IOException {
        String asOne = read(AS_ONE);
        for (long partBytes : new long[]{1, 50, 130, 1000, 7000}) {
            assertThat(read(partBytes)).as("parts of " + partBytes + " bytes").isEqualTo(asOne);
        }
    }

    private void change(String name, UnaryOperator<String> change) throws IOException {
        Path file = run.resolve(name);
        Files.writeString(file, change.apply(Files.readString(file)));
    }

    /// Rows that end in reasons of failed requests.
    private static String failed(String rows, String reason) {
        return rows.replace(",ok,,", ",failed," + reason + ",");
    }

    @Test
    void aSoundRecord() throws IOException {
        assertAlikeInParts();
        assertThat(new RunReader(run, 100).read().observations().requests()).hasSize(REQUESTS);
    }

    @Test
    void linesThatEndInCarriageReturnAndLineFeed() throws IOException {
        change("requests.csv", text -> text.replace("\n", "\r\n"));
        assertAlikeInParts();
        assertThat(new RunReader(run, 100).read().observations().requests()).hasSize(REQUESTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"HTTP 500, \"\"overloaded\"\"\"", "\"two\nlines\"", "\"\n\"",
            "\"1,0,64,8,0,1,2,3,4,ok,,8,8,engine\n2,0,64,8,0,1,2,3,4,ok,,8,8,engine\n\"", "\"never closed", "a\"b",
            "\"a\"b", "é"})
    void reasonsInQuotesWithLineEndsInThem(String reason) throws IOException {
        change("requests.csv", text -> failed(text, reason));
        assertAlikeInParts();
    }

    /// Read from the cut on, the rows inside the reason are sound ones, and all behind it are one text that never ends.
    @Test
    void aCutInsideAReasonThatLooksLikeRowsIsSeenInThePartBeforeIt() throws IOException {
        change("requests.csv", text -> text.replaceFirst("(?m)^(395,.*),ok,,",
                "$1,failed,\"said\n5000,0,64,8,0,1,2,3,4,failed,x,0,0,engine\n\","));
        assertAlikeInParts();
        assertThat(new RunReader(run, 1).read().observations().requests()).hasSize(REQUESTS);
    }

    @Test
    void aLastLineWithoutItsEnd() throws IOException {
        change("requests.csv", text -> text.substring(0, text.length() - 1));
        assertAlikeInParts();
        assertThat(new RunReader(run, 100).read().notes())
                .contains("The last row of requests.csv is incomplete and was skipped.");
    }

    @Test
    void aFaultIsNamedWithTheLineOfTheWholeFile() throws IOException {
        change("requests.csv", text -> text.replace("\n300,0,", "\n300,2,").replace("\n350,0,", "\n350,x,"));
        assertAlikeInParts();
        assertThatThrownBy(() -> new RunReader(run, 100).read()).hasMessageContaining("requests.csv:303: warm_up is 2");
    }

    @Test
    void requestsThatStandTwiceOrHaveNoTokens() throws IOException {
        change("requests.csv", text -> text + text.lines().skip(5).findFirst().orElseThrow() + "\n");
        assertAlikeInParts();
    }

    @Test
    void aFaultOfTheManifestComesFirst() throws IOException {
        change("requests.csv", text -> text.replace("\n300,0,", "\n300,2,"));
        change("run.json", text -> text.replace("formatVersion", "version"));
        assertAlikeInParts();
        assertThat(read(100)).contains("run.json");
    }

    @Test
    void tokensAreCutOffOrMissing() throws IOException {
        byte[] tokens = Files.readAllBytes(run.resolve("tokens.bin"));
        Files.write(run.resolve("tokens.bin"), Arrays.copyOf(tokens, tokens.length - 700));
        assertAlikeInParts();
        Files.delete(run.resolve("tokens.bin"));
        assertAlikeInParts();
    }

    @Test
    void aFrameThatStandsTwice() throws IOException {
        byte[] tokens = Files.readAllBytes(run.resolve("tokens.bin"));
        int head = 12 + (tokens[10] & 0xff) + ((tokens[11] & 0xff) << 8);
        int frame = 8 + (tokens[head] & 0xff);
        byte[] twice = Arrays.copyOf(tokens, tokens.length + frame);
        System.arraycopy(tokens, head, twice, tokens.length, frame);
        Files.write(run.resolve("tokens.bin"), twice);
        assertAlikeInParts();
        assertThat(read(100)).contains("has two frames");
    }

    @Test
    void damageOfAnyKind() throws IOException {
        RandomGenerator random = new Seed(11).generator();
        byte[] marks = ",\"\n\r0x-".getBytes(StandardCharsets.US_ASCII);
        for (String name : List.of("requests.csv", "tokens.bin")) {
            byte[] sound = Files.readAllBytes(run.resolve(name));
            for (int round = 0; round < 60; round++) {
                byte[] damaged = Arrays.copyOf(sound, round % 5 == 0 ? random.nextInt(sound.length) : sound.length);
                for (int hit = random.nextInt(3); hit >= 0 && damaged.length > 0; hit--) {
                    damaged[random.nextInt(damaged.length)] = marks[random.nextInt(marks.length)];
                }
                Files.write(run.resolve(name), damaged);
                String asOne = read(AS_ONE);
                assertThat(read(900)).as(name + ", round " + round).isEqualTo(asOne);
            }
            Files.write(run.resolve(name), sound);
        }
    }
}
