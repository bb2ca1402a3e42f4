package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.report.ReportTable;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

class ComparisonTablesTest {
    private final ComparisonTables tables =
            new ComparisonTables(ComparedCell.of(List.of(SampleRecords.experiment(Path.of("x"), 2))));

    @Test
    void everyTableIsShown() {
        assertThat(tables.all()).extracting(ReportTable::title).containsExactly("Throughput and resources",
                "E2E latency", "TTFT and ITL");
    }

    @Test
    void metricsOfColumnsAreDefined() {
        List<Metric> e2e = List.of(Metrics.E2E.mean(), Metrics.E2E.p50(), Metrics.E2E.p95(), Metrics.E2E.p99());
        assertThat(tables.latency().columns()).extracting(ReportTable.Column::metric).containsExactly(null, null,
                e2e.get(0), e2e.get(1), e2e.get(2), e2e.get(3));
        assertThat(tables.shownMetrics()).containsAll(e2e).doesNotHaveDuplicates();
    }
}
