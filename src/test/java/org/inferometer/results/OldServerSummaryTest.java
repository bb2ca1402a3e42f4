package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.TokenSource;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Summaries that were written before events were recorded show an ITL of 0 where a server sent several tokens a chunk.
class OldServerSummaryTest {
    private static final long MS = 1_000_000;

    @ParameterizedTest
    @CsvSource({"http:url=http://a.test, true", "imported:name=a, false"})
    void gapsOfServersAreDerivedAgain(String target, boolean again) {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("x"));
        RequestOutcome request = new RequestOutcome(new RequestId(0), false, 4, 8, 0, 0, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 20 * MS, RequestStatus.OK, "", new long[]{10 * MS, 20 * MS}, new int[]{4, 4}, 8,
                TokenSource.SERVER_USAGE, 4);
        RunRecord run = new RunRecord("run-000", SampleRecords.manifest(plan, RunStatus.COMPLETE),
                new RunObservations(List.of(request), List.of(), List.of(), new RunObservations.Setup(0, 0, 0, 0)),
                List.of());
        List<Figure> old = List.of(new Figure(Metrics.ITL.p50(), 0, 7, true),
                new Figure(Metrics.TPOT.p50(), 10 * MS / 7.0, 1, false),
                new Figure(Metrics.OUTPUT_THROUGHPUT, 400, 8, true));
        CellSummary cell = new CellSummary(0, new Cell(new TargetSubject(Selection.parse(target)), plan.workload()),
                "m", "", 1, CellFigures.of(List.of(old)));
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 1);
        ExperimentManifest manifest = sample.withOutcome(
                new ExperimentManifest.ExperimentOutcome(RunStatus.COMPLETE, "", List.of(cell), null),
                sample.times().ended());
        CellSummary read = ExperimentReader.withSeeds(manifest, List.of(run)).cells().getFirst();
        assertThat(CellFigures.find(read.figures(), Metrics.OUTPUT_THROUGHPUT).orElseThrow().mean()).isEqualTo(400);
        assertThat(CellFigures.find(read.figures(), Metrics.ITL.p50()).isPresent()).isEqualTo(!again);
        assertThat(CellFigures.find(read.figures(), Metrics.INTER_CHUNK.p50()).isPresent()).isEqualTo(again);
        assertThat(CellFigures.find(read.figures(), Metrics.TPOT.p50()).orElseThrow().mean())
                .isEqualTo(again ? 10 * MS / 4.0 : 10 * MS / 7.0);
    }
}
