package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.stage.Stage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class StagedColumnTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static <T> T onFx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private static List<String> texts(StagedColumn column) {
        return column.getChildren().stream().map(child -> ((Label) child).getText()).toList();
    }

    private static StagedColumn column(CountDownLatch made) {
        StagedColumn column = new StagedColumn(0);
        column.getChildren().add(new Label("first"));
        for (String text : List.of("a", "b", "c")) {
            column.later(() -> {
                made.countDown();
                return new Label(text);
            });
        }
        return column;
    }

    @Test
    void aShownColumnMakesOnePartAFrame() throws Exception {
        CountDownLatch made = new CountDownLatch(3);
        List<Integer> counts = new ArrayList<>();
        StagedColumn column = onFx(() -> column(made));
        Stage stage = onFx(() -> {
            Scene scene = new Scene(column);
            scene.addPostLayoutPulseListener(() -> counts.add(column.getChildren().size()));
            Stage shown = new Stage();
            shown.setScene(scene);
            shown.show();
            return shown;
        });
        assertThat(made.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(onFx(() -> texts(column))).containsExactly("first", "a", "b", "c");
        List<Integer> seen = onFx(() -> {
            stage.close();
            return List.copyOf(counts);
        });
        assertThat(seen).startsWith(1).isSorted();
        for (int i = 1; i < seen.size(); i++) {
            assertThat(seen.get(i) - seen.get(i - 1)).isBetween(0, 1);
        }
    }

    @Test
    void aColumnWithoutAWindowIsWholeAtOnce() throws Exception {
        StagedColumn column = onFx(() -> {
            StagedColumn made = column(new CountDownLatch(0));
            new Scene(made);
            made.applyCss();
            made.layout();
            made.prefHeight(100);
            return made;
        });
        assertThat(onFx(() -> texts(column))).containsExactly("first", "a", "b", "c");
    }

    @Test
    void aClosedColumnMakesNoMore() throws Exception {
        CountDownLatch made = new CountDownLatch(3);
        onFx(() -> {
            StagedColumn column = column(made);
            Stage shown = new Stage();
            shown.setScene(new Scene(column));
            shown.show();
            shown.getScene().addPostLayoutPulseListener(() -> shown.close());
            return column;
        });
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(made.getCount()).isGreaterThan(1);
    }
}
