package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.report.Finding;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ChartWindowTwin;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.wording.HeadedText;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ResultPictureTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static <T> T onFx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    @Test
    void theFirstSentenceStandsOut() throws Exception {
        HeadedText whole = new HeadedText("naive is slower by 1.5×.", " INT4 is faster. 1 run each.");
        onFx(() -> {
            HBox answer = (HBox) nodes(List.of(new Finding(whole, "", List.of())), new Button()).getFirst();
            assertThat(sentences(answer)).containsExactly("naive is slower by 1.5×.", "INT4 is faster. 1 run each.");
            Node first = ((VBox) answer.getChildren().get(1)).getChildren().getFirst();
            assertThat(first.getStyleClass()).contains(StyleClasses.FIRST_FINDING);
            return null;
        });
    }

    private static List<String> sentences(HBox answer) {
        return ((VBox) answer.getChildren().get(1)).getChildren().stream().map(each -> ((Label) each).getText())
                .toList();
    }

    private static List<Node> nodes(List<Finding> findings, Node next) {
        Notifier silent = new Notifier() {
            @Override
            public void done(String sentence) {}

            @Override
            public void problem(String sentence) {}
        };
        ChartTools tools = new ChartTools(new PlainComposer(), (sheet, picture) -> new byte[0],
                new SimpleObjectProperty<>(Shade.LIGHT), new FileDialogsTwin(Path.of("target")), new InlineUi().work(),
                silent, ChartWindowTwin.none(), "", "");
        return new ResultPicture(tools, "result").createView(findings, List.of(), false, Optional.of(next),
                ResultPicture.ChartOpener.NONE);
    }

    @Test
    void theNextStepStandsBesideTheAnswer() throws Exception {
        onFx(() -> {
            Button next = new Button("Run 3 repetitions");
            HBox answer = (HBox) nodes(List.of(Finding.of("naive is slower.")), next).getFirst();
            assertThat(answer.getChildren()).hasSize(3).last().isSameAs(next);
            assertThat(sentences(answer)).containsExactly("naive is slower.");
            Button alone = new Button("Run 3 repetitions");
            assertThat(nodes(List.of(), alone)).containsExactly(alone);
            return null;
        });
    }
}
