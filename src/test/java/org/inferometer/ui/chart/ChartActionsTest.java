package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javafx.beans.property.SimpleObjectProperty;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.SampleCharts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartActionsTest {
    private static final ChartData CHART = SampleCharts.all().getFirst();
    @TempDir
    Path folder;
    private final List<String> told = new ArrayList<>();

    private void export(String typed) {
        FileDialogsTwin dialogs = new FileDialogsTwin(folder);
        dialogs.typeOnSave(typed);
        ChartTools tools = new ChartTools(new PlainComposer(),
                (sheet, picture) -> (picture.format() + " " + picture.shade() + " " + sheet.id()).getBytes(),
                new SimpleObjectProperty<>(Shade.DARK), dialogs, new InlineUi().work(), new Notifier() {
                    @Override
                    public void done(String sentence) {}

                    @Override
                    public void problem(String sentence) {
                        told.add(sentence);
                    }
                });
        ChartActions.export(tools, CHART);
    }

    @Test
    void theTypedEndingDecidesTheFormat() throws IOException {
        for (String typed : List.of("a.svg", "b.PDF", "c.png", "d")) {
            export(typed);
        }
        assertThat(folder.resolve("a.svg")).hasContent("SVG LIGHT throughput");
        assertThat(folder.resolve("b.PDF")).hasContent("PDF LIGHT throughput");
        assertThat(folder.resolve("c.png")).hasContent("PNG LIGHT throughput");
        assertThat(folder.resolve("d.png")).hasContent("PNG LIGHT throughput");
        assertThat(told).isEmpty();
    }

    @Test
    void unknownEndingsAreRefused() throws IOException {
        export("mine.jpg");
        assertThat(told).containsExactly("mine.jpg names no format of charts. Use .png, .svg or .pdf.");
        try (Stream<Path> written = Files.list(folder)) {
            assertThat(written).isEmpty();
        }
    }
}
