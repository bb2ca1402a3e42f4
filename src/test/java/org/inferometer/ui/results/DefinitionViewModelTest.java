package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.record.RunStatus;
import org.inferometer.report.ReportTable;
import org.inferometer.ui.results.DefinitionViewModel.DefinitionSheet;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class DefinitionViewModelTest {
    private static DefinitionViewModel of(org.inferometer.record.ExperimentRecord record) {
        DefinitionViewModel model = new DefinitionViewModel(record, new InlineUi().work());
        model.refresh();
        return model;
    }

    @Test
    void ourOwnDefinitionsComeFirstAndMoveNothing() {
        DefinitionViewModel model = of(Experiments.virtual(Path.of("results")));
        DefinitionSheet sheet = model.sheet().get().orElseThrow();
        assertThat(sheet.table().columns()).extracting(ReportTable.Column::header).containsExactly("Metric",
                "Inferometer");
        assertThat(sheet.table().rows()).extracting(row -> row.cells().getFirst())
                .startsWith("TTFT mean, ms", "TTFT P50, ms").contains("Output throughput, tok/s");
        assertThat(sheet.rules()).isEmpty();
    }

    @Test
    void everyToolShowsBeforeAndAfterAndTheRuleBehindEachMove() {
        DefinitionViewModel model = of(Experiments.virtual(Path.of("results")));
        for (Definition tool : Definition.values()) {
            model.definition().set(tool);
            DefinitionSheet sheet = model.sheet().get().orElseThrow();
            assertThat(sheet.definition()).isEqualTo(tool);
            assertThat(sheet.rules()).allMatch(rule -> rule.startsWith(tool.label() + " "));
            for (List<String> row : tool == Definition.INFEROMETER ? List.<List<String>>of()
                    : sheet.table().rows().stream().map(ReportTable.Row::cells).toList()) {
                assertThat(row).hasSize(6);
                boolean moved = !row.get(2).equals(row.get(3));
                assertThat(moved && row.get(5).isEmpty()).as("a moved figure names its rule: %s", row).isFalse();
            }
        }
        model.definition().set(Definition.LOADGEN);
        DefinitionSheet sheet = model.sheet().get().orElseThrow();
        assertThat(sheet.numberedRules().getFirst()).startsWith("(1) LoadGen ").endsWith(".");
        assertThat(sheet.table().rows().stream().map(ReportTable.Row::cells))
                .filteredOn(row -> row.getFirst().equals("ITL P50, ms")).singleElement()
                .satisfies(row -> assertThat(row.get(3)).isEqualTo("–"));
        assertThat(sheet.caveats()).hasSize(1);
    }

    @Test
    void runsAreCalledAsTheTableOfRunsCallsThem() {
        DefinitionViewModel model = of(Experiments.virtual(Path.of("results")));
        assertThat(model.runs().stream().limit(2).map(model::label)).containsExactly("1: naive", "2: dynamic");
    }

    @Test
    void anotherRunIsReadAnew() {
        DefinitionViewModel model = of(Experiments.virtual(Path.of("results")));
        DefinitionSheet first = model.sheet().get().orElseThrow();
        model.run().set(model.runs().getLast());
        assertThat(model.sheet().get().orElseThrow().table().rows()).isNotEqualTo(first.table().rows());
    }

    @Test
    void withoutRequestsOrRunsNothingIsMadeUp() {
        DefinitionViewModel figuresOnly = of(Experiments.record(Path.of("r"),
                Experiments.manifest("r", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH), List.of()));
        assertThat(figuresOnly.sheet().get().orElseThrow().table().rows()).isEmpty();
        DefinitionViewModel none = of(new org.inferometer.record.ExperimentRecord(Path.of("r"),
                Experiments.manifest("r", Experiments.QUICK, RunStatus.FAILED, null, Instant.EPOCH), List.of(),
                List.of()));
        assertThat(none.runs()).isEmpty();
        assertThat(none.sheet().get()).isEmpty();
    }
}
