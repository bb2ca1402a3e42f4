package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.layout.Pane;
import org.inferometer.report.ReportTable;
import org.inferometer.ui.results.ReportTableView.TextWidths;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ReportTableViewTest {
    private static final List<String> HEADER = List.of("Cell", "Runs", "Total time, s", "Requests, req/s",
            "Output, tok/s", "Memory peak, MiB", "CPU or GPU, %", "Lanes busy, %");
    private static final List<String> ROW = List.of("continuous", "3", "1.08 ± 0.34", "18.7 ± 6.0", "1199 ± 383",
            "370.8 ± 2.6", "95.0 ± 2.0", "96.1 ± 1.5");

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static TableView<List<String>> shown(double width) throws Exception {
        return WaitForAsyncUtils.asyncFx(() -> {
            TableView<List<String>> table = ReportTableView.createView(
                    new ReportTable("", "", HEADER.stream().map(name -> ReportTable.Column.number(name, "")).toList(),
                            List.of(ReportTable.Row.of(ROW), ReportTable.Row.of(ROW)), List.of()));
            new Scene(new Pane(table));
            table.resize(width, 300);
            table.applyCss();
            table.layout();
            return table;
        }).get(20, TimeUnit.SECONDS);
    }

    @Test
    void headingsRunOverTheirRowAndWidenNoColumn() throws Exception {
        String heading = "model tiny · continuous · host · short (24 requests, 4 req/s), longer than any column";
        TableView<List<String>> table = WaitForAsyncUtils.asyncFx(() -> {
            TableView<List<String>> made = ReportTableView.createView(new ReportTable("", "",
                    List.of(ReportTable.Column.text("Precision"), ReportTable.Column.number("Throughput", "")),
                    List.of(ReportTable.Row.heading(heading), ReportTable.Row.of(List.of("INT4", "1.6×"))), List.of()));
            new Scene(new Pane(made));
            made.resize(300, 200);
            made.applyCss();
            made.layout();
            return made;
        }).get(20, TimeUnit.SECONDS);
        Label shown = table.lookupAll(".row-heading").stream().map(Label.class::cast)
                .filter(label -> !label.getText().isEmpty()).findFirst().orElseThrow();
        assertThat(shown.getText()).isEqualTo(heading);
        assertThat(shown.isTextTruncated()).isFalse();
        assertThat(shown.getParent().getClip()).isNull();
        assertThat(shown.getWidth()).isGreaterThan(table.getColumns().getFirst().getWidth());
    }

    private static double whole(int column) {
        return TextWidths.column(HEADER.get(column), Stream.of(ROW.get(column)));
    }

    @Test
    void widestTableFitsASmallWindow() throws Exception {
        TableView<List<String>> table = shown(1124);
        for (int i = 0; i < HEADER.size(); i++) {
            assertThat(table.getColumns().get(i).getWidth()).as(HEADER.get(i)).isGreaterThanOrEqualTo(whole(i));
        }
        assertThat(table.getColumns().stream().mapToDouble(column -> column.getWidth()).sum())
                .isLessThanOrEqualTo(1124);
    }

    @Test
    void widerTableScrollsAndLeavesRoomForTheBar() throws Exception {
        TableView<List<String>> narrow = shown(500);
        for (int i = 0; i < HEADER.size(); i++) {
            assertThat(narrow.getColumns().get(i).getWidth()).as(HEADER.get(i))
                    .isGreaterThanOrEqualTo(Math.max(60, whole(i)));
        }
        assertThat(narrow.getPrefHeight()).isGreaterThan(shown(1124).getPrefHeight());
    }
}
