package org.inferometer.engine.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelShape.RopeScaling;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecipeReaderTest {
    private static final String GOOD = """
            # a comment
            model: toy
            precision: int4
            seed: 42
            shape:
              family: llama
              layers: 2
              hidden: 64
              intermediate: 128
              heads: 4
              kv_heads: 2
              head_dim: 16
              vocabulary: 256
              max_positions: 128
              tied_head: true
              norm_epsilon: 1e-5
              rope_theta: 10000
              rope_scaling:
                factor: 8
                low_frequency_factor: 1
                high_frequency_factor: 4
                original_max_positions: 64
            """;

    @TempDir
    Path folder;

    private Path file(String yaml) throws Exception {
        return Files.writeString(folder.resolve("recipe.yaml"), yaml);
    }

    private String faults(String yaml) throws Exception {
        Path file = file(yaml);
        EngineFormatException fault = catchThrowableOfType(EngineFormatException.class, () -> RecipeReader.read(file));
        assertThat(fault).as("a fault in %s", yaml).isNotNull();
        assertThat(fault.getMessage()).startsWith(file + ": ").endsWith("Correct the recipe.");
        return fault.getMessage().substring(file.toString().length() + 2);
    }

    @Test
    void aRecipeIsReadWhole() throws Exception {
        ModelShape shape = new ModelShape(ModelFamily.LLAMA, 2, 64, 128, 4, 2, 16, 256, 128, true, 10_000,
                new RopeScaling(8, 1, 4, 64), 1e-5);
        assertThat(RecipeReader.read(file(GOOD))).isEqualTo(new Recipe("toy", shape, Precision.INT4, 42));
    }

    @Test
    void aSlidingWindowIsShorterThanTheModel() throws Exception {
        String windowed = GOOD.replace("max_positions: 128", "max_positions: 128\n  sliding_window: 100");
        assertThat(RecipeReader.read(file(windowed)).shape())
                .isEqualTo(RecipeReader.read(file(GOOD)).shape().withSlidingWindow(100));
        assertThat(faults(windowed.replace("100", "128")))
                .contains("\"sliding_window\" (128) must be below \"max_positions\" (128)");
        assertThat(faults(windowed.replace("100", "0"))).contains("\"sliding_window\" must be a whole number");
    }

    @Test
    void allFaultsAreToldAtOnceWithTheirLines() throws Exception {
        String yaml = GOOD.replace("int4", "int5").replace("seed: 42", "seed: many").replace("layers: 2", "layrs: 2")
                .replace("heads: 4", "heads: 3").replace("factor: 8", "factor: -8");
        assertThat(faults(yaml))
                .contains(
                        "line 3: Unknown precision \"int5\". Did you mean int4 or int8? Valid: bf16, fp8, int8, int4.")
                .contains("line 4: \"seed\" must be a whole number")
                .contains("line 7: Unknown key \"layrs\". Did you mean layers?")
                .contains("line 6: \"layers\" is missing")
                .contains("\"heads\" (3) must be a multiple of \"kv_heads\" (2)")
                .contains("line 19: \"factor\" must be a positive number, not \"-8\".");
    }

    @Test
    void numbersMustBePlainDecimals() throws Exception {
        for (String number : new String[]{"0x10", "010", "1_000", "2.0", "1e3", "\"2\"", "-1", "0",
                "99999999999999999999", "true", "", "[2]", ".inf"}) {
            assertThat(faults(GOOD.replace("layers: 2", "layers: " + number))).as(number)
                    .contains("\"layers\" must be a whole number");
        }
        for (String number : new String[]{".inf", ".nan", "-1", "0", "1e999", "wide", "[1]"}) {
            assertThat(faults(GOOD.replace("10000", number))).as(number)
                    .contains("\"rope_theta\" must be a positive number");
        }
    }

    @Test
    void groupsHaveTheWidthThatARecipeNames() throws Exception {
        Recipe read = RecipeReader.read(file(GOOD.replace("precision: int4", "precision: int4\ngroup_size: 32")));
        assertThat(read.formats()).isEqualTo(new WeightFormats(Precision.INT4, Precision.INT4, 32));
        assertThat(faults(GOOD.replace("precision: int4", "precision: int4\ngroup_size: 16")))
                .contains("\"group_size\" must be a whole number from 32 to 128");
        assertThat(faults(GOOD.replace("precision: int4", "precision: bf16\ngroup_size: 32")))
                .contains("Only int4, int8 and fp8 have groups of inputs.");
    }

    @Test
    void shapesThatFitNoModelAreRefused() throws Exception {
        assertThat(faults(GOOD.replace("vocabulary: 256", "vocabulary: 255")))
                .contains("\"vocabulary\" must be a whole number from 256");
        assertThat(faults(GOOD.replace("head_dim: 16", "head_dim: 15"))).contains("must be even");
        assertThat(faults(GOOD.replace("low_frequency_factor: 1", "low_frequency_factor: 5"))).contains("must exceed");
        assertThat(
                faults(GOOD.replace("hidden: 64", "hidden: 262144").replace("vocabulary: 256", "vocabulary: 2000000")))
                .contains("more than 17 billion");
        String gpt2 = GOOD.substring(0, GOOD.indexOf("  rope_theta")).replace("llama", "gpt2");
        assertThat(faults(gpt2.replace("tied_head: true", "tied_head: false"))).contains("needs kv_heads = heads");
        assertThat(faults(gpt2.replace("kv_heads: 2", "kv_heads: 4").replace("hidden: 64", "hidden: 65")))
                .contains("heads × head_dim = hidden (65), not 64");
        assertThat(RecipeReader.read(file(gpt2.replace("kv_heads: 2", "kv_heads: 4"))).shape().family())
                .isEqualTo(ModelFamily.GPT2);
    }

    @Test
    void whatYamlOffersBeyondPlainFieldsIsRefused() throws Exception {
        assertThat(faults(GOOD.replace("model: toy", "model: &a toy").replace("int4", "*a")))
                .contains("line 3: Anchors");
        assertThat(faults(GOOD.replace("model: toy", "model: !!str toy"))).contains("Tags");
        assertThat(faults(GOOD.replace("seed: 42", "seed: 42\nmodel: toy")))
                .contains("line 5: \"model\" is written twice. Keep one.");
        assertThat(faults(GOOD + "---\nmodel: other\n")).contains("A second document follows");
        assertThat(faults("- a\n- b\n")).contains("Expected keys and values, found a list");
        assertThat(faults("toy")).contains("Expected keys and values");
        assertThat(faults("")).contains("\"model\" is missing").contains("\"shape\" is missing");
        assertThat(faults(GOOD.replace("model: toy", "model: ../toy"))).contains("\"model\" must be a name");
        assertThat(faults("a: [")).contains("line 1");
        assertThat(faults("model: \"unclosed")).contains("Syntax error");
        assertThat(faults("a: " + "[".repeat(50) + "]".repeat(50))).contains("Syntax error");
    }

    @Test
    void filesThatAreNoRecipesAtAllAreRefused() throws Exception {
        Path file = folder.resolve("recipe.yaml");
        Files.writeString(file, "#".repeat(70_000));
        assertThat(catchThrowableOfType(EngineFormatException.class, () -> RecipeReader.read(file)))
                .hasMessageContaining("It has 68.4 KiB; at most 64.0 KiB are allowed.");
        Files.write(file, new byte[]{'a', ':', (byte) 0xFF});
        assertThat(catchThrowableOfType(EngineFormatException.class, () -> RecipeReader.read(file)))
                .hasMessageContaining("not UTF-8");
        assertThat(catchThrowableOfType(EngineFormatException.class, () -> RecipeReader.read(folder)))
                .hasMessageContaining("not a regular file");
        assertThat(catchThrowableOfType(EngineFormatException.class, () -> RecipeReader.read(folder.resolve("none"))))
                .hasMessageContaining("missing");
    }

    @Test
    void aliasesDoNotMultiply() throws Exception {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int level = 1; level < 9; level++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(level, level,
                    ("*a" + (level - 1) + ", ").repeat(9).replaceAll(", $", "")));
        }
        assertThat(faults(bomb.toString())).contains("Anchors and aliases").hasSizeLessThan(5000);
    }

    @Test
    void mutatedRecipesAreReadOrRefused() throws Exception {
        Path file = folder.resolve("recipe.yaml");
        String[] pieces = {"&", "*", "!", "|", ">", "%", "@", "`", "?", ": ", "- ", "\t", "{", "[", "\"", "'", "#",
                "---\n", "...\n", "<<: ", "\n", "\u0000", "\uFEFF", "9".repeat(99)};
        for (int index = 0; index < 1000; index++) {
            RandomGenerator random = new Seed(3).part(index).generator();
            StringBuilder text = new StringBuilder(GOOD);
            for (int change = 0; change <= random.nextInt(3); change++) {
                int at = random.nextInt(text.length());
                if (random.nextBoolean()) {
                    text.insert(at, pieces[random.nextInt(pieces.length)]);
                } else {
                    text.delete(at, Math.min(text.length() - 1, at + random.nextInt(5)));
                }
            }
            Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
            try {
                RecipeReader.read(file);
            } catch (EngineFormatException refused) {
                assertThat(refused.getMessage()).contains("line ");
            } catch (RuntimeException | Error escaped) {
                throw new AssertionError(text.toString(), escaped);
            }
        }
    }
}
