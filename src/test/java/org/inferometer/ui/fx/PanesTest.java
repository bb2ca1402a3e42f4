package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class PanesTest {
    private static final double ROW = 40;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static Node row() {
        Region row = new Region();
        row.setMinHeight(ROW);
        return row;
    }

    /// The first and last visible row of 50 after one was revealed, in a pane of ten.
    private static int[] shownAfterRevealing(double scrolled, int row) throws Exception {
        return WaitForAsyncUtils.asyncFx(() -> {
            VBox rows = new VBox(IntStream.range(0, 50).mapToObj(i -> row()).toArray(Node[]::new));
            ScrollPane scroll = Panes.scroll(rows);
            new Scene(scroll, 300, 10 * ROW).getRoot().applyCss();
            scroll.layout();
            scroll.setVvalue(scrolled);
            Panes.reveal(scroll, rows.getChildren().get(row));
            double top = scroll.getVvalue() * (rows.getHeight() - scroll.getViewportBounds().getHeight());
            return new int[]{(int) Math.ceil(top / ROW),
                    (int) ((top + scroll.getViewportBounds().getHeight()) / ROW) - 1};
        }).get(20, TimeUnit.SECONDS);
    }

    @Test
    void aNodeOutOfSightIsScrolledTo() throws Exception {
        assertThat(shownAfterRevealing(0, 30)).satisfies(shown -> assertThat(30).isBetween(shown[0], shown[1]));
        assertThat(shownAfterRevealing(1, 3)).satisfies(shown -> assertThat(3).isBetween(shown[0], shown[1]));
    }

    @Test
    void contentIsAsWideWithAScrollBarAsWithout() throws Exception {
        double[] widths = WaitForAsyncUtils.asyncFx(() -> {
            double[] row = new double[2];
            for (int many = 0; many < row.length; many++) {
                VBox rows = new VBox(IntStream.range(0, many == 0 ? 2 : 50).mapToObj(i -> row()).toArray(Node[]::new));
                ScrollPane scroll = Panes.scroll(rows);
                Panes.keepGutter(scroll, rows, 30);
                Scene scene = new Scene(scroll, 300, 10 * ROW);
                scene.snapshot(null);
                scene.snapshot(null);
                row[many] = ((Region) rows.getChildren().getFirst()).getWidth();
            }
            return row;
        }).get(20, TimeUnit.SECONDS);
        assertThat(widths[1]).isEqualTo(widths[0]).isBetween(260.0, 270.0);
    }

    @Test
    void aNodeInSightStaysWhereItIs() throws Exception {
        assertThat(shownAfterRevealing(0, 4)[0]).isZero();
    }
}
