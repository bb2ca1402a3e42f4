package org.inferometer.report.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.measurement.Outcomes;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.ReportTable;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class LatencyByVariantTest {
    private static ExperimentRecord record(int runs, boolean mixed) {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), runs);
        List<RunRecord> records = new ArrayList<>();
        for (var plan : sample.plan()) {
            if (plan.index().cell() == 0) {
                RunManifest manifest = SampleRecords.manifest(plan, RunStatus.COMPLETE);
                List<RequestOutcome> requests =
                        new ArrayList<>(List.of(Outcomes.warmUp(0, 0, 5, 6), Outcomes.ended(21, RequestStatus.FAILED)));
                List<RunEvent> events = new ArrayList<>();
                for (int i = 1; i <= 20; i++) {
                    // The even ones answer after 10 ms and take 2 ms a token, the others 40 and 4.
                    long first = i % 2 == 0 ? 10 : 40;
                    requests.add(Outcomes.ok(i, 0, first, first + first / (i % 2 == 0 ? 5 : 10)));
                }
                for (int i = 0; i <= 21 && mixed; i++) {
                    events.add(new RunEvent.RequestVariant(1, new RequestId(i), i % 2 == 0 ? "plain" : "json"));
                }
                RunObservations none = new RunObservations(requests, List.of(), List.of(),
                        new RunObservations.Setup(1, 16, 2, 512), events);
                records.add(new RunRecord(plan.folderName(), manifest, none, List.of()));
            }
        }
        return new ExperimentRecord(Path.of("x"), sample, records, List.of());
    }

    @Test
    void eachKindHasItsRequestsOfAllRuns() {
        ReportTable table = LatencyByVariant.of(List.of(record(2, true))).orElseThrow();
        assertThat(table.rows()).extracting(ReportTable.Row::cells).containsExactly(
                List.of("tiny-fp8 · naive · host:threads=2 · short"),
                List.of("  json", "22", "20", "40.00", "40.00 (20)", "4.00", "4.00 (20)", "44.00", "44.00 (20)"),
                List.of("  plain", "20", "20", "10.00", "10.00 (20)", "2.00", "2.00 (20)", "12.00", "12.00 (20)"));
    }

    @Test
    void requestsOfOneKindHaveNoTable() {
        assertThat(LatencyByVariant.of(List.of(record(1, false)))).isEmpty();
    }
}
