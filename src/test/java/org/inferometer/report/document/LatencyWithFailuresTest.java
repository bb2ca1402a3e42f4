package org.inferometer.report.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.ReportTable;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

/// Percentiles that count failed requests as infinite.
class LatencyWithFailuresTest {
    private static final long MS = 1_000_000;

    private static RequestOutcome request(int id, RequestStatus status, long lastMillis) {
        long[] tokens = status == RequestStatus.OK ? new long[]{lastMillis * MS / 2, lastMillis * MS} : new long[0];
        return new RequestOutcome(new RequestId(id), false, 4, 2, 0, 0, 0, 0, lastMillis * MS, status, "", tokens);
    }

    private static ExperimentRecord record(List<RequestOutcome> requests) {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("x"));
        RunRecord run = new RunRecord("run-000", SampleRecords.manifest(plan, RunStatus.COMPLETE),
                new RunObservations(requests, List.of(), List.of(), new RunObservations.Setup(0, 0, 0, 0)), List.of());
        return new ExperimentRecord(Path.of("x"), SampleRecords.experiment(Path.of("x"), 1), List.of(run), List.of());
    }

    /// 20 ok requests of 10, 20, ... 200 ms and one that failed: rank 0.9 · 20 = 18 is 190 ms, rank 19 of P95 is 200 ms, and P99
    /// at rank 19.8 lies between 200 ms and infinity. The cancelled one is part of the load.
    @Test
    void failedRequestIsInfinitelySlow() {
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            requests.add(request(i, RequestStatus.OK, 10 * (i + 1)));
        }
        requests.add(request(20, RequestStatus.CANCELLED, 1));
        assertThat(LatencyWithFailures.of(List.of(record(requests)))).isEmpty();
        requests.add(request(21, RequestStatus.TIMED_OUT, 1));
        ReportTable table = LatencyWithFailures.of(List.of(record(requests))).orElseThrow();
        List<String> cells = table.rows().getFirst().cells();
        assertThat(cells.subList(1, 7)).containsExactly("4.8", "21", "55.00", "95.00", "100.0", "∞");
        assertThat(cells.subList(7, 11)).containsExactly("110.0", "190.0", "200.0", "∞");
    }
}
