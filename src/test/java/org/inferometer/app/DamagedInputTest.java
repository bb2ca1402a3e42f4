package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.engine.Engine;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.RecipeReader;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.SpecReader;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.SelfCheckFile;
import org.inferometer.results.exchange.ForeignSamples;
import org.inferometer.results.exchange.Importer;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.WorkerProtocol;
import org.inferometer.units.FolderTree;
import org.inferometer.units.Seed;
import org.inferometer.workload.PromptFile;
import org.inferometer.workload.TraceReplay;
import org.inferometer.workload.WorkloadExtent;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every reader answers every damaged file with a value or with its own kind of exception, within seconds.
///
/// `-Dinferometer.inputs=100000` damages each file so often, for at most `inferometer.seconds` a reader.
@Execution(ExecutionMode.CONCURRENT)
@Tag("endurance")
@Timeout(3600)
class DamagedInputTest {
    private static final int INPUTS = Integer.getInteger("inferometer.inputs", 75);
    private static final long SECONDS = Long.getLong("inferometer.seconds", 1);
    private static final long SLOWEST_NANOS = 10_000_000_000L;
    private static final Path SAMPLE = Path.of("src/test/records/schedulers-tiny");

    private Path folder = Path.of("");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("damaged");
    }

    @AfterEach
    void removeFolder() throws IOException {
        FolderTree.delete(folder);
    }

    /// Reads a damaged file; declared exceptions are answers.
    @FunctionalInterface
    private interface Attempt {
        void read(byte[] damaged) throws IOException, PlanException, EngineFormatException;
    }

    /// @param whole files to damage
    private record Reader(List<byte[]> whole, Attempt attempt) {}

    enum Input {
        EXPERIMENT_JSON, RUN_JSON, EVENTS, REQUESTS, STEPS, TELEMETRY, TOKENS, SELF_CHECK, EXPERIMENT_YAML, RECIPE,
        ENGINE_JSON, WEIGHTS, AZURE_TRACE, MOONCAKE_TRACE, SHAREGPT_TRACE, PROMPTS, FOREIGN, WORKER_FRAME, WORKER_ORDER
    }

    @ParameterizedTest
    @EnumSource
    void damagedInputEndsInAnAnswer(Input input) throws Exception {
        Reader reader = reader(input);
        for (byte[] whole : reader.whole()) {
            reader.attempt().read(whole);
        }
        long began = System.nanoTime();
        int tried = 0;
        int read = 0;
        while (tried < INPUTS && System.nanoTime() - began < SECONDS * 1_000_000_000L) {
            Seed seed = new Seed(input.ordinal()).part(tried);
            byte[] whole = reader.whole().get(tried % reader.whole().size());
            byte[] damaged = Mutations.of(whole, seed.generator());
            long start = System.nanoTime();
            try {
                reader.attempt().read(damaged);
                read++;
            } catch (IOException | PlanException | EngineFormatException e) {
                assertThat(e.getMessage()).as("message for input %d", tried).isNotBlank();
            } catch (IllegalArgumentException e) {
                if (input != Input.WORKER_FRAME && input != Input.WORKER_ORDER) {
                    fail(input + " input " + tried + " is answered with " + e, e);
                }
            } catch (RuntimeException | Error e) {
                fail(input + " input " + tried + " is answered with " + e, e);
            }
            assertThat(System.nanoTime() - start).as("time for input %d", tried).isLessThan(SLOWEST_NANOS);
            tried++;
        }
        System.out.println(input + ": " + tried + " damaged inputs, " + read + " readable");
        assertThat(tried).isPositive();
    }

    private Reader reader(Input input) throws Exception {
        return switch (input) {
            case EXPERIMENT_JSON -> record("experiment.json");
            case RUN_JSON -> record("run.json");
            case EVENTS -> record("events.jsonl");
            case REQUESTS -> record("requests.csv");
            case STEPS -> record("steps.csv");
            case TELEMETRY -> record("telemetry.csv");
            case TOKENS -> record("tokens.bin");
            case SELF_CHECK -> text("self-check.json", """
                    {"measuredWall":"2026-11-22T10:00:00Z","machine":{"system":"Linux"},"results":[]}
                    """, file -> new SelfCheckFile(folder).last());
            case EXPERIMENT_YAML -> text("e.yaml", """
                    name: night
                    engines: [tiny-int4, tiny-fp8]
                    schedulers: ["naive:batch_size=8", continuous]
                    workloads:
                      - short
                      - {preset: chat, name: busy, requests: 200, arrivals: "poisson:rate=6", prompt_tokens: "1..20"}
                    backend: host:threads=2
                    kv_memory: 512MiB
                    limits: {max_batch_size: 16}
                    slo: ttft=500ms
                    """, file -> new SpecReader().read(file));
            case RECIPE ->
                file("recipe.yaml", Files.readAllBytes(Path.of("engines/tiny-int4/recipe.yaml")), RecipeReader::read);
            case ENGINE_JSON -> engine("engine.json");
            case WEIGHTS -> engine("weights.safetensors");
            case AZURE_TRACE -> trace("t.csv", """
                    TIMESTAMP,ContextTokens,GeneratedTokens
                    2023-11-16 18:15:46.6805900,374,44
                    2023-11-16 18:15:50.9951690,396,109
                    """);
            case MOONCAKE_TRACE -> trace("t.jsonl", """
                    {"timestamp": 0, "input_length": 1500, "output_length": 500, "hash_ids": [0, 1, 2]}
                    {"timestamp": 3000, "input_length": 900, "output_length": 490, "hash_ids": [0, 14]}
                    """);
            case SHAREGPT_TRACE -> trace("t.json", """
                    [{"id": "a", "conversations": [{"from": "human", "value": "Hello there"},
                      {"from": "gpt", "value": "Good morning"}]}]
                    """);
            case PROMPTS -> text("p.jsonl", "{\"prompt\": \"Hello\", \"output_tokens\": 4}\n{\"prompt\": \"Bye\"}\n",
                    file -> new PromptFile().read(file));
            case FOREIGN -> foreign();
            case WORKER_FRAME -> new Reader(frames(),
                    damaged -> new WorkerProtocol().frame(new String(damaged, StandardCharsets.UTF_8)));
            case WORKER_ORDER -> new Reader(List.of(order()),
                    damaged -> new WorkerProtocol().order(new String(damaged, StandardCharsets.UTF_8)));
        };
    }

    @FunctionalInterface
    private interface FileReading {
        void read(Path file) throws IOException, PlanException, EngineFormatException;
    }

    private Reader text(String name, String whole, FileReading reading) {
        return file(name, whole.getBytes(StandardCharsets.UTF_8), reading);
    }

    private Reader file(String name, byte[] whole, FileReading reading) {
        Path file = folder.resolve(name);
        return new Reader(List.of(whole), damaged -> {
            Files.write(file, damaged);
            reading.read(file);
        });
    }

    /// A result of one run, of which one file is damaged.
    private Reader record(String damagedFile) throws IOException {
        Path result = Files.createDirectory(folder.resolve("result"));
        Files.copy(SAMPLE.resolve("experiment.json"), result.resolve("experiment.json"));
        Path run;
        try (Stream<Path> children = Files.list(SAMPLE)) {
            run = children.filter(Files::isDirectory).sorted().findFirst().orElseThrow();
        }
        Path copy = Files.createDirectory(result.resolve(run.getFileName().toString()));
        try (Stream<Path> files = Files.list(run)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName().toString()));
            }
        }
        Path damagedPath = (damagedFile.equals("experiment.json") ? result : copy).resolve(damagedFile);
        byte[] whole = Files.readAllBytes(damagedPath);
        return new Reader(List.of(whole), damaged -> {
            Files.write(damagedPath, damaged);
            new ResultLibrary(folder).open(result);
        });
    }

    private Reader engine(String damagedFile) throws Exception {
        SmallestEngines.into(folder);
        EngineCatalog catalog = new EngineCatalog(folder.resolve("engines"));
        Path built = catalog.find("tiny-int4").folder();
        new EngineBuilder().build(catalog.find("tiny-int4"), fraction -> {});
        Path file = built.resolve(damagedFile);
        byte[] whole = Files.readAllBytes(file);
        // Damage where the header is: changed weights are valid numbers.
        int header = Math.min(whole.length, 8 << 10);
        return new Reader(List.of(Arrays.copyOf(whole, header)), damaged -> {
            byte[] all = whole.length == header ? damaged : whole.clone();
            if (all != damaged) {
                System.arraycopy(damaged, 0, all, 0, Math.min(header, damaged.length));
            }
            Files.write(file, all);
            Engine.open(built).close();
        });
    }

    private Reader trace(String name, String whole) {
        return text(name, whole, file -> WorkloadExtent.of(new WorkloadPresets().find("short").withRefinements(
                new WorkloadPresets().find("short").refinements().withTrace(TraceReplay.parse(file.toString())))));
    }

    private Reader foreign() {
        List<byte[]> samples = new ArrayList<>();
        for (Map.Entry<String, String> sample : ForeignSamples.all().entrySet()) {
            // YAML is told by the name of its file. DamagedFilesTest damages it.
            if (!sample.getKey().endsWith(".yaml")) {
                samples.add(sample.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        Path file = folder.resolve("foreign.json");
        Path results = folder.resolve("imported");
        return new Reader(samples, damaged -> {
            Files.write(file, damaged);
            try {
                new Importer(results).read(file, Optional.empty(), Instant.EPOCH);
            } finally {
                if (Files.exists(results)) {
                    FolderTree.delete(results);
                }
            }
        });
    }

    private static List<byte[]> frames() {
        WorkerProtocol protocol = new WorkerProtocol();
        return Stream.of(new WorkerFrame.Log("info", "hello"), new WorkerFrame.Finished(RunStatus.FAILED, "broke"))
                .map(frame -> protocol.line(frame).getBytes(StandardCharsets.UTF_8)).toList();
    }

    private static byte[] order() throws IOException {
        RunPlan plan = new ResultLibrary(Path.of("src/test/records")).open(SAMPLE).runs().getFirst().manifest().plan();
        return new WorkerProtocol().line(WorkerProtocol.Order.of(Path.of("w"), plan)).getBytes(StandardCharsets.UTF_8);
    }
}
