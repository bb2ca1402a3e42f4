package org.inferometer.engine.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.engine.files.EngineFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineCatalogTest {
    private static final String RECIPE = """
            model: toy
            precision: fp8
            seed: 42
            shape: {family: llama, layers: 1, hidden: 64, intermediate: 96, heads: 4, kv_heads: 2, head_dim: 16, vocabulary: 256,
              max_positions: 64, tied_head: true, norm_epsilon: 1e-5, rope_theta: 10000}
            """;

    @TempDir
    Path engines;

    private final java.util.function.Supplier<EngineCatalog> catalog = () -> new EngineCatalog(engines);

    private Path recipe(String name, String text) throws Exception {
        return Files.writeString(Files.createDirectories(engines.resolve(name)).resolve("recipe.yaml"), text)
                .getParent();
    }

    private EngineEntry find(String name) throws Exception {
        return catalog.get().find(name);
    }

    @Test
    void foldersWithoutOurFilesAreNoEngines() throws Exception {
        assertThat(new EngineCatalog(engines.resolve("missing")).entries()).isEmpty();
        Files.createDirectories(engines.resolve("notes"));
        Files.writeString(engines.resolve("README.md"), "hello");
        Files.createDirectories(engines.resolve(".building-toy"));
        Files.writeString(engines.resolve(".building-toy/weights.safetensors"), "half");
        assertThat(catalog.get().entries()).isEmpty();
    }

    @Test
    void theFirstPlaceThatHasAnEngineCounts(@TempDir Path installation) throws Exception {
        Path own = recipe("b", RECIPE);
        for (String name : new String[]{"a", "b"}) {
            Files.writeString(Files.createDirectories(installation.resolve(name)).resolve("recipe.yaml"), RECIPE);
        }
        EngineCatalog both = new EngineCatalog(java.util.List.of(engines, installation));
        assertThat(both.entries()).extracting(EngineEntry::folder).containsExactly(installation.resolve("a"), own);
        assertThat(both.find("a").folder()).isEqualTo(installation.resolve("a"));
        assertThat(both.find("b").folder()).isEqualTo(own);
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(() -> both.find("c"))
                .withMessageContaining("Valid: a, b");
    }

    @Test
    void anEngineGoesFromRecipeToBuilt() throws Exception {
        recipe("toy-fp8", RECIPE);
        EngineEntry before = find("toy-fp8");
        assertThat(before.state()).isEqualTo(State.RECIPE_ONLY);
        assertThat(before.descriptor()).isEmpty();
        assertThat(before.shape()).isPresent();
        EngineDescriptor built = new EngineBuilder().build(before, done -> {});
        assertThat(find("toy-fp8"))
                .isEqualTo(new EngineEntry("toy-fp8", before.folder(), before.recipe(), State.BUILT, built, ""));
    }

    @Test
    void entriesAreSortedByName() throws Exception {
        recipe("b", RECIPE);
        recipe("a", RECIPE);
        recipe("c", "model: [");
        assertThat(catalog.get().entries()).extracting(EngineEntry::name).containsExactly("a", "b", "c");
        assertThat(catalog.get().entries()).extracting(EngineEntry::state).containsExactly(State.RECIPE_ONLY,
                State.RECIPE_ONLY, State.DAMAGED);
    }

    @Test
    void unknownNamesComeWithNearMisses() throws Exception {
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(() -> find("toy-fp8"))
                .withMessageContaining("There are no engines here");
        recipe("toy-fp8", RECIPE);
        recipe("other", RECIPE);
        assertThatExceptionOfType(EngineFormatException.class).isThrownBy(() -> find("toy-fp9"))
                .withMessageContaining("Unknown engine \"toy-fp9\". Did you mean toy-fp8? Valid: other, toy-fp8.");
        assertThatExceptionOfType(EngineFormatException.class)
                .isThrownBy(() -> find("../" + engines.getFileName() + "/other"));
    }

    @Test
    void aBadRecipeWithoutEngineIsDamaged() throws Exception {
        recipe("toy", RECIPE.replace("fp8", "fp9"));
        EngineEntry entry = find("toy");
        assertThat(entry.state()).isEqualTo(State.DAMAGED);
        assertThat(entry.problem()).contains("recipe.yaml").contains("line 2").doesNotContain("\n");
        assertThat(entry.recipe()).isNull();
    }

    @Test
    void aBadRecipeBesideAGoodEngineDoesNotMatter() throws Exception {
        Path folder = recipe("toy", RECIPE);
        new EngineBuilder().build(find("toy"), done -> {});
        Files.writeString(folder.resolve("recipe.yaml"), "model: [");
        assertThat(find("toy").state()).isEqualTo(State.BUILT);
        Files.delete(folder.resolve("recipe.yaml"));
        assertThat(find("toy").state()).isEqualTo(State.BUILT);
    }

    @Test
    void anEngineThatIsNotWhatItsFolderSaysIsDamaged() throws Exception {
        Path folder = recipe("toy", RECIPE);
        new EngineBuilder().build(find("toy"), done -> {});
        Files.writeString(folder.resolve("recipe.yaml"), RECIPE.replace("seed: 42", "seed: 43"));
        assertThat(find("toy")).extracting(EngineEntry::state, EngineEntry::problem).containsExactly(State.DAMAGED,
                folder + ": The recipe was changed after the engine was built from it. Build it again.");
        Files.writeString(folder.resolve("recipe.yaml"), RECIPE);
        Files.move(folder, engines.resolve("renamed"));
        assertThat(find("renamed").problem()).contains("calls the engine \"toy\"");
    }

    @Test
    void damagedEnginesKeepTheirRecipeSoThatTheyCanBeBuiltAgain() throws Exception {
        Path folder = recipe("toy", RECIPE);
        new EngineBuilder().build(find("toy"), done -> {});
        Files.write(folder.resolve("weights.safetensors"), new byte[10]);
        EngineEntry damaged = find("toy");
        assertThat(damaged.state()).isEqualTo(State.DAMAGED);
        assertThat(damaged.problem()).contains("It has 10 bytes, engine.json says");
        new EngineBuilder().build(damaged, done -> {});
        assertThat(find("toy").state()).isEqualTo(State.BUILT);
        Files.delete(folder.resolve("engine.json"));
        assertThat(find("toy").state()).isEqualTo(State.RECIPE_ONLY);
        Files.delete(folder.resolve("recipe.yaml"));
        assertThat(find("toy").problem()).contains("neither engine.json nor a recipe");
    }
}
