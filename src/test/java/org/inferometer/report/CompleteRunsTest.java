package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.report.charts.SchedulerCharts;
import org.inferometer.report.compare.SchedulerExplanations;
import org.inferometer.report.document.SchedulerSuite.SuiteTables;
import org.inferometer.results.SampleRecords;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Everything that is shown of cells is of the runs that their figures are of.
class CompleteRunsTest {
    private final ExperimentRecord whole = SuiteRecords.of(List.of("naive", "simple"), List.of(25), 3);
    private final ExperimentRecord shorter = withLast(List.of());

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COMPLETE")
    void incompleteRunIsInNoChartOrTable(RunStatus status) {
        ExperimentRecord record = withLast(List.of(ended(status)));
        assertAlike(new ExperimentCharts(record).all(), new ExperimentCharts(shorter).all());
        assertAlike(new SchedulerCharts(List.of(record)).sheets(), new SchedulerCharts(List.of(shorter)).sheets());
        SuiteTables tables = new SuiteTables(List.of(record), new TextAnonymizer(List.of()));
        SuiteTables expected = new SuiteTables(List.of(shorter), new TextAnonymizer(List.of()));
        assertThat(tables.summaries()).isEqualTo(expected.summaries()).hasLineCount(6);
        assertThat(tables.requests()).isEqualTo(expected.requests());
        assertThat(SchedulerExplanations.of(record, SchedulerRegistry.standard()))
                .isEqualTo(SchedulerExplanations.of(shorter, SchedulerRegistry.standard()));
    }

    /// Value by value, into the arrays; ends of axes that are left to the data are alike too. The records in which a chart looks for its
    /// requests differ; the runs in which it looks do not.
    private static void assertAlike(List<?> charts, List<?> expected) {
        assertThat(charts).usingRecursiveComparison().ignoringFieldsMatchingRegexes(".*requests.records.*")
                .withEqualsForType(Double::equals, Double.class).isEqualTo(expected);
    }

    /// The last of three runs of the second cell, as it would be had it ended so.
    private RunRecord ended(RunStatus status) {
        RunRecord last = whole.runs().getLast();
        RunObservations slower = new RunObservations(SampleRecords.requests(40, 99, 0.2), SampleRecords.steps(20),
                List.of(), last.observations().setup());
        return new RunRecord(last.folderName(), SampleRecords.manifest(last.manifest().plan(), status), slower,
                last.notes());
    }

    private ExperimentRecord withLast(List<RunRecord> last) {
        List<RunRecord> runs = new ArrayList<>(whole.runs().subList(0, whole.runs().size() - 1));
        runs.addAll(last);
        return new ExperimentRecord(whole.folder(), whole.manifest(), runs, List.of());
    }
}
