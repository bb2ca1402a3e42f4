package org.inferometer.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.experiment.PlanFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteTest {
    @TempDir
    Path folder;

    @Test
    void everyFileIsReadAndABrokenOneHidesNoOther() throws IOException {
        Files.writeString(folder.resolve("b.yaml"),
                "engines: [tiny-int4]\nschedulers: [naive, continuous]\nworkloads: [short, long]\nruns: 5\n");
        Files.writeString(folder.resolve("a.yml"), "engines: [tiny-int4]\nworkloads: [shrt]\n");
        Files.writeString(folder.resolve("notes.txt"), "no experiment");
        List<Suite.Entry> entries = new Suite(folder).entries();
        assertThat(entries).extracting(entry -> entry.file().getFileName().toString()).containsExactly("a.yml",
                "b.yaml");
        assertThat(entries.get(0).spec()).isEmpty();
        assertThat(entries.get(0).faults()).extracting(PlanFault::where).containsExactly("a.yml:1", "a.yml:2");
        assertThat(entries.get(0).runs()).isZero();
        assertThat(entries.get(1).faults()).isEmpty();
        assertThat(entries.get(1).runs()).isEqualTo(20);
    }

    @Test
    void aFolderThatIsNotThereIsSaidInOneSentence() {
        assertThatThrownBy(() -> new Suite(folder.resolve("gone")).entries()).hasMessageContaining("no such folder")
                .isInstanceOf(IOException.class);
    }
}
