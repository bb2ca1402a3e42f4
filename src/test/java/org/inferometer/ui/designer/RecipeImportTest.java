package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.ui.designer.EngineChoices.EngineChoice;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecipeImportTest {
    private static final Path RECIPES = Path.of("engines");

    @TempDir
    Path folder;

    private List<String> add(Path chosen) throws IOException {
        return RecipeImport.copy(chosen, folder.resolve("workspace").resolve("engines"));
    }

    private List<EngineEntry> entries() {
        return new EngineCatalog(folder.resolve("workspace").resolve("engines")).entries();
    }

    private Path offered(String... names) throws IOException {
        Path offered = folder.resolve("offered");
        for (String name : names) {
            Files.createDirectories(offered.resolve(name));
            Files.copy(RECIPES.resolve(name).resolve("recipe.yaml"), offered.resolve(name).resolve("recipe.yaml"));
        }
        return offered;
    }

    @Test
    void newRecipesAreCopiedAndExistingOnesStay() throws IOException {
        assertThat(add(offered("tiny-fp8").resolve("tiny-fp8"))).containsExactly("tiny-fp8");
        assertThat(add(offered("tiny-int4"))).containsExactly("tiny-int4");
        assertThat(add(folder.resolve("offered"))).isEmpty();
        assertThat(entries()).extracting(EngineEntry::name, EngineEntry::state).containsExactly(
                org.assertj.core.groups.Tuple.tuple("tiny-fp8", EngineEntry.State.RECIPE_ONLY),
                org.assertj.core.groups.Tuple.tuple("tiny-int4", EngineEntry.State.RECIPE_ONLY));
    }

    @Test
    void folderWithoutRecipesOrWithABrokenOneIsRefused() throws IOException {
        Path empty = Files.createDirectories(folder.resolve("empty"));
        assertThatThrownBy(() -> add(empty)).isInstanceOf(IOException.class).hasMessage(
                "No recipe.yaml in " + empty + " or in its folders. Choose an engine folder or a folder of engines.");
        Path offered = offered("tiny-int4");
        Files.createDirectories(offered.resolve("a-broken"));
        Files.writeString(offered.resolve("a-broken").resolve("recipe.yaml"), "model: [");
        assertThatThrownBy(() -> add(offered)).isInstanceOf(IOException.class).hasMessageContaining("recipe.yaml");
        assertThat(entries()).isEmpty();
    }

    @Test
    void quickReadinessNamesMissingEnginesAndAlternatives() {
        List<EngineChoice> all = DesktopTwin.engines().stream().map(EngineChoice::of).toList();
        assertThat(QuickReadiness.of(Experiments.QUICK, all)).isEqualTo(QuickReadiness.READY);
        assertThat(QuickReadiness.of(Experiments.QUICK, List.of()).sentence())
                .startsWith("There is no engine in this workspace.");
        List<EngineChoice> others = all.stream().filter(choice -> !choice.name().startsWith("tiny-")).toList();
        assertThat(QuickReadiness.of(Experiments.QUICK, others)).isEqualTo(new QuickReadiness(
                "Engines missing for the quick benchmark: tiny-fp8, tiny-int4. Add them, or select others at the left.",
                List.of()));
        EngineChoice built = new EngineChoice("mine", "FP8", true, "", true, true,
                new javafx.beans.property.SimpleBooleanProperty());
        assertThat(QuickReadiness.of(Experiments.QUICK, List.of(others.getFirst(), built)).instead())
                .containsExactly("mine");
    }
}
