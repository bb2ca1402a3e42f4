package org.inferometer.ui.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.inferometer.engine.EngineQuality;
import org.inferometer.engine.EngineQuality.Mean;
import org.inferometer.engine.EngineQuality.Reading;
import org.inferometer.engine.TensorStatistics;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.engine.build.InterruptedBuild;
import org.inferometer.engine.checkpoint.PublishedCheckpoint;
import org.inferometer.engine.tokenizer.PublishedTokenizer;
import org.inferometer.quality.QualityProcess;
import org.inferometer.quantising.CalibrationText;
import org.inferometer.quantising.EngineKind;
import org.inferometer.ui.engines.CalibrationDialog.CalibrationChoice;
import org.inferometer.ui.engines.CalibrationDialog.CalibrationModel;
import org.inferometer.ui.engines.EnginesViewModel.EngineSource;
import org.inferometer.ui.engines.MemoryPane.MemoryEstimate;
import org.inferometer.ui.engines.MemoryPane.MemoryEstimate.KvType;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.units.Leftovers;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnginesViewModelTest {
    private static final String RECIPE = """
            model: small
            precision: %s
            seed: 1
            shape:
              family: llama
              layers: 1
              hidden: 64
              intermediate: 128
              heads: 2
              kv_heads: 1
              head_dim: 32
              vocabulary: 512
              max_positions: 256
              tied_head: true
              norm_epsilon: 1.0e-5
              rope_theta: 10000.0
            """;

    @TempDir
    Path folder;

    private final List<String> notices = new ArrayList<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean later;
    private int changes;
    private EnginesViewModel model;

    @BeforeEach
    void twoEngines() throws IOException {
        recipe(folder.resolve("engines/small-int4"), "int4");
        recipe(folder.resolve("engines/small-fp8"), "fp8");
        Path engines = folder.resolve("engines");
        Notifier notifier = new Notifier() {
            @Override
            public void done(String sentence) {
                notices.add(sentence);
            }

            @Override
            public void problem(String sentence) {
                notices.add("problem: " + sentence);
            }
        };
        model = new EnginesViewModel(new EngineSource(() -> new EngineCatalog(engines).entries(), engines),
                new BackgroundWork(work -> {
                    if (later) {
                        waiting.add(work);
                    } else {
                        work.run();
                    }
                }, new InlineUi()), notifier,
                new QualityProcess(List.of("/bin/sh", folder.resolve("program").toString()), folder), new SystemClock(),
                () -> changes++);
        model.refresh();
    }

    private static void recipe(Path engine, String precision) throws IOException {
        Files.createDirectories(engine);
        Files.writeString(engine.resolve("recipe.yaml"), RECIPE.formatted(precision));
    }

    private EngineRow selected() {
        return Objects.requireNonNull(model.selected().get());
    }

    private void select(String name) {
        model.selected().set(model.rows().stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow());
    }

    @Test
    void checkpointsBecomeEnginesOfTheWorkspace() throws Exception {
        Path checkpoint = PublishedCheckpoint.of("qwen3", PublishedCheckpoint.SIZES, 1)
                .write(folder.resolve("My Model"), "BF16", 1);
        model.build(checkpoint, EnumSet.of(EngineKind.FP8, EngineKind.INT4), CalibrationChoice.bundled());
        assertThat(notices).containsExactly("Built: My-Model-fp8, My-Model-int4. "
                + "It has no tokenizer.json. Its engines take drawn prompts, no texts.");
        assertThat(model.rows()).extracting(EngineRow::name).contains("My-Model-fp8", "My-Model-int4");
        assertThat(changes).isEqualTo(1);
        model.build(folder.resolve("engines"), EnumSet.of(EngineKind.BF16), CalibrationChoice.bundled());
        assertThat(notices).last().asString().startsWith("problem: ").contains("config.json: The file is missing.");
        assertThat(model.task().get()).isNull();
    }

    @Test
    void templatesThatCannotBeUsedAreToldWithTheEngine() throws Exception {
        Path checkpoint = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1)
                .write(folder.resolve("Tiny-Llama"), "BF16", 1);
        Files.writeString(checkpoint.resolve("tokenizer.json"), new PublishedTokenizer().json());
        Files.writeString(checkpoint.resolve("chat_template.jinja"), "{% include 'x' %}");
        model.build(checkpoint, EnumSet.of(EngineKind.FP8), CalibrationChoice.bundled());
        assertThat(notices).containsExactly("Built: Tiny-Llama-fp8.",
                "problem: Tiny-Llama-fp8: Line 1 of the chat template: the statement \"include\" is not supported. "
                        + "The engines answer prompts as raw text only. "
                        + "Correct the checkpoint's template for others.");
    }

    /// What a killed build leaves: its folder with a lock that nobody holds, and a part of the weights.
    private void interrupt(String engine) throws IOException {
        Path left = Files.createDirectories(folder.resolve("engines/.building-" + engine));
        Files.createFile(left.resolve("lock"));
        Files.writeString(left.resolve(Leftovers.MARK), Leftovers.MARK_TEXT);
        Files.write(left.resolve("weights.safetensors"), new byte[3072]);
    }

    @Test
    void anInterruptedBuildGoesOnFromTheList() throws Exception {
        interrupt("small-int4");
        model.refresh();
        assertThat(model.interrupted()).extracting(InterruptedBuild::engine, InterruptedBuild::bytes)
                .containsExactly(tuple("small-int4", 3072L));
        model.resume(model.interrupted().getFirst());
        assertThat(model.interrupted()).isEmpty();
        assertThat(selected().name()).isEqualTo("small-int4");
        assertThat(selected().state()).isEqualTo(State.BUILT);
    }

    @Test
    void whatAnInterruptedBuildWroteCanBeDeleted() throws Exception {
        interrupt("from-a-checkpoint");
        model.refresh();
        model.discard(model.interrupted().getFirst());
        assertThat(notices).containsExactly("What the build of from-a-checkpoint wrote is deleted.");
        assertThat(model.interrupted()).isEmpty();
        assertThat(folder.resolve("engines/.building-from-a-checkpoint")).doesNotExist();
    }

    @Test
    void badFilesForACalibrationAreToldInOneSentence() throws Exception {
        CalibrationModel calibration = new CalibrationModel(new BackgroundWork(Runnable::run, new InlineUi()));
        assertThat(calibration.shown().get()).isEqualTo("Short text of the program");
        calibration.use(Files.writeString(folder.resolve("notes.txt"), "the inn é"));
        assertThat(calibration.shown().get()).isEqualTo("notes.txt, 10 B");
        calibration.use(folder);
        assertThat(calibration.fault().get()).isEqualTo(folder + ": It is no file. Give a file of at most 16 MiB.");
        calibration.use(Files.write(folder.resolve("latin"), new byte[]{'a', (byte) 0xE9, 'b'}));
        assertThat(calibration.fault().get()).isEqualTo(
                folder.resolve("latin") + ": It is no text in UTF-8. Save it in UTF-8 or give another file.");
        calibration.use(Files.writeString(folder.resolve("empty"), " \n"));
        assertThat(calibration.fault().get())
                .endsWith("empty: It has no text. Give a text like that the model will read.");
        assertThat(calibration.shown().get()).isEqualTo("notes.txt, 10 B");
        assertThat(calibration.choice(9).text().text()).isEqualTo("the inn é");
        calibration.useBundled();
        assertThat(calibration.fault().get()).isEmpty();
        assertThat(calibration.choice(9)).isEqualTo(new CalibrationChoice(CalibrationText.bundled(), 9));
    }

    @Test
    void aTextHelpsToRoundTheWeightsOfACheckpoint() throws Exception {
        Path checkpoint =
                PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 1).write(folder.resolve("tiny"), "BF16", 1);
        Files.writeString(checkpoint.resolve("tokenizer.json"), new PublishedTokenizer().json());
        model.build(checkpoint, EnumSet.of(EngineKind.INT4_AWQ), CalibrationChoice.bundled());
        assertThat(notices).singleElement().asString()
                .startsWith("Built: tiny-int4-awq. AWQ on 2048 tokens of the bundled text: mean squared error ");
        assertThat(model.progress().get()).isEqualTo(1);
        CalibrationModel calibration = new CalibrationModel(new BackgroundWork(Runnable::run, new InlineUi()));
        calibration.use(Files.writeString(folder.resolve("notes.txt"), "the other in the inn ".repeat(40)));
        model.build(checkpoint, EnumSet.of(EngineKind.INT4_AWQ), calibration.choice(100));
        assertThat(notices).last().asString()
                .startsWith("Built: tiny-int4-awq. AWQ on 100 tokens of notes.txt: mean squared error ");
        calibration.use(Files.writeString(folder.resolve("short.txt"), "the inn"));
        model.build(checkpoint, EnumSet.of(EngineKind.INT4_AWQ), calibration.choice(100));
        assertThat(notices).last().asString().startsWith("problem: short.txt: It has ")
                .endsWith(" tokens; at least 64 are needed. Give a longer text.");
        select("tiny-int4-awq");
        assertThat(selected().calibration().orElseThrow().parts()).hasSize(4 * PublishedCheckpoint.SIZES.layers());
        select("small-int4");
        assertThat(selected().calibration()).isEmpty();
    }

    @Test
    void theValuesOfAWeightAreReadUntilAnotherEngineIsShown() {
        select("small-int4");
        TensorValuesModel values = model.tensorValues();
        Path engine = selected().entry().folder();
        values.read(engine, "layers.0.attn.q.weight");
        assertThat(values.problem().get()).contains("The engine is not built.");
        model.build();
        values.read(engine, "layers.0.attn.q.weight");
        assertThat(values.problem().get()).isEmpty();
        assertThat(Objects.requireNonNull(values.values().get()).statistics().bins()).hasSize(TensorStatistics.BINS);
        values.clear();
        assertThat(values.values().get()).isNull();
        later = true;
        values.read(engine, "layers.0.attn.q.weight");
        assertThat(values.reading().get()).isTrue();
        values.clear();
        waiting.forEach(Runnable::run);
        assertThat(values.values().get()).isNull();
        assertThat(values.reading().get()).isFalse();
    }

    @Test
    void qualityIsASentenceWithItsIntervals() {
        Reading text = new Reading("wiki.txt", "b", 512, 256);
        assertThat(EnginePanes.sentence(new EngineQuality("m-bf16", "a", "c", text, 900, Instant.EPOCH, 21, 20,
                new Mean(Math.log(1.05), 0.01), new Mean(0.0123, 0.002), 0.5, new Mean(0.97, 0.015)))).isEqualTo(
                        "By m-bf16 on wiki.txt, 900 tokens: perplexity 1.0500 ±0.0106 of the reference's, KL divergence 0.01230 ±0.00200 nats a token, same likeliest token for 97.00 ±1.50 %. ± is a 95 % interval.");
        assertThat(EnginePanes.sentence(new EngineQuality("m-bf16", "a", "c", text, 90, Instant.EPOCH, 21, 20,
                new Mean(0, null), new Mean(0.5, null), 0.5, new Mean(1, null)))).isEqualTo(
                        "By m-bf16 on wiki.txt, 90 tokens: perplexity 1.0000 of the reference's, KL divergence 0.50000 nats a token, same likeliest token for 100.00 %.");
    }

    @Test
    void anEngineIsJudgedByAnotherOfItsModel() throws IOException {
        assumeThat(Path.of("/bin/sh")).as("a shell").isExecutable();
        select("small-int4");
        model.build();
        assertThat(model.references(selected())).isEmpty();
        select("small-fp8");
        model.build();
        select("small-int4");
        assertThat(model.references(selected())).containsExactly("small-fp8");
        Path said = folder.resolve("said");
        Files.writeString(folder.resolve("program"), "echo \"$*\" > " + said + "; echo 40 % >&2");
        model.judge("small-fp8", Path.of("a text.txt"), 512);
        assertThat(said).hasContent("--workspace " + folder
                + " engines quality small-int4 --reference small-fp8 --text a text.txt --tokens 512 --progress-lines");
        assertThat(notices.getLast()).isEqualTo("The quality of small-int4 is measured.");
        Files.writeString(folder.resolve("program"), "echo error: The text has 1 tokens. >&2; exit 2");
        model.judge("small-fp8", Path.of("a text.txt"), 512);
        assertThat(notices.getLast()).isEqualTo("problem: The text has 1 tokens.");
        assertThat(selected().quality()).isEmpty();
        assertThat(model.task().get()).isNull();
    }

    @Test
    void enginesAreListedAndFiltered() {
        assertThat(model.rows()).extracting(EngineRow::name).containsExactly("small-fp8", "small-int4");
        assertThat(selected().name()).isEqualTo("small-fp8");
        assertThat(selected().state()).isEqualTo(State.RECIPE_ONLY);
        assertThat(selected().smallLine()).matches("FP8 · [0-9.]+ KiB · llama");
        model.filter().set(" INT4");
        assertThat(model.rows()).extracting(EngineRow::name).containsExactly("small-int4");
        model.filter().set("none");
        assertThat(model.rows()).isEmpty();
    }

    @Test
    void aBuiltEngineIsVerifiedAndAChangedOneIsTold() throws IOException {
        select("small-int4");
        model.build();
        assertThat(selected().name()).isEqualTo("small-int4");
        assertThat(selected().state()).isEqualTo(State.BUILT);
        assertThat(notices).singleElement().asString().matches("Built small-int4, [0-9.]+ KiB of weights\\.");
        assertThat(changes).isEqualTo(1);
        assertThat(model.progress().get()).isEqualTo(1);
        model.verify();
        assertThat(notices.getLast()).matches("small-int4 is intact: [0-9.]+ KiB read, SHA-256 [0-9a-f]{64}\\.");

        Path weights = folder.resolve("engines/small-int4/weights.safetensors");
        byte[] bytes = Files.readAllBytes(weights);
        bytes[bytes.length - 1] ^= 1;
        Files.write(weights, bytes);
        model.verify();
        assertThat(notices.getLast()).startsWith("problem: The weights of small-int4 have changed: SHA-256 is ");
        assertThat(model.task().get()).isNull();
    }

    @Test
    void aCancelledBuildLeavesNothing() {
        select("small-int4");
        later = true;
        model.build();
        assertThat(Objects.requireNonNull(model.task().get()).engine()).isEqualTo("small-int4");
        model.build();
        assertThat(waiting).as("one at a time").hasSize(1);
        model.cancel();
        later = false;
        waiting.remove().run();

        assertThat(notices).containsExactly("Cancelled: small-int4 stays as it was.");
        assertThat(Thread.interrupted()).isFalse();
        assertThat(selected().state()).isEqualTo(State.RECIPE_ONLY);
        assertThat(folder.resolve("engines/small-int4")).isDirectoryContaining("glob:**recipe.yaml")
                .isDirectoryNotContaining("glob:**weights*");
    }

    @Test
    void enginesOfTheWorkspaceAreAddedAndRemoved() throws IOException {
        recipe(folder.resolve("others/small-bf16"), "bf16");
        model.add(folder.resolve("others"));
        assertThat(model.rows()).extracting(EngineRow::name).containsExactly("small-bf16", "small-fp8", "small-int4");
        select("small-fp8");
        model.remove();
        assertThat(model.rows()).extracting(EngineRow::name).containsExactly("small-bf16", "small-int4");
        assertThat(notices).containsExactly("Added small-bf16. They are built on first use.", "Removed small-fp8.");
        assertThat(folder.resolve("engines/small-fp8")).doesNotExist();
    }

    @Test
    void enginesOfTheProgramStay() {
        EngineRow row = EngineRow.read(selected().entry(), folder.resolve("elsewhere"));
        model.selected().set(row);
        model.remove();
        assertThat(folder.resolve("engines/small-fp8/recipe.yaml")).exists();
    }

    @Test
    void damagedEnginesSayWhy() throws IOException {
        Files.writeString(folder.resolve("engines/small-int4/recipe.yaml"), "model: small\n");
        model.refresh();
        select("small-int4");
        assertThat(selected().state()).isEqualTo(State.DAMAGED);
        assertThat(selected().smallLine()).contains("recipe.yaml");
    }

    @Test
    void memoryIsWeightsAndTheCacheOfAllSequences() {
        MemoryEstimate estimate =
                MemoryEstimate.of(selected().inspection().orElseThrow(), 8, 256, KvType.BF16, 1 << 20);

        // One layer, keys and values of 32 elements of 2 bytes.
        assertThat(estimate.kvBytes()).isEqualTo(8L * 256 * 2 * 32 * 2);
        assertThat(estimate.weightBytes()).isEqualTo(selected().inspection().orElseThrow().memory().weightBytes());
        assertThat(estimate.fits()).isEqualTo(estimate.totalBytes() <= 1 << 20);
    }
}
