package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.inferometer.report.ReportTable;
import org.inferometer.report.charts.SweptCells;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class LoadNamesTest {
    private static final WorkloadSpec LOAD = SampleRecords.WORKLOAD;

    @Test
    void loadsAreNamedByTheSettingThatDiffers() throws Exception {
        assertThat(names(SweptCells.rates(0.5, 4, 16))).as("with the requests that follow from the rate")
                .containsExactly("at 0.5 req/s", "at 4 req/s", "at 16 req/s");
        assertThat(names(Stream.of(1, 8).map(ArrivalProcess.ClosedLoop::new)
                .map(arrivals -> LOAD.withName("c").withArrivals(arrivals)).toList()))
                .containsExactly("with 1 in flight", "with 8 in flight");
        assertThat(names(List.of(prompts(64), prompts(1024)))).containsExactly("with 64 prompt tokens",
                "with 1024 prompt tokens");
        assertThat(names(List.of(LOAD.withRequests(50), LOAD.withRequests(100)))).containsExactly("with 50 requests",
                "with 100 requests");
        assertThat(names(List.of(LOAD))).as("a single load").containsExactly("at 4 req/s");
    }

    @Test
    void severalSettingsLeaveTheName() throws Exception {
        WorkloadSpec longer = prompts(1024).withArrivals(new ArrivalProcess.ClosedLoop(8));
        assertThat(names(List.of(LOAD.withName("short"), longer.withName("long")))).containsExactly("under short",
                "under long");
        assertThat(names(List.of(LOAD.withName("same"), longer.withName("same"))))
                .containsExactly("under same (60 requests, 4 req/s)", "under same (60 requests, 8 in flight)");
    }

    @Test
    void groupsOfTablesAreHeadedInWords() throws Exception {
        assertThat(headings(SweptCells.rates(3, 4.5))).containsExactly("3 req/s", "4.5 req/s");
        assertThat(headings(List.of(LOAD.withName("short"),
                prompts(1024).withName("long").withArrivals(new ArrivalProcess.ClosedLoop(8)))))
                .as("loads that differ in several settings")
                .containsExactly("short (60 requests, 4 req/s)", "long (60 requests, 8 in flight)");
        assertThat(headings(List.of(prompts(64), prompts(1024)))).as("equal names").containsExactly("64 prompt tokens",
                "1024 prompt tokens");
        assertThat(headings(List.of(LOAD))).as("a single load").isEmpty();
    }

    private static List<String> headings(List<WorkloadSpec> loads) throws Exception {
        return new ComparisonTables(SweptCells.of(List.of("tiny-int4"), List.of("naive"), loads)).throughput().rows()
                .stream().filter(row -> row.kind() == ReportTable.RowKind.HEADING).map(row -> row.cells().getFirst())
                .toList();
    }

    @Test
    void cellsAreLabelledByTheirLoad() throws Exception {
        assertThat(SweptCells.of(List.of("tiny-int4"), List.of("naive"), SweptCells.rates(2, 4)))
                .extracting(ComparedCell::label).containsExactly("2 req/s", "4 req/s");
    }

    private static WorkloadSpec prompts(int tokens) {
        return new WorkloadSpec(LOAD.name(), new LengthDistribution.FixedLength(tokens), LOAD.outputTokens(), null, 0,
                LOAD.arrivals(), LOAD.requests(), LOAD.temperature());
    }

    private static List<String> names(List<WorkloadSpec> loads) throws Exception {
        List<ComparedCell> cells = SweptCells.of(List.of("tiny-int4"), List.of("naive"), loads);
        LoadNames names = LoadNames.of(cells);
        return cells.stream().map(names::circumstance).toList();
    }
}
