package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void throughputTableOfSingleRuns() {
        List<ComparedCell> cells = ComparedCell.of(List.of(SampleRecords.experiment(Path.of("x"), 1)));
        assertThat(TextTable.render(new ComparisonTables(cells).throughput(), 110)).isEqualTo("""
                Throughput and resources
                workload short (60 requests, 4 req/s) · backend host:threads=2
                ────────────────────────────────────────────────────────────────────────────────
                Cell                             Runs  Requests  Output  Memory peak  Lanes busy
                                                          req/s   tok/s          MiB           %
                ────────────────────────────────────────────────────────────────────────────────
                tiny-fp8 · naive                    1      4.05   451.2        476.0        80.0
                tiny-fp8 · continuous:chunk=64      1      5.27   586.6        477.0        83.0
                tiny-int4 · naive                   1      4.25   473.8        477.9        86.0
                tiny-int4 · continuous:chunk=64     1      5.47   609.2        478.9        89.0
                ────────────────────────────────────────────────────────────────────────────────
                1 run has no interval. Measure 3 runs or more.
                """);
    }

    /// A block of a column or two is narrower than the heading over its rows.
    @Test
    void headingsOfNarrowBlocksAreNotWrapped() {
        String heading = "model tiny · workload short-prompt_tokens=256 (30 requests)";
        ReportTable table = new ReportTable("Title", "", List.of(Column.text("Cell"), Column.number("A", "")),
                List.of(Row.heading(heading), Row.of(List.of("naive", "1.0"))), List.of());
        assertThat(TextTable.render(table, 80).lines()).contains(heading);
    }

    @Test
    void noLineIsWiderThanAsked() {
        List<ComparedCell> cells = ComparedCell.of(List.of(SampleRecords.experiment(Path.of("x"), 3)));
        for (ReportTable table : new ComparisonTables(cells).all()) {
            String text = TextTable.render(table, 100);
            assertThat(text.lines()).allMatch(line -> line.length() <= 100);
        }
    }
}
