package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.ui.designer.PresetViewModel.PresetChoice;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PresetViewModelTest {
    private final Path folder;
    private final DesignerViewModel designer;
    private final PresetViewModel presets;
    private final List<String> said = new ArrayList<>();
    private final Notifier notifier = new Notifier() {
        @Override
        public void done(String sentence) {
            said.add(sentence);
        }

        @Override
        public void problem(String sentence) {
            said.add("problem: " + sentence);
        }
    };

    PresetViewModelTest(@TempDir Path root) {
        folder = root.resolve("presets");
        LibraryTwin library = new LibraryTwin(root.resolve("results"));
        designer = new DesignerViewModel(
                DesktopTwin.designer(new ScriptedBenchmark(library, 0), DesktopTwin.schedulers(), folder),
                new InlineUi().work(), null);
        designer.setEngines(DesktopTwin.engines());
        presets = designer.presets();
    }

    @Test
    void chosenPresetFillsTheForm() {
        presets.chosen().set(choice("memory"));
        assertThat(designer.spec()).contains(new Presets().find("memory"));
        assertThat(presets.changed().get()).isFalse();
        designer.phaseFields().getFirst().text().set("9");
        assertThat(presets.changed().get()).isTrue();
        presets.reset(notifier);
        assertThat(designer.spec()).contains(new Presets().find("memory"));
        assertThat(presets.changed().get()).isFalse();
        assertThat(said).isEmpty();
    }

    @Test
    void savedPresetIsListedChosenAndDeleted() {
        presets.chosen().set(choice("batch"));
        designer.phaseFields().getFirst().text().set("9");
        ExperimentSpec changed = designer.spec().orElseThrow();
        presets.save("night", changed, name -> said.add("saved " + name), said::add);
        assertThat(said).isEqualTo(List.of("saved night"));
        assertThat(presets.chosen().get()).isEqualTo(choice("night"));
        assertThat(presets.changed().get()).isFalse();
        presets.chosen().set(choice("quick"));
        presets.chosen().set(choice("night"));
        assertThat(designer.spec()).contains(changed.named("night"));
        presets.delete(notifier);
        assertThat(said).isEqualTo(List.of("saved night", "Preset night deleted. Ctrl+Z brings it back."));
        assertThat(presets.choices()).extracting(PresetChoice::name).doesNotContain("night");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void deletedPresetComesBackByUndo() throws IOException {
        UndoStack undo = new UndoStack();
        presets.remember(undo);
        Files.createDirectories(folder);
        Path file = Files.writeString(folder.resolve("mine.yaml"), "engines: [a]\n# half written");
        presets.refresh(notifier);
        presets.chosen().set(choice("mine"));
        presets.delete(notifier);
        assertThat(file).doesNotExist();
        undo.undo();
        assertThat(file).hasContent("engines: [a]\n# half written");
        assertThat(presets.choices()).extracting(PresetChoice::name).contains("mine");
        undo.redo();
        assertThat(file).doesNotExist();
        assertThat(undo.toUndo().get()).isEqualTo("deletion of a preset");
        Files.writeString(file, "another");
        undo.undo();
        assertThat(file).hasContent("another");
        assertThat(said).isEqualTo(List.of("Preset mine deleted. Ctrl+Z brings it back.", "Preset mine is back.",
                "Preset mine deleted. Ctrl+Z brings it back.",
                "problem: The preset is not saved: There is another preset mine by now."));
    }

    @Test
    void faultOfASavedPresetIsSaid() throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("broken.yaml"), "engines: [a]\nshedulers: [naive]\n");
        presets.refresh(notifier);
        presets.chosen().set(choice("broken"));
        presets.reset(notifier);
        assertThat(said).hasSize(1).first().asString().startsWith("problem: The preset broken cannot be read: ")
                .contains("broken.yaml:2").contains("schedulers");
    }

    @Test
    void unusableNameIsRefused() {
        presets.save("../x", new Presets().find("quick"), name -> said.add("saved"), said::add);
        presets.save("quick", new Presets().find("quick"), name -> said.add("saved"), said::add);
        assertThat(said).isEqualTo(
                List.of("A preset's name has 1 to 60 letters, digits, dots, dashes and underscores, as in nightly-fp8.",
                        "quick is a preset of the program. Choose another name."));
    }

    private PresetChoice choice(String name) {
        return presets.choices().stream().filter(choice -> choice.name().equals(name)).findFirst().orElseThrow();
    }
}
