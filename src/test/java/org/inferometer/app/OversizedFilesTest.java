package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.inferometer.units.LongForm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that do not fit into a heap of 64 MiB: one sentence that names the file, and never the exit code of a verdict.
///
/// All commands with all files run with `-Dinferometer.endurance=true`: `mvn verify -Pendurance`.
@Execution(ExecutionMode.CONCURRENT)
@Tag("endurance")
class OversizedFilesTest {
    private static final Path SAMPLE = Path.of("src/test/records/quick").toAbsolutePath();
    private static final long LONG_LINE_BYTES = 200L << 20;
    private static final long LONG_HEADER_BYTES = 40L << 20;
    private static final int LIMIT_SECONDS = 20;

    @TempDir
    Path folder;

    /// A file of a record that does not fit.
    enum OversizedRecord {
        REQUESTS("requests.csv"), CSV_LINE("requests.csv"), CSV_HEADER("steps.csv"), MANIFEST_LINE("run.json"),
        EXPERIMENT_LINE("experiment.json"), EVENT_LINE("events.jsonl"), EVENTS("events.jsonl");

        private final String file;

        OversizedRecord(String file) {
            this.file = file;
        }

        void write(Path experiment) throws IOException {
            Path target = this == EXPERIMENT_LINE ? experiment.resolve(file) : firstRun(experiment).resolve(file);
            switch (this) {
                case REQUESTS -> {
                    Files.delete(firstRun(experiment).resolve("tokens.bin"));
                    String header = Files.readAllLines(target).getFirst();
                    repeat(target, header, 1_000_000,
                            i -> i + ",0,64,16,1,2,,,9,failed,no answer " + i + ",0,0,engine");
                }
                case CSV_LINE -> longLine(target, Files.readAllLines(target).getFirst() + "\n", LONG_LINE_BYTES);
                case CSV_HEADER -> longLine(target, "", LONG_HEADER_BYTES);
                case MANIFEST_LINE, EXPERIMENT_LINE ->
                    longLine(target, Files.readString(target).replaceAll("\\s*}\\s*$", ", \"x\": \""), LONG_LINE_BYTES);
                case EVENT_LINE -> longLine(target, Files.readString(target), LONG_LINE_BYTES);
                case EVENTS -> repeat(target, "", 4_500_000,
                        i -> "{\"event\":\"gauge\",\"nanos\":" + i + ",\"name\":\"g\",\"value\":" + i + ".5}");
            }
        }
    }

    /// What a command left behind.
    private record Outcome(int exit, String out, String err) {}

    @BeforeEach
    void copySample() throws IOException {
        Files.createDirectory(folder.resolve("results"));
        try (Stream<Path> all = Files.walk(SAMPLE)) {
            for (Path each : all.toList()) {
                Files.copy(each, folder.resolve("results/large").resolve(SAMPLE.relativize(each).toString()));
            }
        }
    }

    static Stream<Arguments> commandsWithRecords() {
        String sample = SAMPLE.toString();
        List<List<String>> commands = List.of(List.of("results", "list"), List.of("results", "show", "large"),
                List.of("results", "steps", "large", "--run", "1"), List.of("report", "large", "--out", "report.html"),
                List.of("compare", sample, "large"), List.of("gate", sample, "large"),
                List.of("export", "large", "--format", "vllm", "--out", "exported"),
                List.of("results", "share", "large", "--out", "shared"));
        return commands.stream().flatMap(
                command -> Stream.of(OversizedRecord.values()).map(oversized -> Arguments.of(command, oversized)));
    }

    static final List<Arguments> ALWAYS_RUN =
            List.of(Arguments.of(List.of("report", "large", "--out", "report.html"), OversizedRecord.REQUESTS),
                    Arguments.of(List.of("compare", SAMPLE.toString(), "large"), OversizedRecord.MANIFEST_LINE));

    @ParameterizedTest
    @FieldSource("ALWAYS_RUN")
    void recordIsRefusedInOneSentence(List<String> command, OversizedRecord oversized) throws Exception {
        oversized.write(folder.resolve("results/large"));
        Outcome outcome = run(command);
        if (command.contains("list")) {
            assertThat(outcome.exit).as(outcome.err).isZero();
            assertThat(outcome.err).isEmpty();
        } else {
            requireOneSentence(outcome, 3, oversized.file);
            assertThat(outcome.err).contains("INFEROMETER_JAVA_OPTIONS=-Xmx8g");
        }
    }

    @ParameterizedTest
    @MethodSource("commandsWithRecords")
    @LongForm
    void everyCommandRefusesEveryRecord(List<String> command, OversizedRecord oversized) throws Exception {
        recordIsRefusedInOneSentence(command, oversized);
    }

    @ParameterizedTest
    @ValueSource(strings = "2m")
    void heapThatIsTooSmallToStartIsNoVerdict(String heap) throws Exception {
        Outcome outcome = run(heap, List.of("gate", SAMPLE.toString(), SAMPLE.toString()));
        assertThat(outcome.exit).as(outcome.err).isEqualTo(3);
        assertThat(outcome.err).startsWith("error: ").hasLineCount(1);
    }

    @Test
    @LongForm
    void heapThatIsTooSmallForACommandIsNoVerdict() throws Exception {
        heapThatIsTooSmallToStartIsNoVerdict("11m");
    }

    @Test
    void largeRecordThatFitsIsRead() throws Exception {
        Path run = firstRun(folder.resolve("results/large"));
        String header = Files.readAllLines(run.resolve("requests.csv")).getFirst();
        Files.delete(run.resolve("tokens.bin"));
        repeat(run.resolve("requests.csv"), header, 50_000, i -> i + ",0,64,16,1,2,,,9,failed,no answer,0,0,engine");
        Outcome outcome = run(List.of("results", "show", "large"));
        assertThat(outcome.exit).as(outcome.err).isZero();
        assertThat(outcome.out).contains("50000");
    }

    /// Files of other tools, and how their last line begins.
    static Stream<Arguments> foreignFiles() {
        return Stream.of(Arguments.of("line.csv", "n_prompt,n_gen,avg_ts\n", LONG_LINE_BYTES),
                Arguments.of("line.json", "{\"start_times\": \"", LONG_LINE_BYTES),
                Arguments.of("line.jsonl", "{\"metadata\":{}}\n{\"x\":\"", LONG_LINE_BYTES),
                Arguments.of("header.csv", "n_prompt,", LONG_HEADER_BYTES),
                Arguments.of("fits-as-bytes.csv", "n_prompt,", 12L << 20),
                Arguments.of("fits-as-bytes.json", "{\"start_times\": [1,1,", 14L << 20));
    }

    @ParameterizedTest
    @MethodSource("foreignFiles")
    @LongForm
    void importRefusesForeignFile(String name, String begin, long bytes) throws Exception {
        longLine(folder.resolve(name), begin, bytes, begin.endsWith("1,") ? "1," : "a,");
        requireOneSentence(run(List.of("import", name)), 3, name);
    }

    @Test
    void importOfAFileBeyondTheHeapIsNoWrongUse() throws Exception {
        longLine(folder.resolve("line.json"), "{\"start_times\": \"", LONG_LINE_BYTES);
        requireOneSentence(run(List.of("import", "line.json")), 3, "line.json");
    }

    @Test
    void yamlLineIsNotJudged() throws Exception {
        Path suite = Files.createDirectories(folder.resolve("suite"));
        longLine(suite.resolve("line.yaml"), "name: ", LONG_LINE_BYTES);
        requireOneSentence(run(List.of("suite", "validate", "suite")), 2, "line.yaml");
        requireOneSentence(run(List.of("run", "suite/line.yaml")), 2, "line.yaml");
    }

    static Stream<Arguments> workloadFiles() {
        return Stream.of(Arguments.of("prompts", "line.txt", "a", LONG_LINE_BYTES, ""),
                Arguments.of("prompts", "many.jsonl", "", 100L << 20, "{\"prompt\": \"Why is the sky blue?\"}\n"),
                Arguments.of("trace", "line.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n1", LONG_LINE_BYTES, ""),
                Arguments.of("trace", "header.csv", "TIMESTAMP,ContextTokens,", LONG_HEADER_BYTES, "a,"),
                Arguments.of("trace", "line.jsonl", "{\"timestamp\": 1, \"x\": \"", LONG_LINE_BYTES, "a"),
                Arguments.of("trace", "line.json", "[{\"conversations\": [{\"value\": \"", LONG_LINE_BYTES, "a"));
    }

    @ParameterizedTest
    @MethodSource("workloadFiles")
    @LongForm
    void runRefusesWorkloadFile(String key, String name, String begin, long bytes, String filling) throws Exception {
        longLine(folder.resolve(name), begin, bytes, filling);
        String workload = key.equals("trace") ? "{name: w, trace: " + name + ", arrivals: \"closed:concurrency=2\"}"
                : "{name: w, prompts: " + name + ", requests: 10}";
        Files.writeString(folder.resolve("plan.yaml"), "targets: [\"null\"]\nworkloads: [" + workload + "]\nruns: 1\n");
        requireOneSentence(run(List.of("run", "plan.yaml", "--allow", "program,address,secret,file")), 2, name);
    }

    /// @param code 3 if the heap is too small; 2 for a file of a plan, which has limits of its own
    private static void requireOneSentence(Outcome outcome, int code, String file) {
        assertThat(outcome.exit).as(outcome.out + outcome.err).isEqualTo(code);
        List<String> lines = outcome.err.lines().filter(line -> !line.startsWith("See: ")).toList();
        assertThat(lines).as(outcome.err).hasSize(1);
        assertThat(lines.getFirst()).startsWith("error: ").contains(file).doesNotContain("Exception");
    }

    private Outcome run(List<String> command) throws IOException, InterruptedException {
        return run("64m", command);
    }

    private Outcome run(String heap, List<String> command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx" + heap, "--enable-native-access=ALL-UNNAMED",
                "-cp", absolute(System.getProperty("java.class.path")), Main.class.getName(), "--workspace",
                folder.toString()));
        line.addAll(command);
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile()).redirectOutput(out.toFile())
                .redirectError(err.toFile());
        // Otherwise the JVM announces that it picked them up.
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
        Process process = builder.start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        // On a busy machine the time of the processor counts.
        for (int more = 0; !ended && more < LIMIT_SECONDS && cpuSeconds(process) < LIMIT_SECONDS; more++) {
            ended = process.waitFor(LIMIT_SECONDS / 4, TimeUnit.SECONDS);
        }
        process.destroyForcibly().waitFor();
        assertThat(ended).as("%s ended within %d s", command, LIMIT_SECONDS).isTrue();
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private static long cpuSeconds(Process process) {
        return process.info().totalCpuDuration().map(Duration::toSeconds).orElse((long) LIMIT_SECONDS);
    }

    private static String absolute(String classPath) {
        return String.join(java.io.File.pathSeparator, Stream.of(classPath.split(java.io.File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString()).toList());
    }

    private static Path firstRun(Path experiment) throws IOException {
        try (Stream<Path> inside = Files.list(experiment)) {
            return inside.filter(Files::isDirectory).sorted().findFirst().orElseThrow();
        }
    }

    private static void repeat(Path file, String header, int lines, java.util.function.IntFunction<String> line)
            throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            out.write(header.isEmpty() ? "" : header + "\n");
            for (int i = 0; i < lines; i++) {
                out.write(line.apply(i));
                out.write('\n');
            }
        }
    }

    /// The rest of the line are zeros that take no space on the disk.
    private static void longLine(Path file, String begin, long bytes) throws IOException {
        longLine(file, begin, bytes, "");
    }

    private static void longLine(Path file, String begin, long bytes, String filling) throws IOException {
        if (filling.isEmpty()) {
            Files.writeString(file, begin);
            try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
                sparse.setLength(bytes);
            }
            return;
        }
        byte[] block = filling.repeat(1 << 14).getBytes(StandardCharsets.UTF_8);
        try (var out = Files.newOutputStream(file)) {
            out.write(begin.getBytes(StandardCharsets.UTF_8));
            for (long written = begin.length(); written < bytes; written += block.length) {
                out.write(block);
            }
        }
    }
}
