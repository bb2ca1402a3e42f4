package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.record.RunStatus;
import org.inferometer.units.FileTooLargeException;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.QuantityText;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class HostileRecordTest {
    private static final List<String> RUN_FILES =
            List.of("run.json", "requests.csv", "tokens.bin", "steps.csv", "telemetry.csv", "events.jsonl");
    @TempDir
    Path folder;

    private Path run() throws IOException {
        Path run = folder.resolve("run-000");
        SampleRecords.writeRun(new ResultFiles(), run, SampleRecords.plan(SampleRecords.spec(1), 0, 0, folder),
                RunStatus.COMPLETE, 12);
        return run;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            steps.csv    | -1,0,0,1,1,1,1:0+1,1,1,1,0,1,1,1,x       | step is -1, which is not between
            steps.csv    | 1,0,0,1,1,1,1:0+99999999999,1,1,1,0,1,1,1,x | "1:0+99999999999" is not a slice
            steps.csv    | 1,0,0,1,1,1,=1,1,1,1,0,1,1,1,x           | "=1" is not a slice
            steps.csv    | 1,7,0,1,1,1,=,1,1,1,0,1,1,1,x            | slices follow the row before of lane 7, but there is none
            steps.csv    | 1,0,9,1,1,1,1:0+1,1,1,1,0,1,1,1,x        | the step ends before it starts
            steps.csv    | 1,0,0,1,1,1,1:0+1,1,1,1,-3,1,1,1,x       | moved_bytes is -3, which is not between
            steps.csv    | 1,0,0,1,1,1,1:0+1,1,1,1,0,1,1,NaN,x      | kv_blocks_held is "NaN", not a whole number
            steps.csv    | 1,0,0,1,1,1,1:0+1,1,1,1,0,1,1,x          | the row has 14 fields where 15 are expected
            steps.csv    | 1,0,0,1,1,1,1:0+1,1,1,1,0,1,1,1,x,y      | the row has more than the expected 15 fields
            steps.csv    | 1,0,99999999999999999999,1,1,1,1:0+1,1,1,1,0,1,1,1,x | start_ns is "99999999999999999999", not a whole number in range
            steps.csv    | 1,0,9223372036854775807,1,1,1,1:0+1,1,1,1,0,1,1,1,x | start_ns is 9223372036854775807, which is not between
            steps.csv    | 1,0,0,1,1,1,a"b,c,d                      | a quote is inside a field
            steps.csv    | 1,0,0,1,1,1,"a"b,c,d                     | text follows a closing quote
            events.jsonl | {"event":"sneeze","nanos":1}             | this is not an event
            events.jsonl | {"event":"preempted","nanos":1,"request":3} | this is not an event
            events.jsonl | {"event":"preempted","nanos":1,"request":-3,"lostPositions":1} | the event has a value out of range
            events.jsonl | {"event":"preempted","nanos":9223372036854775807,"request":3,"lostPositions":1} | the event has a value out of range
            events.jsonl | {"event":"note","nanos":1,"phase":"tea","text":""} | this is not an event
            events.jsonl | null                                     | the event has a value out of range
            events.jsonl | 1,admitted,3,lane=0                      | this is not an event
            requests.csv | 99,0,1,1,0,0,0,0,0,splendid,,0,0,engine,1 | "splendid" is no request status
            requests.csv | 99,0,1,1,0,0,0,0,0,ok,,0,0,somebody,1    | "somebody" is no source of a token count
            requests.csv | 99,2,1,1,0,0,0,0,0,ok,,0,0,engine,1      | warm_up is 2
            requests.csv | 3,0,64,1,0,0,0,0,0,ok,,1,1,engine,64     | request 3 has 1 token instants in requests.csv and
            telemetry.csv| 1,1,1,1,1,1,5,1,1,1,1,0,1e999,1,1,1,1,1,1,1,1,1 | gpu_used_bytes is "1e999", not a finite number
            telemetry.csv| 1,-5,1,1,1,1,5,1,1,1,1,,,,,,,,,,,        | weights_bytes is -5
            """)
    void aRowThatDoesNotFitIsNamedWithFileAndLine(String file, String row, String sentence) throws IOException {
        Path run = run();
        Path damaged = run.resolve(file.strip());
        Files.writeString(damaged, Files.readString(damaged) + row.strip() + "\n");
        long line = Files.readString(damaged).lines().count();
        assertThatThrownBy(() -> new ResultFiles().readRun(run)).isInstanceOf(ResultFormatException.class)
                .hasMessageContaining(damaged + ":" + line + ": ").hasMessageContaining(sentence.strip());
    }

    @Test
    void aRequestThatStandsTwiceIsRefused() throws IOException {
        Path run = run();
        Path requests = run.resolve("requests.csv");
        String first = Files.readAllLines(requests).get(1);
        Files.writeString(requests, Files.readString(requests) + first + "\n");
        assertThatThrownBy(() -> new ResultFiles().readRun(run)).hasMessageContaining("request 0 is listed twice");
    }

    @Test
    void textThatIsNotUtf8IsRefused() throws IOException {
        Path run = run();
        byte[] bad = "1,0,0,1,1,1,,1,1,1,0,1,1,1,?(\n".getBytes(StandardCharsets.UTF_8);
        bad[bad.length - 3] = (byte) 0xc3;
        Files.write(run.resolve("steps.csv"), bad, java.nio.file.StandardOpenOption.APPEND);
        assertThatThrownBy(() -> new ResultFiles().readRun(run)).hasMessageContaining("reason is not UTF-8 text");
    }

    @Test
    void aRowWithoutEndTakesNoMoreMemoryThanItsLimit() throws IOException {
        Path run = run();
        String header = Files.readAllLines(run.resolve("steps.csv")).getFirst();
        String tooLong = "x".repeat(HeapLimit.rowBytes() + (1 << 20));
        Files.writeString(run.resolve("steps.csv"), header + "\n1,0,0,1,1,1," + tooLong + "\n");
        assertThatThrownBy(() -> new ResultFiles().readRun(run)).isInstanceOf(FileTooLargeException.class)
                .hasMessageContaining(
                        "steps.csv:2: the row is longer than " + QuantityText.bytes(HeapLimit.rowBytes()));
        Files.writeString(run.resolve("steps.csv"), header + "\n");
        Files.writeString(run.resolve("events.jsonl"), tooLong + "\n");
        assertThatThrownBy(() -> new ResultFiles().readRun(run)).isInstanceOf(FileTooLargeException.class)
                .hasMessageContaining("events.jsonl:1: the row is longer than");
    }

    @Test
    void aFrameThatLiesAboutItsLengthTakesNoMemory() throws IOException {
        Path run = run();
        byte[] tokens = Files.readAllBytes(run.resolve("tokens.bin"));
        byte[] lying = Arrays.copyOf(tokens, tokens.length + 4);
        Arrays.fill(lying, tokens.length, lying.length, (byte) 0x7f);
        Files.write(run.resolve("tokens.bin"), lying);
        assertThatThrownBy(() -> new ResultFiles().readRun(run)).hasMessageContaining("which is out of range");
    }

    @Test
    void aBitThatFlippedInTheTokensIsFound() throws IOException {
        Path run = run();
        byte[] tokens = Files.readAllBytes(run.resolve("tokens.bin"));
        tokens[tokens.length - 12] ^= 4;
        Files.write(run.resolve("tokens.bin"), tokens);
        assertThatThrownBy(() -> new ResultFiles().readRun(run)).hasMessageContaining("checksum does not match");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "", "results/..", ".hidden", "a\\u0000b"})
    void runFoldersThatLeadElsewhereAreNotFollowed(String name) throws IOException {
        Path experiment = experimentWithRunFolder(name);
        assertThatThrownBy(() -> new ResultLibrary(folder).open(experiment)).isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("is not a valid name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../elsewhere", "/etc/elsewhere", "C:\\\\elsewhere"})
    void onlyTheLastNameOfARunFolderIsUsed(String name) throws IOException {
        Files.createDirectories(folder.resolve("elsewhere"));
        assertThat(new ResultLibrary(folder).open(experimentWithRunFolder(name)).noteSentences())
                .contains("Run elsewhere is missing.");
    }

    private Path experimentWithRunFolder(String name) throws IOException {
        Path experiment = folder.resolve("experiment");
        SampleRecords.writeExperiment(experiment, 1);
        Path manifest = experiment.resolve("experiment.json");
        String text = Files.readString(manifest);
        String changed = text.replaceFirst("\"folder\" : \"[^\"]*run-000\"",
                java.util.regex.Matcher.quoteReplacement("\"folder\" : \"" + name + "\""));
        assertThat(changed.equals(text)).isFalse();
        Files.writeString(manifest, changed);
        return experiment;
    }

    @Test
    void tooLargeMatrixIsRefusedBeforeItIsBuilt() throws IOException {
        Path experiment = folder.resolve("experiment");
        SampleRecords.writeExperiment(experiment, 1);
        Path manifest = experiment.resolve("experiment.json");
        String engines = IntStream.range(0, 100_001).mapToObj(i -> "\"e" + i + "\"")
                .collect(Collectors.joining(", ", "\"engines\" : [ ", " ]"));
        Files.writeString(manifest, Files.readString(manifest).replaceFirst("\"engines\" : \\[[^]]*]", engines));
        assertThatThrownBy(() -> new ResultLibrary(folder).open(experiment)).isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("more than 100000 cells");
    }

    @Test
    void aRunThatBeganAtNoInstantOfThisTimeIsRefused() throws IOException {
        Path run = run();
        Path manifest = run.resolve("run.json");
        Files.writeString(manifest, Files.readString(manifest).replaceFirst("\"anchorWall\" : \"[^\"]*\"",
                "\"anchorWall\" : \"+1000000000-12-31T23:59:59Z\""));
        assertThatThrownBy(() -> new ResultFiles().readRun(run)).isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("the start of the run is out of range");
    }

    @Test
    void aNewerFormatIsRefusedWithTheWayOut() throws IOException {
        assertThatThrownBy(() -> new ResultFiles().readRun(runOfFormat(4)))
                .hasMessageEndingWith("the record has format 4; this version reads 3. Use a newer Inferometer.");
    }

    @Test
    void anOlderFormatIsRefusedWithTheWayOut() throws IOException {
        assertThatThrownBy(() -> new ResultFiles().readRun(runOfFormat(2)))
                .hasMessageEndingWith("the record has format 2; this version reads 3. Measure again.");
    }

    private Path runOfFormat(int version) throws IOException {
        Path run = run();
        Path manifest = run.resolve("run.json");
        Files.writeString(manifest,
                Files.readString(manifest).replaceFirst("\"formatVersion\" : 3", "\"formatVersion\" : " + version));
        return run;
    }

    @Test
    void aMissingFieldOfAManifestIsNamed() throws IOException {
        Path run = run();
        Path manifest = run.resolve("run.json");
        Files.writeString(manifest, Files.readString(manifest).replaceFirst("\"processor\" : \"[^\"]*\",", ""));
        assertThatThrownBy(() -> new ResultFiles().readRun(run))
                .hasMessageContaining("\"machine.processor\" is missing");
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        Path run = run();
        Files.move(run.resolve("steps.csv"), folder.resolve("moved.csv"));
        Files.createSymbolicLink(run.resolve("steps.csv"), folder.resolve("moved.csv"));
        assertThatThrownBy(() -> new ResultFiles().readRun(run)).hasMessageContaining("not a regular file");
    }

    /// Whatever is changed, the reader gives a record or one sentence, and nothing else.
    @Test
    void damageOfAnyKindGivesARecordOrASentence() throws IOException {
        Path run = run();
        RandomGenerator random = new Seed(7).generator();
        int refused = 0;
        for (int round = 0; round < 600; round++) {
            Path file = run.resolve(RUN_FILES.get(round % RUN_FILES.size()));
            byte[] whole = Files.readAllBytes(file);
            Files.write(file, mutated(whole, random));
            try {
                assertThat(new ResultFiles().readRun(run)).isNotNull();
            } catch (ResultFormatException e) {
                refused++;
                assertThat(e.getMessage()).contains(file.getFileName().toString().replace("tokens.bin", ""));
            }
            Files.write(file, whole);
        }
        assertThat(refused).isBetween(100, 590);
    }

    private static byte[] mutated(byte[] whole, RandomGenerator random) {
        byte[] changed = whole.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(changed.length);
            switch (random.nextInt(5)) {
                case 0 -> changed[at] = (byte) random.nextInt(256);
                case 1 -> changed[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> changed = Arrays.copyOf(changed, Math.max(1, at));
                case 3 -> changed[at] = (byte) "0123456789-,\"\n{}[]eE.".charAt(random.nextInt(21));
                default -> {
                    byte[] longer = Arrays.copyOf(changed, changed.length + 20);
                    System.arraycopy(changed, at, longer, at + 20, changed.length - at);
                    changed = longer;
                }
            }
        }
        return changed;
    }
}
