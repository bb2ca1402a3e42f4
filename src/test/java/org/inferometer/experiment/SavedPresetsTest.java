package org.inferometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedPresetsTest {
    private final SavedPresets presets;

    SavedPresetsTest(@TempDir Path folder) {
        presets = new SavedPresets(folder.resolve("presets"));
    }

    @Test
    void savedPresetIsReadBackUnderItsName() throws IOException, PlanException {
        assertThat(presets.names()).isEmpty();
        ExperimentSpec memory = new Presets().find("memory");
        Path file = presets.save("nightly.memory", memory);
        presets.save("a-first", memory);
        assertThat(new SpecReader().read(file)).isEqualTo(memory.named("nightly.memory"));
        assertThat(presets.names()).isEqualTo(List.of("a-first", "nightly.memory"));
    }

    @Test
    void presetIsReplacedAndDeleted() throws IOException, PlanException {
        presets.save("mine", new Presets().find("memory"));
        ExperimentSpec batch = new Presets().find("batch");
        presets.save("mine", batch);
        assertThat(new SpecReader().read(presets.file("mine"))).isEqualTo(batch.named("mine"));
        presets.delete("mine");
        assertThat(presets.names()).isEmpty();
        assertThat(presets.folder()).isEmptyDirectory();
    }

    @Test
    void fileIsWrittenAsPeopleWriteIt() throws IOException {
        ExperimentSpec spec = ExperimentFields.SEED.with(new Presets().find("quick"), List.of(7L));
        assertThat(presets.save("mine", spec)).hasContent("""
                name: mine
                engines:
                - tiny-fp8
                - tiny-int4
                schedulers:
                - naive
                - continuous
                backend:
                - host:threads=1
                workloads:
                - name: quick
                  prompt_tokens: lognormal(48.0, 0.5, 8..160)
                  output_tokens: lognormal(24.0, 0.5, 4..64)
                  shared_prefix: 0
                  prefix_groups: 1
                  arrivals: closed:concurrency=8
                  requests: 24
                  temperature: 0
                runs: 1
                warmup: 8
                seed: 7
                """);
    }

    @Test
    void namesThatLeadElsewhereOrShadowAreRefused() {
        for (String name : List.of("../x", "a/b", ".hidden", "", "a b", "x".repeat(61))) {
            assertThatThrownBy(() -> presets.file(name)).hasMessage(
                    "A preset's name has 1 to 60 letters, digits, dots, dashes and underscores, as in nightly-fp8.");
        }
        assertThatThrownBy(() -> presets.file("quick"))
                .hasMessage("quick is a preset of the program. Choose another name.");
    }

    @Test
    void otherFilesInTheFolderAreNoPresets() throws IOException {
        Files.createDirectories(presets.folder().resolve("folder.yaml"));
        Files.writeString(presets.folder().resolve("notes.txt"), "");
        Files.writeString(presets.folder().resolve("two words.yaml"), "");
        assertThat(presets.names()).isEmpty();
    }
}
