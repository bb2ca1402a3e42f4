package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.record.MachineDescription;
import org.inferometer.report.ReportTable;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

class SettingTableTest {
    private static final List<ComparedSide> CELLS =
            ComparedSide.cells(FindingsTest.record(SampleRecords.experiment(Path.of("x"), 3)));

    private static List<List<String>> rows(SettingTable table, boolean all) {
        return table.table(all).map(ReportTable::rows).orElse(List.of()).stream().map(ReportTable.Row::cells).toList();
    }

    @Test
    void onlyWhatDiffersIsShownUntilAllIsAskedFor() {
        SettingTable table = new SettingTable(CELLS.subList(0, 2));
        assertThat(rows(table, false)).containsExactly(List.of("Settings"),
                List.of("  scheduler", "naive", "continuous"), List.of("  scheduler chunk", "default", "64"));
        assertThat(rows(table, true)).hasSizeGreaterThan(12).contains(List.of("Environment"),
                List.of("  engine", "tiny-fp8", "tiny-fp8"),
                List.of("  processor", "Example CPU, 8 cores", "Example CPU, 8 cores"));
    }

    @Test
    void machinesThatDifferAreEnvironment() {
        ComparedSide one = CELLS.getFirst();
        ComparedSide other =
                new ComparedSide("other#1", "other", one.cell(), one.model(), one.figures(), one.workloads(),
                        new MachineDescription("Linux", "amd64", "Other CPU", 1, 8, 1, "Java", 128, List.of(), "1"),
                        one.grades(), one.origin(), List.of());
        assertThat(rows(new SettingTable(List.of(one, other)), false)).startsWith(List.of("Environment"),
                List.of("  processor", "Example CPU, 8 cores", "Other CPU"));
    }

    @Test
    void equalOrSingleSidesHaveNoTable() {
        ComparedSide one = CELLS.getFirst();
        assertThat(new SettingTable(List.of(one)).table(true)).isEmpty();
        ComparedSide same = new ComparedSide("same#1", "same", one.cell(), one.model(), one.figures(), one.workloads(),
                one.machine(), one.grades(), one.origin(), List.of());
        assertThat(new SettingTable(List.of(one, same)).table(false)).isEmpty();
    }

    @Test
    void eightSidesAreShown() {
        List<ComparedSide> ten = IntStream.range(0, 10).mapToObj(i -> {
            ComparedSide side = CELLS.get(i % 4);
            return new ComparedSide("s#" + i, side.label(), side.cell(), side.model(), side.figures(), side.workloads(),
                    side.machine(), side.grades(), side.origin(), List.of());
        }).toList();
        ReportTable table = new SettingTable(ten).table(false).orElseThrow();
        assertThat(table.columns()).hasSize(9);
        assertThat(table.footnotes()).containsExactly("The first 8 of 10 cells.");
    }
}
