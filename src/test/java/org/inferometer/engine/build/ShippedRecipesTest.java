package org.inferometer.engine.build;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.inferometer.engine.ModelLayout;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.engine.files.EngineFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShippedRecipesTest {
    private final EngineCatalog catalog = new EngineCatalog(Path.of("engines"));

    /// Published parameter counts and the KV cache's BF16 bytes a token; tiny is our own.
    @ParameterizedTest
    @CsvSource({"tiny, 15341056, 2560", "smollm-135m, 134515008, 23040", "gpt2, 124439808, 36864",
            "gpt2-medium, 354823168, 98304", "gpt2-large, 774030080, 184320", "qwen2.5-0.5b, 494032768, 12288",
            "qwen3-0.6b, 596049920, 114688", "tinyllama-1.1b, 1100048384, 22528", "qwen2.5-3b, 3085938688, 36864",
            "llama-3.1-8b, 8030261248, 131072"})
    void everyModelHasThePublishedSize(String model, long parameters, long kvBytesPerToken) throws Exception {
        for (Precision precision : Precision.values()) {
            Recipe recipe = catalog.find(model + "-" + precision.id()).recipe();
            assertThat(recipe).isNotNull();
            assertThat(recipe.model()).isEqualTo(model);
            assertThat(recipe.precision()).isEqualTo(precision);
            assertThat(ModelLayout.parameters(recipe.shape())).isEqualTo(parameters);
            assertThat(2 * recipe.shape().kvElementsPerToken()).isEqualTo(kvBytesPerToken);
        }
    }

    @Test
    void thereAreNoOthers() {
        assertThat(catalog.entries()).hasSize(10 * 4)
                .allSatisfy(entry -> assertThat(entry.state()).isNotEqualTo(State.DAMAGED));
    }

    @Test
    void diskNeedsFollowThePrecision() throws Exception {
        List<Long> bytes = Stream.of("int4", "fp8", "bf16", "int8").map(precision -> {
            try {
                Recipe recipe = Objects.requireNonNull(catalog.find("llama-3.1-8b-" + precision).recipe());
                return new EngineBuilder().diskBytes(recipe.shape(), WeightFormats.all(recipe.precision()));
            } catch (EngineFormatException missing) {
                throw new AssertionError(missing);
            }
        }).toList();
        assertThat(bytes.get(0)).isBetween(4_203_000_000L, 4_210_000_000L);
        assertThat(bytes.get(1)).isBetween(8_035_000_000L, 8_040_000_000L);
        assertThat(bytes.get(2)).isBetween(16_060_000_000L, 16_062_000_000L);
        assertThat(bytes.get(3)).isBetween(8_532_000_000L, 8_534_000_000L);
    }
}
