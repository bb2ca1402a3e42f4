package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.report.charts.SweptCells;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

class ComparedCellTest {
    private static List<ComparedCell> cells(EngineSubject... subjects) throws Exception {
        List<CellSummary> cells = new ArrayList<>();
        for (EngineSubject subject : subjects) {
            cells.add(new CellSummary(cells.size(), new Cell(subject, SampleRecords.WORKLOAD), "tiny", "int4", 3,
                    List.of(SweptCells.figure(Metrics.OUTPUT_THROUGHPUT, 100))));
        }
        return ComparedCell.of(List.of(SweptCells.manifest(cells)));
    }

    private static EngineSubject subject(String scheduler, String backend, int rows, long kvBytes) {
        return new EngineSubject("tiny-int4", Selection.parse(scheduler), Selection.parse(backend),
                new EngineLimits(rows, 0, 0, kvBytes));
    }

    @Test
    void namesHoldOnlyTheOptionsThatDiffer() throws Exception {
        List<ComparedCell> cells = cells(subject("continuous:tokens=512,seqs=4", "host:threads=1,kv=int8", 4, 1 << 26),
                subject("continuous:tokens=512,seqs=8", "host:threads=2,kv=int8", 8, 1 << 26));
        assertThat(cells).extracting(ComparedCell::label).containsExactly(
                "continuous:seqs=4 · host:threads=1 · max_batch_size=4",
                "continuous:seqs=8 · host:threads=2 · max_batch_size=8");
        assertThat(ComparedCell.common(cells)).contains("scheduler tokens=512", "backend kv=int8",
                "limits kv_memory=64MiB");
    }

    @Test
    void namesStayWholeWhereNothingIsLeft() throws Exception {
        assertThat(cells(subject("naive:batch=8", "host", 4, 0), subject("continuous:tokens=512", "host", 4, 1 << 26)))
                .extracting(ComparedCell::label)
                .containsExactly("naive:batch=8 · max_batch_size=4", "continuous:tokens=512 · kv_memory=64MiB");
        assertThat(cells(subject("continuous:tokens=512", "host", 0, 0),
                subject("continuous:tokens=512,seqs=8", "host", 0, 0))).extracting(ComparedCell::label)
                .containsExactly("continuous", "continuous:seqs=8");
    }
}
