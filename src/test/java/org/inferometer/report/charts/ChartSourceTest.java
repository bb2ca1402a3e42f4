package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.ExperimentTimes;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.FindingsTest;
import org.inferometer.report.compare.KnownVariation;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

class ChartSourceTest {
    private final ExperimentRecord record = FindingsTest.record(SampleRecords.experiment(Path.of("x"), 3));

    @Test
    void resultDayAndProcessorAreNamed() {
        assertThat(ChartSource.of(record.manifest())).isEqualTo("quick · 2026-11-21 · Example CPU, 8 cores");
    }

    @Test
    void anImportedResultHasNoMachine() {
        ExperimentManifest m = record.manifest();
        ExperimentManifest imported = new ExperimentManifest(m.formatVersion(), m.id(), m.spec(), m.plan(), m.machine(),
                new ExperimentTimes(m.times().started(), null, Instant.parse("2026-11-24T00:00:00Z")), m.outcome(),
                m.anonymized());
        assertThat(ChartSource.of(imported)).endsWith(" · machine not known");
    }

    @Test
    void aComparisonNamesBothResultsOrOne() {
        List<ComparedSide> cells = ComparedSide.cells(record);
        ResultComparison within = ResultComparison.of(List.of(cells.getFirst()),
                List.of(List.of(cells.get(1), cells.get(2))), false, KnownVariation.NONE);
        assertThat(ChartSource.of(within)).isEqualTo("quick · 2026-11-21 · Example CPU, 8 cores");
        ComparedSide one = cells.get(1);
        ComparedSide later = new ComparedSide("later#1", one.label(), one.cell(), one.model(), one.figures(),
                one.workloads(), one.machine(), one.grades(),
                new ComparedSide.Origin("2026-11-22_133059_after", new ComparedSide.Part.CellPart(1),
                        Instant.parse("2026-11-22T13:30:59Z"), new ComparedSide.Server.None(), ServiceObjective.NONE,
                        "", null, 0, "", null),
                List.of());
        assertThat(ChartSource.of(
                ResultComparison.of(List.of(cells.getFirst()), List.of(List.of(later)), false, KnownVariation.NONE)))
                .isEqualTo("after · 2026-11-22 against quick · 2026-11-21 · Example CPU, 8 cores");
        assertThat(ChartSource.of(ResultComparison.of(cells, List.of(), false, KnownVariation.NONE))).isEmpty();
    }
}
