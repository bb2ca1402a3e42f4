package org.inferometer.report.charts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.Metric;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SloResult;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadSpec;

/// Cells of engines × schedulers × loads with figures that follow from their place.
public final class SweptCells {
    private SweptCells() {}

    /// Poisson loads of some rates, with as many requests as ten seconds need.
    public static List<WorkloadSpec> rates(double... rates) {
        List<WorkloadSpec> loads = new ArrayList<>();
        for (double rate : rates) {
            loads.add(SampleRecords.WORKLOAD.withName("short-r" + (int) rate)
                    .withArrivals(new ArrivalProcess.Poisson(rate)).withRequests((int) (10 * rate)));
        }
        return loads;
    }

    /// @param engines "model-precision"
    public static List<ComparedCell> of(List<String> engines, List<String> schedulers, List<WorkloadSpec> loads)
            throws Exception {
        List<CellSummary> cells = new ArrayList<>();
        for (String engine : engines) {
            for (String scheduler : schedulers) {
                for (WorkloadSpec load : loads) {
                    cells.add(cell(cells.size(), engine, Selection.parse(scheduler), load));
                }
            }
        }
        return ComparedCell.of(List.of(manifest(cells)));
    }

    /// The same cells of one experiment with outcomes of an SLO, in the order of the cells; half of the requests met it.
    static List<ComparedCell> judged(List<ComparedCell> cells, List<SloResult.Outcome> outcomes) throws Exception {
        List<CellSummary> judged = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            CellSummary cell = cells.get(i).summary();
            List<CellFigure> figures = new ArrayList<>(cell.figures());
            figures.add(figure(Metrics.OBJECTIVE_MET, 0.5));
            judged.add(new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), cell.runs(), null,
                    figures, new SloResult(outcomes.get(i), 0.4, 0.6, 0.95, 300, 0, false)));
        }
        return ComparedCell.of(List.of(manifest(judged)));
    }

    public static ExperimentManifest manifest(List<CellSummary> cells) {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        return new ExperimentManifest(sample.formatVersion(), sample.id(), sample.spec(), sample.plan(),
                sample.machine(), sample.times(), new ExperimentOutcome(RunStatus.COMPLETE, "", cells, null), false);
    }

    private static CellSummary cell(int index, String engine, Selection scheduler, WorkloadSpec load) {
        int dash = engine.lastIndexOf('-');
        return new CellSummary(index, new Cell(new EngineSubject(engine, scheduler, Selection.of("host")), load),
                engine.substring(0, dash), engine.substring(dash + 1), 3,
                List.of(figure(Metrics.OUTPUT_THROUGHPUT, 100 + 10 * index),
                        figure(Metrics.TTFT.p50(), (20 + index) * 1e6), figure(Metrics.INTERACTIVITY.p50(), 50 - index),
                        figure(Metrics.MODEL_MEMORY_PEAK, 20 << 20)));
    }

    /// A figure of three runs in equal proportions.
    public static CellFigure figure(Metric metric, double mean) {
        return new CellFigure(metric, mean, mean / 50, List.of(mean * 0.99, mean, mean * 1.01), List.of(1L, 2L, 3L),
                300, 100, true, 1, false);
    }
}
