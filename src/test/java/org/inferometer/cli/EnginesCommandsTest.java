package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineQuality;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.checkpoint.PublishedCheckpoint;
import org.inferometer.engine.checkpoint.PublishedQuantisation;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.tokenizer.PublishedTokenizer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The commands over three engines: one that is not built, one that is, and one that lost its weights.
class EnginesCommandsTest {
    private static final String TORN = "engines/torn-fp8/weights.safetensors: ";

    private final CliFixture cli;
    private final Path engines;

    EnginesCommandsTest(@TempDir Path folder) {
        cli = new CliFixture(folder);
        engines = folder.resolve("engines");
    }

    @BeforeEach
    void writeEngines() throws EngineFormatException, IOException {
        cli.write("engines/tiny-fp8/recipe.yaml", Samples.recipe("fp8"));
        cli.write("engines/tiny-int4/recipe.yaml", Samples.recipe("int4"));
        cli.write("engines/torn-fp8/recipe.yaml", Samples.recipe("fp8"));
        build("tiny-int4");
        build("torn-fp8");
        Files.delete(engines.resolve("torn-fp8/weights.safetensors"));
        Files.delete(engines.resolve("torn-fp8/recipe.yaml"));
    }

    private void build(String name) throws EngineFormatException {
        new EngineBuilder().build(new EngineCatalog(engines).find(name), fraction -> {});
    }

    private boolean isBuilt(String name) {
        return Files.exists(engines.resolve(name).resolve("engine.json"));
    }

    @Test
    void listShowsStateSizeAndSyntheticWeights() {
        assertThat(cli.run("engines", "list")).isEqualTo(new CliFixture.Outcome(0, """
                NAME       MODEL  PRECISION  PARAMETERS  STATE          SIZE  ORIGIN
                tiny-fp8   tiny   fp8            1.31 M  not built  1.28 MiB  synthetic weights (seed 42)
                tiny-int4  tiny   int4           1.31 M  built       679 KiB  synthetic weights (seed 42)
                torn-fp8   -      -                   -  damaged           -  engines/torn-fp8/weights.safetensors:
                                                                              The file is missing. Build the engine again.

                Size of an engine that is not built: what "inferometer engines build NAME" will write.
                """, ""));
    }

    @Test
    void unknownPropertiesOfDamagedEngineAreNullInJson() {
        JsonNode engine = new JsonMapper().readTree(cli.run("engines", "list", "--json").out()).get(2);
        assertThat(engine.path("problem").stringValue()).contains("weights.safetensors");
        assertThat(engine.properties()).filteredOn(field -> !field.getKey().equals("problem"))
                .extracting(Object::toString).containsExactly("name=\"torn-fp8\"", "model=null", "precision=null",
                        "parameters=null", "state=\"damaged\"", "weightBytes=null", "origin=null");
    }

    @Test
    void buildPrintsNeedsBeforeAndOutcomeAfter() {
        assertThat(cli.run("engines", "build", "tiny-fp8", "tiny-int4")).isEqualTo(new CliFixture.Outcome(0, """
                built tiny-fp8: 1.31 M parameters, 1.28 MiB, synthetic weights (seed 42), in engines/tiny-fp8
                tiny-int4 is already built. Add --rebuild to build it again.
                """, """
                ENGINE        DISK  MEMORY TO RUN                                  WEIGHTS
                tiny-fp8  1.28 MiB  1.28 MiB + 1.00 KiB KV cache per token (BF16)  synthetic weights (seed 42)
                building tiny-fp8
                """));
        assertThat(isBuilt("tiny-fp8")).isTrue();
    }

    @Test
    void aMissingFileOfAnEngineIsBuiltAgain() throws IOException {
        Files.delete(engines.resolve("tiny-int4/weights.safetensors"));
        assertThat(cli.run("engines", "build", "tiny-int4").exit()).isZero();
        assertThat(cli.run("engines", "verify", "tiny-int4").exit()).isZero();
    }

    @Test
    void rebuildReplacesDamagedWeights() throws IOException {
        damage("tiny-int4");
        cli.run("engines", "build", "tiny-int4");
        assertThat(cli.run("engines", "verify", "tiny-int4").exit()).isEqualTo(1);
        assertThat(cli.run("engines", "build", "--rebuild", "tiny-fp8", "tiny-int4").out()).contains("tiny-fp8",
                "tiny-int4");
        assertThat(cli.run("engines", "verify", "tiny-fp8", "tiny-int4").exit()).isZero();
    }

    @Test
    void enginesAreBuiltWithLimits() {
        assertThat(cli.run("engines", "build", "tiny-int4", "--max-length", "2000", "--rebuild").err())
                .contains("The model has 1024 positions, fewer than 2000. Give a smaller --max-length.");
        assertThat(cli.run("engines", "build", "tiny-int4", "--max-batch-size", "0").err())
                .contains("--max-batch-size 0: give a number from 1 to 65536.");
        cli.run("engines", "build", "tiny-int4", "--max-batch-size", "8", "--max-length", "512", "--rebuild");
        assertThat(cli.run("engines", "inspect", "tiny-int4").out())
                .contains("limits      at most 8 requests in a step, 512 positions of a request");
        assertThat(cli.run("engines", "build", "tiny-int4", "--max-length", "100").out())
                .isEqualTo("tiny-int4 is already built; its limits stay. Add --rebuild to build it again.\n");
    }

    @Test
    void widthsOfGroupsAreChosenWhereValuesAreQuantised() throws Exception {
        Path checkpoint = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1)
                .write(engines.resolveSibling("Tiny-Llama"), "BF16", 1);
        String[] build = {"engines", "build", "mine", "--checkpoint", checkpoint.toString(), "--group-size"};
        assertThat(cli.run(with(build, "32", "--precision", "int4")).exit()).isZero();
        assertThat(cli.run(with(build, "128", "--precision", "fp8")).exit()).isZero();
        assertThat(formats("mine-int4")).isEqualTo(new WeightFormats(Precision.INT4, Precision.INT4, 32));
        assertThat(formats("mine-fp8")).isEqualTo(new WeightFormats(Precision.FP8, Precision.FP8, 128));
        for (String refused : List.of("32 fp8", "128 bf16", "32 int8", "128 int4-awq", "64 bf16,int4", "16 int4",
                "0 int4")) {
            String[] words = refused.split(" ");
            assertThat(cli.run(with(build, words[0], "--precision", words[1]))).as(refused)
                    .isEqualTo(new CliFixture.Outcome(2, "", "error: --group-size " + words[0]
                            + " is not for these precisions. Give 128, 64 or 32 with int4 alone, or 128 with fp8.\n"));
        }
        Path quantised =
                PublishedQuantisation.of("gptq", 64, "F16").write(engines.resolveSibling("Tiny-GPTQ"), 1).folder();
        assertThat(cli.run("engines", "build", "own", "--checkpoint", quantised.toString(), "--group-size", "32").err())
                .isEqualTo("error: Tiny-GPTQ: Its values are kept in INT4 as they are, so their groups cannot be "
                        + "chosen. Leave --group-size out.\n");
        assertThat(cli.run("engines", "build", "tiny", "--group-size", "32").err()).isEqualTo(
                "error: --group-size is for checkpoints; a recipe has its own group_size. Add --checkpoint DIR.\n");
    }

    private static String[] with(String[] command, String... further) {
        return Stream.concat(Arrays.stream(command), Arrays.stream(further)).toArray(String[]::new);
    }

    private WeightFormats formats(String engine) throws EngineFormatException {
        return Engine.descriptor(engines.resolve(engine)).formats();
    }

    @Test
    void checkpointsBecomeAnEngineForEachPrecision() throws IOException {
        Path checkpoint = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1)
                .write(engines.resolveSibling("Tiny-Llama"), "BF16", 2);
        assertThat(cli.run("engines", "build", "mine", "--checkpoint", checkpoint.toString(), "--precision", "fp8,int4")
                .out()).isEqualTo("""
                        built mine-fp8: 23736 parameters, 30.4 KiB, checkpoint Tiny-Llama, in engines/mine-fp8
                        built mine-int4: 23736 parameters, 19.3 KiB, checkpoint Tiny-Llama, in engines/mine-int4
                        """);
        assertThat(
                cli.run("engines", "build", "mine-int4", "--checkpoint", checkpoint.toString(), "--precision", "int4")
                        .out())
                .isEqualTo("mine-int4 is already built. Add --rebuild to build it again.\n");
        assertThat(cli.run("engines", "verify", "mine-fp8", "mine-int4").exit()).isZero();
        assertThat(cli.run("engines", "inspect", "mine-int4", "--sources").out()).contains("checkpoint Tiny-Llama")
                .contains("READ FROM").contains("model.layers.0.self_attn.q_proj.weight (")
                .contains("parts       embedding ");
        assertThat(cli.run("engines", "inspect", "tiny-int4", "--sources").err())
                .contains("tiny-int4 has no list of sources: its weights are synthetic.");
        assertThat(cli.run("engines", "list").out()).contains("checkpoint Tiny-Llama");
    }

    @Test
    void interruptedBuildsAreNamedAndGoOn() throws Exception {
        Path checkpoint = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1)
                .write(engines.resolveSibling("Tiny-Llama"), "BF16", 1);
        try (Checkpoint opened = Checkpoint.open(checkpoint)) {
            assertThatThrownBy(() -> new EngineBuilder().build(engines.resolve("mine-fp8"),
                    opened.material("mine", Precision.FP8), done -> {
                        if (done > 0.5) {
                            Thread.currentThread().interrupt();
                        }
                    })).hasMessageContaining(" are kept in .building-mine-fp8.");
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(cli.run("engines", "list").out()).endsWith("""

                Interrupted build of mine-fp8: 16.9 KiB are written. Build it again to go on, or delete them with \
                "inferometer results prune --yes".
                """);
        CliFixture.Outcome built =
                cli.run("engines", "build", "mine", "--checkpoint", checkpoint.toString(), "--precision", "fp8");
        assertThat(built.err()).contains("mine-fp8: Continues an interrupted build: ");
        assertThat(built.out()).startsWith("built mine-fp8: ");
        assertThat(cli.run("engines", "verify", "mine-fp8").exit()).isZero();
        assertThat(cli.run("engines", "list").out()).doesNotContain("Interrupted");
    }

    @Test
    void templatesThatCannotBeUsedAreToldAtBuild() throws IOException {
        Path checkpoint = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1)
                .write(engines.resolveSibling("Tiny-Llama"), "BF16", 1);
        Files.writeString(checkpoint.resolve("tokenizer.json"), new PublishedTokenizer().json());
        Files.writeString(checkpoint.resolve("chat_template.jinja"), "{% include 'x' %}");
        String[] build = {"engines", "build", "mine", "--checkpoint", checkpoint.toString()};
        assertThat(cli.run(build).err())
                .contains("warning: Line 1 of the chat template: the statement \"include\" is not supported. "
                        + "The engines answer prompts with --raw only. "
                        + "Correct the checkpoint's template for others.\n");
        assertThat(cli.run(build).err()).doesNotContain("warning");
    }

    @Test
    void checkpointsWithoutATokenizerAreToldAtBuild() throws IOException {
        Path checkpoint = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1)
                .write(engines.resolveSibling("Tiny-Llama"), "BF16", 1);
        String[] build = {"engines", "build", "mine", "--checkpoint", checkpoint.toString()};
        assertThat(cli.run(build).err()).contains(
                "warning: Tiny-Llama: It has no tokenizer.json. " + "Its engines take drawn prompts, no texts.\n");
        assertThat(cli.run(build).err()).doesNotContain("warning");
    }

    @Test
    void quantisedCheckpointsKeepTheirValues() throws IOException {
        Path checkpoint =
                PublishedQuantisation.of("awq", 128, "F16").write(engines.resolveSibling("Tiny-AWQ"), 1).folder();
        CliFixture.Outcome built = cli.run("engines", "build", "own", "--checkpoint", checkpoint.toString());
        assertThat(built.err()).contains("own-int4: The AWQ values of 14 matrices are kept exactly.");
        assertThat(built.out()).startsWith("built own-int4: ");
        assertThat(cli.run("engines", "inspect", "own-int4").out()).contains("Embedding and output head: bf16.");
        assertThat(
                cli.run("engines", "build", "own", "--checkpoint", checkpoint.toString(), "--precision", "fp8").err())
                .contains("own-fp8: The AWQ values of 14 matrices are widened and quantised again to fp8.");
        assertThat(cli.run("engines", "prompt", "own-int4", "a", "--max-tokens", "3").err()).contains("text");
    }

    @Test
    void theValuesOfATensorAreShown() {
        String[] inspect = {"engines", "inspect", "tiny-fp8", "--tensor", "layers.0.attn.q.weight"};
        assertThat(cli.run(inspect).err())
                .startsWith("error: tiny-fp8 is not built, so it has no values. Run \"engines build tiny-fp8\" first.");
        cli.run("engines", "build", "tiny-fp8");
        assertThat(cli.run(inspect).out()).contains("layers.0.attn.q.weight", "standard deviation", "exactly zero")
                .containsPattern("VALUES *\\n").contains(" ########################################\n");
        assertThat(cli.run("engines", "inspect", "tiny-fp8", "--tensor", "layers.0.attn.q.weights").err()).startsWith(
                "error: Unknown tensor \"layers.0.attn.q.weights\". Did you mean layers.0.attn.q.weight or ");
    }

    @Test
    void aTextHelpsToRoundWeights() throws IOException {
        Path checkpoint = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1)
                .write(engines.resolveSibling("Tiny-Llama"), "BF16", 1);
        String[] build = {"engines", "build", "own", "--checkpoint", checkpoint.toString(), "--precision", "int4_awq"};
        assertThat(cli.run(build).err()).contains("Tiny-Llama: It has no tokenizer to read a text with.");
        Files.writeString(checkpoint.resolve("tokenizer.json"), new PublishedTokenizer().json());
        CliFixture.Outcome built = cli.run(build);
        assertThat(built.err()).contains("own-int4-awq: AWQ on 2048 tokens of the bundled text: ");
        assertThat(built.out()).startsWith("built own-int4-awq: 23736 parameters, ");
        String inspected = cli.run("engines", "inspect", "own-int4-awq", "--all").out();
        assertThat(inspected).contains("Embedding and output head: bf16.", "attention output", "feed-forward output");
        assertThat(cli.run("engines", "verify", "own-int4-awq").exit()).isZero();
        Path shortText = Files.writeString(engines.resolveSibling("short.txt"), "Too short.");
        assertThat(cli.run("engines", "build", "two", "--checkpoint", checkpoint.toString(), "--precision", "int4-awq",
                "--calibration", shortText.toString()).err())
                .contains("short.txt: It has ", "at least 64 are needed. Give a longer text.");
        assertThat(engines.resolve("two-int4-awq")).doesNotExist();
    }

    @Test
    void wrongUseOfCalibrationIsOneSentence() throws IOException {
        Path plain = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1).write(engines.resolveSibling("P"),
                "BF16", 1);
        Path quantised = PublishedQuantisation.of("awq", 128, "F16").write(engines.resolveSibling("Q"), 1).folder();
        assertThat(
                cli.run("engines", "build", "a", "--checkpoint", quantised.toString(), "--precision", "int4-awq").err())
                .contains("Q: It is quantised already, so int4-awq cannot be made of it. ",
                        "Give the checkpoint that it was made from.");
        assertThat(cli.run("engines", "build", "a", "--checkpoint", plain.toString(), "--calibration", "x").err())
                .startsWith("error: --calibration serves int4-awq only. Add --precision int4-awq.");
        assertThat(cli.run("engines", "build", "a", "--checkpoint", plain.toString(), "--precision", "int4-awq",
                "--calibration", "no-such-file").err())
                .startsWith("error: --calibration no-such-file: It is no file. Give a file of at most 16 MiB.");
        assertThat(cli.run("engines", "build", "a", "--checkpoint", plain.toString(), "--precision", "int4-awq",
                "--calibration-tokens", "9").err())
                .startsWith("error: --calibration-tokens 9: give a number from 64 to 1048576.");
        assertThat(cli.run("engines", "build", "tiny-int4", "--calibration", "x").err())
                .startsWith("error: --calibration is for --precision int4-awq of a checkpoint. Add --checkpoint DIR.");
    }

    @Test
    void wrongUseOfCheckpointsIsOneSentence() {
        assertThat(cli.run("engines", "build", "a", "b", "--checkpoint", "x").err())
                .startsWith("error: --checkpoint builds engines of one NAME. Give one.");
        assertThat(cli.run("engines", "build", "../a", "--checkpoint", "x").err())
                .startsWith("error: \"../a\" is no name of a folder.");
        assertThat(cli.run("engines", "build", "a", "--checkpoint", "x", "--precision", "int5").err())
                .startsWith("error: Unknown precision \"int5\". Did you mean int4 or int8?");
        assertThat(cli.run("engines", "build", "a", "--precision", "int4").err())
                .startsWith("error: --precision is for checkpoints; a recipe has its own.");
        assertThat(cli.run("engines", "build", "tiny", "--checkpoint", "no-such-folder").err())
                .contains("There is no such folder or file. Give the folder of a Hugging Face checkpoint");
        assertThat(cli.run("engines", "build", "a", "--checkpoint", "x").exit()).isEqualTo(3);
    }

    @Test
    void unknownNamesAreReportedBeforeBuilding() {
        assertThat(cli.run("engines", "build", "tiny-fp9", "tiny-fp8", "x")).isEqualTo(new CliFixture.Outcome(2, "", """
                error: engines: Unknown engine "tiny-fp9". Did you mean tiny-fp8? Valid: tiny-fp8, tiny-int4, torn-fp8.
                error: engines: Unknown engine "x". Valid: tiny-fp8, tiny-int4, torn-fp8.
                """));
        assertThat(isBuilt("tiny-fp8")).isFalse();
    }

    @Test
    void engineWithoutRecipeCannotBeBuilt() {
        CliFixture.Outcome outcome = cli.run("engines", "build", "torn-fp8");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("error: torn-fp8 has no valid recipe. " + TORN);
    }

    @Test
    void interruptedBuildExitsWithThreeAndLeavesNothing() {
        Thread.currentThread().interrupt();
        CliFixture.Outcome outcome = cli.run("engines", "build", "tiny-fp8");
        Thread.interrupted();
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.err()).contains("\nerror: engines/tiny-fp8").doesNotContain("\tat ");
        assertThat(isBuilt("tiny-fp8")).isFalse();
    }

    @Test
    void inspectShowsLayerZeroUnlessAllIsGiven() {
        String brief = cli.run("engines", "inspect", "tiny-int4").out();
        assertThat(brief).startsWith("""
                engine      tiny-int4 (built)
                origin      synthetic weights (seed 42)
                shape       llama, 2 layers, hidden 256, feed-forward 512, heads 4/2 of 64, vocabulary 512, at most 1024
                            positions, output head tied to the embedding
                parameters  1.31 M, 4.21 bits each including scales
                weights     679 KiB; a decode step reads 675 KiB
                parts       embedding 67.0 KiB (scales 3.00 KiB); attention 201 KiB (scales 9.00 KiB); feed-forward 402 KiB
                            (scales 18.0 KiB); norms 5.00 KiB
                KV cache    1.00 KiB per token in BF16, 2.00 KiB in FP32
                """);
        assertThat(brief).contains("layers.0.attn.q.weight ").doesNotContain("layers.1.")
                .endsWith("23 more tensors in the other layers, like those of layer 0. Add --all to show them.\n");
        assertThat(cli.run("engines", "inspect", "tiny-int4", "--all").out()).contains("layers.1.attn.q.weight ")
                .doesNotContain("--all");
    }

    @Test
    void inspectNamesASlidingWindow() throws IOException {
        cli.write("engines/windowed-int4/recipe.yaml",
                Samples.recipe("int4").replace("max_positions: 1024", "max_positions: 1024\n  sliding_window: 100"));
        assertThat(cli.run("engines", "inspect", "windowed-int4").out().replaceAll("\\s+", " "))
                .contains("at most 1024 positions, each sees the last 100, output head tied")
                .contains("2.00 KiB in FP32; it keeps all positions");
    }

    @Test
    void damagedEngineMakesVerifyExitWithOne() throws IOException {
        assertThat(cli.run("engines", "verify", "tiny-int4").exit()).isZero();
        damage("tiny-int4");
        CliFixture.Outcome outcome = cli.run("engines", "verify", "tiny-int4", "torn-fp8");
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out().replaceAll("[0-9a-f]{64}", "SHA")).isEqualTo("""
                ENGINE     STATE
                tiny-int4  damaged  SHA-256 is SHA, expected
                                    SHA. Build it again with
                                    "inferometer engines build --rebuild tiny-int4".
                torn-fp8   damaged  engines/torn-fp8/weights.safetensors: The file is missing.
                                    Build the engine again.
                """);
    }

    @Test
    void intactEngineIsReportedWithItsHash() throws IOException {
        Matcher hash =
                Pattern.compile("[0-9a-f]{64}").matcher(Files.readString(engines.resolve("tiny-int4/engine.json")));
        assertThat(hash.find()).isTrue();
        assertThat(cli.run("engines", "verify", "tiny-int4").out()).isEqualTo("""
                ENGINE     STATE
                tiny-int4  intact  SHA-256 matches (679 KiB): %s
                """.formatted(hash.group()));
    }

    /// Changes the last byte of the weights.
    private void damage(String name) throws IOException {
        try (RandomAccessFile weights =
                new RandomAccessFile(engines.resolve(name).resolve("weights.safetensors").toFile(), "rw")) {
            weights.seek(weights.length() - 1);
            int last = weights.read();
            weights.seek(weights.length() - 1);
            weights.write(last ^ 1);
        }
    }

    @Test
    void promptsAreAnsweredAndWrongOnesRefused() {
        CliFixture.Outcome answer = cli.run("engines", "prompt", "tiny-int4", "hello", "--max-tokens", "3");
        assertThat(answer.exit()).isZero();
        assertThat(answer.out()).endsWith("\n").hasSizeGreaterThan(1);
        assertThat(answer.err()).endsWith("5 prompt tokens, 3 answered: the most tokens were reached.\n");
        JsonNode document = JsonMapper.shared()
                .readTree(cli.run("engines", "prompt", "tiny-int4", "hello", "--max-tokens", "3", "--json").out());
        assertThat(document.path("tokens").size()).isEqualTo(3);
        assertThat(document.path("text").stringValue() + "\n").isEqualTo(answer.out());
        assertThat(cli.run("engines", "prompt", "tiny-int4", "").err())
                .contains("The prompt has 0 tokens; tiny-int4 takes 1 to ");
        assertThat(cli.run("engines", "prompt", "tiny-int4", "a", "--top-p", "0", "--temperature", "-1").err())
                .contains("--temperature -1.0: give 0 or", "--top-p 0.0: give a number above 0");
        assertThat(cli.run("engines", "prompt", "tiny-fp8", "a").err()).contains("The engine is not built.");
        assertThat(cli.run("engines", "prompt", "tiny-int4", "a", "--backend", "hots").err()).contains("host");
    }

    @Test
    void chatTemplatesWriteThePrompt() throws IOException {
        String chat = "engines/tiny-int4/chat.json";
        cli.write(chat, """
                {"template": "{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ eos_token }}{% endfor %}<assistant>",
                 "begin_token": "", "end_token": "|"}""");
        String asked = "<system>Be brief.|<user>hello|<assistant>";
        CliFixture.Outcome answer =
                cli.run("engines", "prompt", "tiny-int4", "hello", "--system", "Be brief.", "--max-tokens", "5");
        assertThat(answer.err()).endsWith(
                asked.length() + " prompt tokens with the chat template, 5 answered: the most tokens were reached.\n");
        CliFixture.Outcome raw = cli.run("engines", "prompt", "tiny-int4", asked, "--raw", "--max-tokens", "5");
        assertThat(raw.err()).endsWith(asked.length() + " prompt tokens, 5 answered: the most tokens were reached.\n");
        assertThat(answer.out()).isEqualTo(raw.out());
        assertThat(cli.run("engines", "prompt", "tiny-int4", "a", "--system", "b", "--raw").err())
                .contains("--system: --raw leaves the chat template out. Write it into the text.");
        cli.write(chat, "{\"template\": \"{% include 'x' %}\", \"begin_token\": \"\", \"end_token\": \"\"}");
        assertThat(cli.run("engines", "prompt", "tiny-int4", "a").err())
                .contains("tiny-int4: Line 1 of the chat template: the statement \"include\" is not supported. "
                        + "With --raw the text goes in as it is.");
        cli.write(chat, "{\"template\": 1}");
        assertThat(cli.run("engines", "prompt", "tiny-int4", "a").err()).contains("chat.json",
                "Build the engine again.");
        Files.delete(engines.resolve("tiny-int4").resolve("chat.json"));
        assertThat(cli.run("engines", "prompt", "tiny-int4", "a", "--system", "b").err())
                .contains("--system: tiny-int4 has no chat template. Write it into the text.");
    }

    @Test
    void qualityIsKeptWithTheEngine() throws Exception {
        cli.write("engines/tiny-bf16/recipe.yaml", Samples.recipe("bf16"));
        build("tiny-bf16");
        Path text = Path.of(cli.write("text.txt", "The quick brown fox jumps over the lazy dog. ".repeat(6)));
        CliFixture.Outcome outcome = cli.run("engines", "quality", "tiny-int4", "tiny-bf16", "--reference", "tiny-bf16",
                "--text", text.toString(), "--window", "64");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out().replaceAll(" +", " "))
                .contains("tiny-bf16 ", " 1.0000 ±0.0000 0.00000 ±0.00000 0.0000 100.00 ±0.00 % 269")
                .contains("± is a 95 % interval over 20 batches of the text.");
        EngineQuality kept = EngineQuality
                .read(engines.resolve("tiny-int4"), Engine.descriptor(engines.resolve("tiny-int4"))).orElseThrow();
        List<String> said = cli.run("engines", "quality", "tiny-int4", "--reference", "tiny-bf16", "--text",
                text.toString(), "--window", "64", "--progress-lines").err().lines().toList();
        assertThat(said).allMatch(line -> line.matches("\\d{1,3} %")).doesNotHaveDuplicates().hasSizeGreaterThan(3)
                .last().isEqualTo("100 %");
        assertThat(kept.reference()).isEqualTo("tiny-bf16");
        assertThat(kept.divergence().mean()).isPositive();
        assertThat(cli.run("engines", "quality", "tiny-int4", "--reference", "tiny-bf16", "--text", text.toString(),
                "--window", "1", "--stride", "9").err())
                .contains("--window 1: give a number", "--stride 9: give a number");
        assertThat(EngineQuality.read(engines.resolve("tiny-int4"), Engine.descriptor(engines.resolve("tiny-bf16"))))
                .isEmpty();
        Files.writeString(engines.resolve("tiny-int4/quality.json"), "{\"reference\":null}");
        assertThatThrownBy(
                () -> EngineQuality.read(engines.resolve("tiny-int4"), Engine.descriptor(engines.resolve("tiny-int4"))))
                .isInstanceOf(EngineFormatException.class).hasMessageContaining("It is no quality file");
    }

    @Test
    void enginesWithoutSubcommandListsSubcommands() {
        assertThat(cli.run("engines")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: engines needs a subcommand: list, build, inspect, prompt, quality, verify.\nSee: inferometer engines --help\n"));
    }
}
