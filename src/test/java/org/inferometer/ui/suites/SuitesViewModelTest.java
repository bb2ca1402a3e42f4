package org.inferometer.ui.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What a folder lists.
class SuitesViewModelTest extends OpenSuite {
    @Test
    void filesAreListedWithWhatWasFound() {
        assertThat(model.rows()).extracting(
                row -> row.shown().replaceFirst(".*/", "") + " " + row.isRefused() + " " + row.findings().size())
                .containsExactly("deepseek-r1-fp4_1k1k_ctx1_gen1_dep32_bs32_eplb0_mtp0_ccb-UCX.yaml true 4",
                        "deepseek-r1-fp4_1k1k_ctx1_gen4_tep8_bs32_eplb0_mtp0_ccb-NIXL.yaml false 0",
                        "generation.yaml false 0", "night.yaml false 0", "k2_8k1k.yaml false 0");
        model.filter().set("WIDEEP");
        assertThat(model.rows()).extracting(SuiteRow::id).containsExactly("wideep_perf_k2_8k1k");
    }

    @Test
    void anotherSuiteIsNotOpenedWhileOneRuns() throws Exception {
        model.refreshEngines();
        Path open = Objects.requireNonNull(model.suite().get()).folder();
        model.run(phrases -> true);
        while (!model.session().running().get()) {
            later.take().run();
        }
        model.open(folder);
        assertThat(notices).last().isEqualTo(
                "problem: The suite " + open + " is running. Stop it, or wait for its end, before you open another.");
        assertThat(Objects.requireNonNull(model.suite().get()).folder()).isEqualTo(open);
        awaitEnd();
    }

    @Test
    void foldersThatCannotBeReadSayWhy() throws Exception {
        model.open(Files.createDirectory(folder.resolve("empty")));
        assertThat(model.problem().get()).contains("no experiments or test configurations (*.yaml)");
        assertThat(model.rows()).isEmpty();
    }
}
