package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.experiment.Cell;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.Subject;
import org.inferometer.options.Selection;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class SettingDifferencesTest {
    private static final WorkloadSpec LOAD = SampleRecords.WORKLOAD;
    private static final Subject NAIVE = new Subject.EngineSubject("tiny-int4", Selection.of("naive"), Subject.HOST);

    private static Cell side(Subject subject, WorkloadSpec load) {
        return new Cell(subject, load);
    }

    @Test
    void everySettingThatDiffersIsNamedWithBothValues() {
        Subject other = new Subject.EngineSubject("tiny-fp8", Selection.parse("continuous:chunk=64"),
                Selection.parse("host:threads=2"), new EngineLimits(8, 0, 0, 64 << 20));
        WorkloadSpec longer = LOAD.withLengths(LengthDistribution.parse("256"), LOAD.outputTokens()).withName("long");
        assertThat(SettingDifferences.of(side(NAIVE, LOAD), side(other, longer)))
                .contains("Settings that differ: engine tiny-int4 → tiny-fp8; scheduler naive → continuous;"
                        + " workload short → long; prompt tokens 64 → 256; scheduler chunk default → 64;"
                        + " backend threads default → 2; max batch size default → 8; KV memory default → 64MiB.");
    }

    @Test
    void numberOfAnswersIsASetting() {
        WorkloadSpec several = LOAD.withRefinements(LOAD.refinements().withAnswers(4));
        assertThat(SettingDifferences.of(side(NAIVE, LOAD), side(NAIVE, several)))
                .contains("Settings that differ: answers 1 → 4.");
    }

    @Test
    void equalCellsHaveNone() {
        assertThat(SettingDifferences.of(side(NAIVE, LOAD), side(NAIVE, LOAD))).isEmpty();
    }

    @Test
    void engineAndServerDifferInTheirParts() {
        Subject server = new Subject.TargetSubject(Selection.parse("http:url=http://a,model=tiny"));
        assertThat(SettingDifferences.of(side(NAIVE, LOAD), side(server, LOAD)))
                .contains("Settings that differ: engine tiny-int4 → none; scheduler naive → none; backend host → none;"
                        + " target none → http; target url none → http://a; target model none → tiny.");
    }
}
