package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.charts.SweptCells;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

/// Which cells the answer compares, and when it compares none.
class HeadlineScopeTest {
    private static CellSummary cell(int index, String engine, String scheduler, String backend, double throughput)
            throws Exception {
        return new CellSummary(index,
                new Cell(new EngineSubject(engine, Selection.parse(scheduler), Selection.parse(backend)),
                        SampleRecords.WORKLOAD),
                "tiny", engine.substring(5), 3, List.of(SweptCells.figure(Metrics.OUTPUT_THROUGHPUT, throughput)));
    }

    private static String headline(ExperimentManifest manifest) {
        return Headline.of(manifest, ComparedCell.of(List.of(manifest))).map(answer -> answer.text().toString())
                .orElse("");
    }

    @Test
    void schedulersAreComparedOnTheSameBackend() throws Exception {
        List<CellSummary> cells = List.of(cell(0, "tiny-int4", "naive", "host:threads=1", 100),
                cell(1, "tiny-int4", "naive", "host:threads=8", 400),
                cell(2, "tiny-int4", "continuous", "host:threads=1", 150),
                cell(3, "tiny-int4", "continuous", "host:threads=8", 800));
        assertThat(headline(SweptCells.manifest(cells)))
                .startsWith("continuous against naive on host:threads=8: 2.0× the output throughput");
    }

    @Test
    void precisionsAreComparedOnTheSameBackend() throws Exception {
        List<CellSummary> cells = List.of(cell(0, "tiny-fp8", "naive", "host:threads=1", 100),
                cell(1, "tiny-fp8", "naive", "host:threads=8", 400),
                cell(2, "tiny-int4", "naive", "host:threads=1", 150),
                cell(3, "tiny-int4", "naive", "host:threads=8", 800));
        assertThat(headline(SweptCells.manifest(cells)))
                .startsWith("INT4 against FP8 on host:threads=8: 2.0× the output throughput");
    }

    /// Without a common backend both are named in full.
    @Test
    void otherBackendsAreNamed() throws Exception {
        List<CellSummary> cells = List.of(cell(0, "tiny-int4", "naive", "host:threads=1", 100),
                cell(1, "tiny-int4", "continuous", "host:threads=8", 800));
        assertThat(headline(SweptCells.manifest(cells)))
                .startsWith("continuous · host:threads=8 against naive · host:threads=1: 8.0× the output throughput");
    }

    /// @param verdict null for an interrupted experiment
    private static String withGoal(RunStatus status, Verdict verdict) throws Exception {
        List<CellSummary> cells = new ArrayList<>();
        for (CellSummary each : List.of(cell(0, "tiny-int4", "naive", "host", 100),
                cell(1, "tiny-int4", "continuous", "host", 800))) {
            List<CellFigure> figures = new ArrayList<>(each.figures());
            figures.add(SweptCells.figure(Metrics.GOODPUT, 4));
            figures.add(new CellFigure(Metrics.OBJECTIVE_MET, 1, null, List.of(1.0, 1.0, 1.0), 1000, 20, true));
            cells.add(new CellSummary(each.cellIndex(), each.cell(), each.model(), each.precision(), 3, figures));
        }
        ExperimentManifest bare = SweptCells.manifest(cells);
        return headline(new ExperimentManifest(bare.formatVersion(), bare.id(),
                bare.spec().withGoal(new DeploymentGoal(ServiceObjective.parse("ttft=500ms,share=0.9"), 0)),
                bare.plan(), bare.machine(), bare.times(), new ExperimentOutcome(status, "", cells, verdict), false));
    }

    private static Verdict invalid(Verdict.Requirement broken) {
        return new Verdict(Verdict.Grade.INVALID,
                List.of(new Verdict.Condition(broken, broken.name(), Verdict.State.BROKEN, "7 of 18", "")));
    }

    @Test
    void missingRunsAreNoAnswer() throws Exception {
        assertThat(withGoal(RunStatus.COMPLETE, invalid(Verdict.Requirement.ALL_RUNS_VALID)))
                .startsWith("Highest goodput within the SLO");
        assertThat(withGoal(RunStatus.CANCELLED, invalid(Verdict.Requirement.ALL_RUNS_ENDED)))
                .isEqualTo("Not ranked: INVALID.");
        assertThat(withGoal(RunStatus.INTERRUPTED, null)).isEqualTo("Not ranked: runs are missing.");
    }
}
