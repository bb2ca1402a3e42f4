package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Scene;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import org.inferometer.measurement.Metrics;
import org.inferometer.ui.shell.WindowDialogs.MethodNotes;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class MethodNotesTest {
    @Test
    void everyFigureIsDefinedAndFound() throws Exception {
        FxToolkit.registerPrimaryStage();
        WaitForAsyncUtils.asyncFx(() -> {
            MethodNotes notes = new MethodNotes(new SimpleObjectProperty<>(1.0));
            new Scene(notes).snapshot(null);
            TableView<?> table = (TableView<?>) notes.lookup("#method-table");
            int ofFamilies = Metrics.families().stream().mapToInt(family -> family.metrics().size()).sum();
            assertThat(table.getItems()).hasSize(Metrics.families().size() + Metrics.all().size() - ofFamilies);
            ((TextField) notes.lookup("#method-filter")).setText("send lateness");
            assertThat(table.getItems()).singleElement().asString().contains("sent − intended, per sent request");
            return null;
        }).get(20, TimeUnit.SECONDS);
    }
}
