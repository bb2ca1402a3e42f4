package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Scene;
import javafx.scene.layout.Pane;
import javafx.scene.layout.StackPane;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Details of 276 pixels, with texts of the usual size.
class TimelinePictureTest {
    private static final double DETAILS = 276;
    private final Pane rows = new Pane();
    private final Pane details = new Pane();
    private final Pane events = new Pane();

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    /// "1004 pixels of rows" and what stands right of the events.
    private String shown(double width, double textScale, boolean withEvents) throws Exception {
        return WaitForAsyncUtils.asyncFx(() -> {
            details.setPrefWidth(DETAILS * textScale);
            details.setMinWidth(DETAILS * textScale);
            events.setVisible(withEvents);
            events.setManaged(withEvents);
            TimelinePicture picture = new TimelinePicture(rows, details, events, new SimpleObjectProperty<>(textScale));
            Scene scene = new Scene(new StackPane(picture), width, 600);
            scene.snapshot(null);
            scene.snapshot(null);
            boolean beside = details.getParent() == picture;
            return (int) rows.getWidth() + ", details right of the " + (beside ? "rows" : "events");
        }).get(20, TimeUnit.SECONDS);
    }

    @Test
    void detailsStandRightOfTheRows() throws Exception {
        assertThat(shown(1196, 1, true)).isEqualTo("920, details right of the rows");
    }

    @Test
    void rowsOfANarrowWindowHaveItsWholeWidth() throws Exception {
        assertThat(shown(1154, 1.5, true)).isEqualTo("1154, details right of the events");
    }

    @Test
    void withoutEventsDetailsStandRightOfTheRows() throws Exception {
        assertThat(shown(1154, 1.5, false)).isEqualTo("740, details right of the rows");
    }
}
