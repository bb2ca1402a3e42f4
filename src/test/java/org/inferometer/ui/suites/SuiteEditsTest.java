package org.inferometer.ui.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.inferometer.ui.twin.Experiments;
import org.junit.jupiter.api.Test;

/// How files of a suite are changed.
class SuiteEditsTest extends OpenSuite {
    @Test
    void aSavedTextIsCheckedAgain() throws Exception {
        SuiteRow night = row("night");
        assertThat(model.edits().isEditable(night)).isTrue();
        model.edits().draft(night, night.content() + "nonsense: 1\n");
        assertThat(model.edits().isChanged(night)).isTrue();
        model.edits().save(night);
        SuiteRow now = row("night");
        assertThat(Files.readString(now.file().file())).isEqualTo(night.content() + "nonsense: 1\n");
        assertThat(now.findings()).singleElement()
                .satisfies(finding -> assertThat(finding.sentence()).contains("nonsense"));
        assertThat(model.edits().isChanged(now)).isFalse();
        assertThat(model.selected().get()).isEqualTo(now);
    }

    @Test
    void aFileThatChangedElsewhereIsNotOverwritten() throws Exception {
        SuiteRow night = row("night");
        model.edits().draft(night, "runs: 2\n");
        Files.writeString(night.file().file(), "runs: 3\n");
        model.refresh();
        model.edits().save(row("night"));
        assertThat(Files.readString(night.file().file())).isEqualTo("runs: 3\n");
        assertThat(notices).last().asString().startsWith("problem: ").contains("has changed since it was read");
        assertThat(model.edits().shown(row("night"))).isEqualTo("runs: 2\n");
        model.edits().revert(row("night"));
        assertThat(model.edits().shown(row("night"))).isEqualTo("runs: 3\n");
    }

    @Test
    void experimentsOfBenchReplaceAFileOrBecomeOne() throws Exception {
        model.edits().replace(row("night"), Experiments.QUICK.withRuns(7));
        assertThat(row("night").smallLine()).isEqualTo("Experiment, 28 runs");
        assertThat(Files.readString(row("night").file().file())).contains("name: night");
        Path suite = Objects.requireNonNull(model.suite().get()).folder();
        model.edits().add(suite, Experiments.QUICK.named("../a b"));
        model.edits().add(suite, Experiments.QUICK.named("../a b"));
        assertThat(model.rows()).extracting(SuiteRow::shown).contains("a-b.yaml", "a-b-2.yaml");
    }

    private SuiteRow row(String id) {
        return model.all().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    }
}
