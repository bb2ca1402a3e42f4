package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.experiment.Cell;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.Subject;
import org.inferometer.finding.PairContrast.SettingChange;
import org.inferometer.options.Selection;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class CellSettingsTest {
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
        assertThat(CellSettings.changes(side(NAIVE, LOAD), side(other, longer))).containsExactly(
                new SettingChange("engine", "tiny-int4", "tiny-fp8"),
                new SettingChange("scheduler", "naive", "continuous"), new SettingChange("workload", "short", "long"),
                new SettingChange("prompt tokens", "64", "256"), new SettingChange("scheduler chunk", "default", "64"),
                new SettingChange("backend threads", "default", "2"),
                new SettingChange("max batch size", "default", "8"),
                new SettingChange("KV memory", "default", "64MiB"));
    }

    @Test
    void numberOfAnswersIsASetting() {
        WorkloadSpec several = LOAD.withRefinements(LOAD.refinements().withAnswers(4));
        assertThat(CellSettings.changes(side(NAIVE, LOAD), side(NAIVE, several)))
                .containsExactly(new SettingChange("answers", "1", "4"));
    }

    @Test
    void equalCellsHaveNone() {
        assertThat(CellSettings.changes(side(NAIVE, LOAD), side(NAIVE, LOAD))).isEmpty();
    }

    @Test
    void engineAndServerDifferInTheirParts() {
        Subject server = new Subject.TargetSubject(Selection.parse("http:url=http://a,model=tiny"));
        assertThat(CellSettings.changes(side(NAIVE, LOAD), side(server, LOAD))).containsExactly(
                new SettingChange("engine", "tiny-int4", "none"), new SettingChange("scheduler", "naive", "none"),
                new SettingChange("backend", "host", "none"), new SettingChange("target", "none", "http"),
                new SettingChange("target url", "none", "http://a"), new SettingChange("target model", "none", "tiny"));
    }
}
