package org.inferometer.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineInspection.ModelPart;
import org.inferometer.engine.EngineInspection.PartSize;
import org.inferometer.engine.EngineInspection.TensorView;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSources.SourceFile;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.files.EngineFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An engine keeps where each of its weights was read from.
class WeightSourcesTest {
    @TempDir
    Path folder;

    private EngineInspection built(Path place, Precision precision) throws EngineFormatException {
        try (Checkpoint opened = Checkpoint.open(place)) {
            new EngineBuilder().build(folder.resolve("e"), opened.material("m", precision), fraction -> {});
        }
        try (Engine engine = Engine.open(folder.resolve("e"))) {
            return EngineInspection.of(engine);
        }
    }

    private static SourceFile asItIs(Path file) throws Exception {
        byte[] content = Files.readAllBytes(file);
        return new SourceFile(file.getFileName().toString(), content.length,
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)));
    }

    private static void assertSourcesOfAll(EngineInspection engine) {
        WeightSources sources = Objects.requireNonNull(engine.sources());
        assertThat(engine.tensors().stream().map(TensorView::weight)).allSatisfy(
                weight -> assertThat(sources.weights().stream().filter(from -> from.weight().equals(weight)))
                        .hasSize(1));
    }

    @Test
    void shardsAndTheirHashesAreKept() throws Exception {
        PublishedCheckpoint checkpoint = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 3);
        Path place = checkpoint.write(folder.resolve("c"), "BF16", 2);
        EngineInspection engine = built(place, Precision.INT4);
        assertSourcesOfAll(engine);
        WeightSources sources = Objects.requireNonNull(engine.sources());
        List<SourceFile> shards = new ArrayList<>();
        try (var files = Files.newDirectoryStream(place, "*.safetensors")) {
            for (Path file : files) {
                shards.add(asItIs(file));
            }
        }
        assertThat(sources.files()).hasSize(2).containsExactlyInAnyOrderElementsOf(shards);
        assertThat(sources.weights()).allSatisfy(from -> {
            String shard = sources.files().get(from.file()).name();
            assertThat(Files.readString(place.resolve("model.safetensors.index.json")))
                    .containsPattern("\"" + from.tensor() + "\" ?: ?\"" + shard);
            assertThat(from.type()).isEqualTo("BF16");
        });
        assertThat(sources.sentence("layers.1.attn.q.weight").orElseThrow())
                .startsWith("model.layers.1.self_attn.q_proj.weight (BF16) of model-0000");
    }

    @Test
    void quantisedTensorsAndBlocksAreNamed() throws Exception {
        var awq = PublishedQuantisation.of("awq", 128, "F16").write(folder.resolve("q"), 1);
        EngineInspection engine = built(awq.folder(), Precision.INT4);
        assertSourcesOfAll(engine);
        WeightSources sources = Objects.requireNonNull(engine.sources());
        assertThat(sources.sentence("layers.0.ffn.up.weight")).hasValue("model.layers.0.mlp.up_proj.qweight (AWQ)");
        assertThat(sources.sentence("embed.weight").orElseThrow()).startsWith("model.embed_tokens.weight (");

        PublishedCheckpoint checkpoint = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 3);
        Path gguf =
                PublishedGguf.of(checkpoint).write(folder.resolve("m.gguf"), PublishedGguf.tensors(checkpoint), "F16");
        EngineInspection other = built(gguf, Precision.FP8);
        assertSourcesOfAll(other);
        assertThat(Objects.requireNonNull(other.sources()).files()).containsExactly(asItIs(gguf));
        assertThat(Objects.requireNonNull(other.sources()).sentence("layers.0.attn.q.weight"))
                .hasValue("blk.0.attn_q.weight (F16)");
    }

    @Test
    void sizesOfThePartsAreThoseOfTheirTensors() throws Exception {
        Path place = PublishedCheckpoint.of("qwen2", PublishedCheckpoint.SIZES, 3).write(folder.resolve("c"), "F32", 1);
        EngineInspection engine = built(place, Precision.FP8);
        assertThat(engine.parts()).extracting(PartSize::part).containsExactly(ModelPart.values());
        assertThat(engine.parts().stream().mapToLong(PartSize::bytes).sum())
                .isEqualTo(engine.tensors().stream().mapToLong(TensorView::bytes).sum());
        assertThat(engine.parts().get(ModelPart.FEED_FORWARD.ordinal())).isEqualTo(new PartSize(ModelPart.FEED_FORWARD,
                bytes(engine, ".*\\.ffn\\..*"), bytes(engine, ".*\\.ffn\\..*_scale")));
        assertThat(engine.parts().get(ModelPart.ATTENTION.ordinal()).bytes())
                .isEqualTo(bytes(engine, ".*\\.attn\\..*"));
    }

    private static long bytes(EngineInspection engine, String name) {
        return engine.tensors().stream().filter(tensor -> tensor.name().matches(name)).mapToLong(TensorView::bytes)
                .sum();
    }

    @Test
    void aBrokenListOfSourcesIsNamed() throws Exception {
        Path place = PublishedCheckpoint.of("llama", PublishedCheckpoint.SIZES, 3).write(folder.resolve("c"), "F32", 1);
        built(place, Precision.BF16);
        Path file = folder.resolve("e").resolve(WeightSources.FILE.name());
        String content = Files.readString(file);
        Files.writeString(file, content.replaceFirst("\"file\" : 0", "\"file\" : 7"));
        assertThatThrownBy(() -> WeightSources.FILE.read(folder.resolve("e"))).isInstanceOf(EngineFormatException.class)
                .hasMessageContaining("sources.json").hasMessageContaining("Build the engine again.");
    }
}
