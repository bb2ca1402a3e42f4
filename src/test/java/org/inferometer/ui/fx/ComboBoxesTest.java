package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.ComboBox;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.ui.results.ComparedChoice;
import org.inferometer.ui.results.ResultRow;
import org.inferometer.ui.results.ResultTable;
import org.inferometer.ui.results.SideChooser;
import org.inferometer.ui.results.SideChooser.ResultLabels;
import org.inferometer.ui.twin.Experiments;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ComboBoxesTest {
    private static final Instant DAY = Instant.parse("2026-11-20T09:15:00Z");

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void onFx(Action action) throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            action.run();
            return true;
        }).get(20, TimeUnit.SECONDS);
    }

    /// What the closed box says.
    private static String closed(ComboBox<?> combo) {
        Parent root = combo.getScene().getRoot();
        root.applyCss();
        root.layout();
        return combo.getButtonCell().getText();
    }

    private static ResultRow row(String id, int second) {
        ExperimentManifest manifest =
                Experiments.manifest(id, Experiments.QUICK, RunStatus.COMPLETE, null, DAY.plusSeconds(second));
        return new ResultRow(ResultRow.Origin.OWN, Path.of("results", id), Optional.of(manifest), "");
    }

    @Test
    void aValueThatIsNotAmongTheItemsIsWrittenInTheSameWords() throws Exception {
        onFx(() -> {
            ComboBox<Integer> combo = ComboBoxes.of("number", number -> "number " + number);
            new Scene(combo);
            combo.getItems().setAll(1, 2);
            combo.setValue(7);
            assertThat(closed(combo)).isEqualTo("number 7");
            combo.setValue(2);
            assertThat(closed(combo)).isEqualTo("number 2");
        });
    }

    @Test
    void aSearchThatHidesTheChosenItemLeavesItChosen() throws Exception {
        onFx(() -> {
            ObjectProperty<Integer> chosen = new SimpleObjectProperty<>(2);
            ComboBox<Integer> combo = ComboBoxes.searchable("number", number -> "number " + number);
            combo.getItems().setAll(1, 2);
            ComboBoxes.choose(combo, chosen);
            assertThat(combo.getValue()).isEqualTo(2);
            combo.setValue(null);
            assertThat(chosen.get()).isEqualTo(2);
            combo.setValue(1);
            assertThat(chosen.get()).isEqualTo(1);
            chosen.set(null);
            assertThat(combo.getValue()).isNull();
        });
    }

    @Test
    void theBoxNamesTheChosenResultHoweverTheListChangesUnderIt() throws Exception {
        onFx(() -> {
            ComparedChoice side = new ComparedChoice();
            SideChooser chooser = new SideChooser("base", side);
            Parent view = (Parent) chooser.createView("compare.base");
            new Scene(view);
            ResultRow chosen = row("chosen", 1);
            chooser.offer(List.of(row("newest", 3), chosen, row("oldest", 0)));
            side.choose(chosen);
            ComboBox<?> box = (ComboBox<?>) view.lookup("#base");
            String words = closed(box);
            assertThat(words).isEqualTo("quick · " + ResultTable.stamp(DAY.plusSeconds(1)));
            assertThat(box.getTooltip().getText()).isEqualTo(words + " · tiny-fp8, tiny-int4 · naive, continuous");
            chooser.offer(List.of(row("newer", 5), row("new", 4), row("newest", 3), row("oldest", 0)));
            assertThat(closed(box)).isEqualTo(words);
            chooser.offer(List.of(chosen, row("oldest", 0)));
            assertThat(closed(box)).isEqualTo(words);
            side.choose(row("oldest", 0));
            assertThat(closed(box)).contains(ResultTable.stamp(DAY));
            assertThat(side.result().get().folder()).isEqualTo(Path.of("results", "oldest"));
        });
    }

    @Test
    void resultsOfTheSameSecondAreToldApartByTheirFolders() {
        List<ResultRow> rows = List.of(row("a", 0), row("a-2", 0), row("b", 1));
        ResultLabels words = new ResultLabels(rows);
        assertThat(rows).extracting(words::of).doesNotHaveDuplicates();
        assertThat(words.of(rows.get(1))).endsWith(" · a-2");
        assertThat(rows).extracting(words::shortOf).doesNotHaveDuplicates();
        assertThat(words.shortOf(rows.get(2))).isEqualTo("quick · " + ResultTable.stamp(DAY.plusSeconds(1)));
        assertThat(words.of(rows.get(2))).isEqualTo(
                "quick · " + ResultTable.stamp(DAY.plusSeconds(1)) + " · tiny-fp8, tiny-int4 · naive, continuous");
    }
}
