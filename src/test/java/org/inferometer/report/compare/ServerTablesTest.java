package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.ExperimentOutcome;
import org.inferometer.record.Figure;
import org.inferometer.report.ReportTable;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

/// Two runs in each of the first two cells of the sample; the second cell has no server.
class ServerTablesTest {
    private static List<ComparedCell> cells() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 2);
        List<CellSummary> cells = new ArrayList<>();
        for (CellSummary each : sample.cells().subList(0, 2)) {
            boolean served = each.cellIndex() == 0;
            cells.add(new CellSummary(each.cellIndex(), each.cell(), each.model(), each.precision(), each.runs(),
                    CellFigures.of(
                            served ? List.of(server(10), server(14)) : List.of(energy(0.25, 90), energy(0.25, 90)))));
        }
        ExperimentOutcome outcome = new ExperimentOutcome(sample.status(), "", cells, sample.verdict());
        return ComparedCell.of(List.of(sample.withOutcome(outcome, sample.times().ended())));
    }

    private static List<Figure> server(double millis) {
        List<Figure> figures = new ArrayList<>(energy(1, 350));
        figures.add(new Figure(Metrics.SERVER_QUEUE.mean(), millis * 1e6, 40, true));
        figures.add(new Figure(Metrics.SERVER_TTFT.mean(), 48e6, 40, true));
        figures.add(new Figure(Metrics.SERVER_TTFT.p50(), millis * 1e6, 40, true, new CellFigure.Ends(8e6, 20e6)));
        figures.add(new Figure(Metrics.SERVER_TTFT.p95(), 30e6, 40, false, new CellFigure.Ends(20e6, 40e6)));
        return figures;
    }

    private static List<Figure> energy(double joules, double watts) {
        return List.of(new Figure(Metrics.ENERGY_PER_TOKEN, joules, 100, true),
                new Figure(Metrics.GPU_POWER, watts, 50, true));
    }

    @Test
    void percentilesStandWithTheEndsOfTheirBuckets() {
        List<ReportTable> tables = ServerTables.of(new ComparisonTables(cells()), cells());
        assertThat(tables).extracting(ReportTable::title).containsExactly("The server's own figures",
                "Percentiles by the server's own histograms", "GPU energy and power");
        assertThat(tables.get(1).rows()).extracting(ReportTable.Row::cells).containsExactly(List.of("naive"),
                List.of("  Server TTFT", "12.00 in 8.00–20.00", "30.00 in 20.00–40.00 (40)", "–"));
        assertThat(tables.get(2).rows().getLast().cells()).containsExactly("continuous:chunk=64", "2",
                "0.2500 ± 0.0000", "90.0 ± 0.0");
    }

    @Test
    void findingsNameTheQueueAndTheEnergyOfAToken() {
        assertThat(ServerTables.findings(cells())).containsExactly(
                "naive: by the server's clock 12.0 ms of 48.0 ms to the first token are queueing (25.0 %), the rest is computing.",
                "Least energy: continuous:chunk=64, 0.2500 J/token at 90.0 W. Most: naive, 1.0000 J/token at 350.0 W.");
    }
}
